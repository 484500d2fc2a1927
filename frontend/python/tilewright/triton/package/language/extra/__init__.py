"""`triton.language.extra`: functions of one vendor's devices, and `libdevice`, which every target has."""
from . import cpu, cuda, hip, libdevice
