"""`triton.language.math`: the same names as `triton.language`."""
from tilewright.language import *  # noqa: F401,F403
from tilewright.language._names import names_of as _names_of

__getattr__ = _names_of(__name__)
