"""Seed 1, program 6872: difference cpu."""

SEED, NUMBER, GRID, MATH = 1, 6872, (1,), 'portable'
OPTIONS = {'opt_level': 0}
PARAMETERS = [{'name': 'x19', 'role': 'in', 'dtype': 'float8e4nv', 'count': 259},
 {'name': 'n23', 'role': 'scalar', 'dtype': 'int32', 'value': 1},
 {'name': 'n31', 'role': 'scalar', 'dtype': 'int32', 'value': 16},
 {'name': 'n32', 'role': 'scalar', 'dtype': 'int32', 'value': 20},
 {'name': 'o33', 'role': 'out', 'dtype': 'float64', 'count': 512}]
TEXT = """
from tilewright.language.extra import libdevice

@tw.jit
def kernel(x19, n23, n31, n32, o33):
    v2 = tl.full([], 1, tl.float32)
    tl.static_assert(v2.dtype == tl.float32)
    v3 = v2
    tl.static_assert(v3.dtype == tl.float32)
    i4 = tl.full([], 1, tl.int32)
    tl.static_assert(i4.dtype == tl.int32)
    v8 = tl.full([64], 1, tl.float8e4b8)
    tl.static_assert(v8.dtype == tl.float8e4b8)
    i10 = tl.full([64], 1, tl.int32)
    tl.static_assert(i10.dtype == tl.int32)
    v11 = tl.full([64], 1, tl.float8e4b8)
    tl.static_assert(v11.dtype == tl.float8e4b8)
    v12 = tl.full([64], 1, tl.float8e4b8)
    tl.static_assert(v12.dtype == tl.float8e4b8)
    v20 = tl.load(x19 + (tl.full([1, 8, 1], 1, tl.int32) + tl.arange(0, 32)[:, None, None]), tl.full([32, 8, 1], 1, tl.int1))
    tl.static_assert(v20.dtype == tl.float8e4nv)
    a21 = v20 * v20
    tl.static_assert(a21.dtype == tl.float8e4nv)
    v24 = a21
    tl.static_assert(v24.dtype == tl.float8e4nv)
    i26 = tl.program_id(0) * 256 + (tl.arange(0, 1)[None, None, :] * 256 + (tl.arange(0, 8)[None, :, None] * 32 + tl.arange(0, 32)[:, None, None]))
    tl.static_assert(i26.dtype == tl.int32)
    v28 = tl.softmax(v20.to(tl.float64), dim=1)
    tl.static_assert(v28.dtype == tl.float64)
    v30 = libdevice.log10(v28)
    tl.static_assert(v30.dtype == tl.float64)
    tl.store(o33 + (tl.program_id(0) * 512 + (tl.arange(0, 32)[:, None, None] * n31 + (tl.arange(0, 1)[None, None, :] * 16 + tl.arange(0, 8)[None, :, None]))), v30, (tl.arange(0, 32)[:, None, None] < n32) & (tl.arange(0, 1)[None, None, :] < n23))
"""
