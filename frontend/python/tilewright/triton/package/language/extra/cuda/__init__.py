"""`triton.language.extra.cuda`."""
from tilewright.language._names import names_of as _names_of

from . import libdevice

__getattr__ = _names_of(__name__)
