"""Seed 1, program 6947: difference nvidia."""

SEED, NUMBER, GRID, MATH = 1, 6947, (1,), 'portable'
OPTIONS = {}
PARAMETERS = [{'name': 'x12', 'role': 'in', 'dtype': 'float64', 'count': 4},
 {'name': 'o17', 'role': 'out', 'dtype': 'int8', 'count': 4}]
TEXT = """
from tilewright.language.extra import libdevice

@tw.jit
def kernel(x12, o17):
    i11 = tl.full([], 1, tl.int32) * 2 + tl.full([], 1, tl.int32)
    tl.static_assert(i11.dtype == tl.int32)
    v13 = tl.load(x12 + i11, tl.full([], 1, tl.int1))
    tl.static_assert(v13.dtype == tl.float64)
    v14 = tl.cast(tl.where(v13 == v13, v13, 1.0), tl.uint64, bitcast=True)
    tl.static_assert(v14.dtype == tl.uint64)
    tl.store(o17, v14, tl.full([], 1, tl.int1))
"""
