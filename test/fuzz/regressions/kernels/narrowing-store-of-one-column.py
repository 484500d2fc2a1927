"""Found with seed 1, program 2475, with AVX-512: a store of one column wrote outside of the array."""

SEED, NUMBER, GRID, MATH = 1, 2475, (1,), 'portable'
OPTIONS = {}
PARAMETERS = [{'name': 'n53', 'role': 'scalar', 'dtype': 'int32', 'value': 1},
 {'name': 'n62', 'role': 'scalar', 'dtype': 'int32', 'value': 558},
 {'name': 'x64', 'role': 'in', 'dtype': 'int64', 'count': 558},
 {'name': 'n67', 'role': 'scalar', 'dtype': 'int32', 'value': 2},
 {'name': 'o68', 'role': 'out', 'dtype': 'int16', 'count': 128}]
TEXT = """
from tilewright.language.extra import libdevice

@tw.jit
def kernel(n53, n62, x64, n67, o68):
    i63 = tl.full([64, 2], 1, tl.int32)
    tl.static_assert(i63.dtype == tl.int32)
    v65 = tl.load(x64 + i63, i63 < n62, -2)
    tl.static_assert(v65.dtype == tl.int64)
    v66 = v65
    tl.static_assert(v66.dtype == tl.int64)
    tl.store(o68 + (tl.arange(0, 64)[:, None] * n67 + tl.arange(0, 2)[None, :]), v66, tl.arange(0, 2)[None, :] < n53)
"""
