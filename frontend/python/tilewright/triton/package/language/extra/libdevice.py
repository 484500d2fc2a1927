"""`libdevice`: mathematical functions beyond `triton.language`."""
from tilewright.language._names import names_of as _names_of

__getattr__ = _names_of(__name__, "libdevice.")
