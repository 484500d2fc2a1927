"""`triton.runtime.errors`."""
from tilewright import OutOfResources, TilewrightError

TritonError = TilewrightError


class InterpreterError(TilewrightError):
    """Never raised: Tilewright has no Python interpreter of kernels (use the target "reference")."""


class PTXASError(TilewrightError):
    """Never raised: libraries catch it beside OutOfResources."""


class AutotunerError(TilewrightError):
    """No configuration could be used."""


__all__ = ["AutotunerError", "InterpreterError", "OutOfResources", "PTXASError", "TritonError"]
