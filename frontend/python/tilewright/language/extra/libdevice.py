"""Maths functions by their libdevice names (`libdevice.tanh`), the same on every target."""
from .._names import names_of

__getattr__ = names_of(__name__, "libdevice.")
