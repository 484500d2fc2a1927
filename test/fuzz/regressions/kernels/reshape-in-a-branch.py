"""Seed 1, program 8296: crash."""

SEED, NUMBER, GRID, MATH = 1, 8296, (1,), 'portable'
OPTIONS = {}
PARAMETERS = [{'name': 'o8', 'role': 'out', 'dtype': 'int32', 'count': 1036},
 {'name': 'n9', 'role': 'scalar', 'dtype': 'int32', 'value': 0}]
TEXT = """
from tilewright.language.extra import libdevice

@tw.jit
def kernel(o8, n9):
    i2 = tl.full([1, 16], 1, tl.int32) + tl.arange(0, 16)[:, None]
    tl.static_assert(i2.dtype == tl.int32)
    if n9 == 0:
        pass
    else:
        v6 = i2.reshape([256])
        tl.static_assert(v6.dtype == tl.int32)
        tl.store(o8 + tl.full([256], 1, tl.int32), v6)
"""
