"""Seed 2, program 708: difference cpu."""

SEED, NUMBER, GRID, MATH = 2, 708, (1,), 'portable'
OPTIONS = {}
PARAMETERS = [{'name': 'x16', 'role': 'in', 'dtype': 'int32', 'count': 3},
 {'name': 'x18', 'role': 'in', 'dtype': 'bfloat16', 'count': 12},
 {'name': 'o22', 'role': 'out', 'dtype': 'float32', 'count': 3}]
TEXT = """
from tilewright.language.extra import libdevice

@tw.jit
def kernel(x16, x18, o22):
    v17 = tl.load(x16, cache_modifier='.cg')
    tl.static_assert(v17.dtype == tl.int32)
    v19 = tl.load(x18 + tl.full([1], 1, tl.int32), v17 + v17 >= v17, 0.25)
    tl.static_assert(v19.dtype == tl.bfloat16)
    v20 = tl.cumsum(v19, axis=0, reverse=True)
    tl.static_assert(v20.dtype == tl.float32)
    tl.store(o22 + tl.full([1], 1, tl.int32), v20)
"""
