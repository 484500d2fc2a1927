"""`triton.backends`: what libraries ask about the target's kind."""
from . import compiler

#: Vendors are Tilewright plugins (`tilewright targets`), not entries of this table.
backends = {}
