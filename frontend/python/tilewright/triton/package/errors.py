"""`triton.errors`: the base of all errors."""
from tilewright import TilewrightError as TritonError

__all__ = ["TritonError"]
