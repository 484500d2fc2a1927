"""Programs over integers and Booleans: widths, signs, what is folded, what wraps."""
import numpy as np

from small_programs.table import F, I, table

ROWS, row = table()

row('i1 mul',
    'i = tl.arange(0, 8)\n'
    'm = i>3\n'
    'tl.store(out+i, (m * m).to(tl.int32))',
    {'out': np.array([0] * 4 + [1] * 4, I)})
row('i1 sub',
    'i = tl.arange(0, 8)\n'
    'm = i>3\n'
    'tl.store(out+i, (m - m).to(tl.int32))',
    {'out': np.array([0] * 8, I)})
row('i1 cmp',
    'i = tl.arange(0, 8)\n'
    'm = i>3\n'
    'tl.store(out+i, (m > (i < 2)).to(tl.int32))',
    {'out': np.array([0] * 4 + [1] * 4, I)})
row('i1 max',
    'i = tl.arange(0, 8)\n'
    'm = i>3\n'
    'tl.store(out+i, tl.maximum(m, i<1).to(tl.int32))',
    {'out': np.array([1, 0, 0, 0] + [1] * 4, I)})
row('i1 shift',
    'i = tl.arange(0, 8)\n'
    'm = i>3\n'
    'tl.store(out+i, (m.to(tl.int32) << 3))',
    {'out': np.array([0] * 4 + [8] * 4, I)})
row('uint64 cmp',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a > 5).to(tl.int32))',
    {'out': np.array([0, 1, 1, 1], I)}, {'x': np.array([0, 2 ** 63, 2 ** 64 - 1, 6], np.uint64)})
row('uint mod',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a % 10)',
    {'out': np.array([0, 2 ** 63 % 10, (2 ** 64 - 1) % 10, 6], np.uint64)}, {'x': np.array([0, 2 ** 63, 2 ** 64 - 1, 6], np.uint64)})
row('uint64->f32',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a.to(tl.float32))',
    {'out': np.array([0, 2.0 ** 63, 2.0 ** 64, 6], np.float32)}, {'x': np.array([0, 2 ** 63, 2 ** 64 - 1, 6], np.uint64)})
row('int // pow2',
    'i = tl.arange(0, 8) - 4\n'
    'tl.store(out+i+4, i // 2)\n'
    'tl.store(o2+i+4, i % 4)',
    {'out': np.array([-2, -1, -1, 0, 0, 0, 1, 1], I), 'o2': np.array([0, -3, -2, -1, 0, 1, 2, 3], I)})
row('div_floor_integer inductor',
    'i = tl.arange(0, 8) - 4\n'
    'q = i // 3\n'
    'r = i % 3\n'
    'f = tl.where((r != 0) & ((r < 0) != (n < 0)), q - 1, q)\n'
    'tl.store(out+i+4, f)',
    {'out': ((np.arange(8) - 4) // 3).astype(I)}, {'n': 3})
row('int floor consts mixed',
    'tl.store(out, n // -2)\n'
    'tl.store(out+1, -n // 2)\n'
    'tl.store(out+2, n % -3)',
    {'out': np.array([-3, -3, 1], I)}, {'n': 7})
row('B3: u8 compare -1 err ok',
    'i = tl.arange(0, 4).to(tl.uint8)\n'
    'tl.store(out+i, (i.to(tl.int32) > -1).to(tl.int32))',
    {'out': np.ones(4, I)})
row('i64 mul high',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a*a)>>3)',
    {'out': np.array([3, -5, 2 ** 31, 2 ** 33 + 1], np.int64) ** 2 >> 3}, {'x': np.array([3, -5, 2 ** 31, 2 ** 33 + 1], np.int64)})
row('atomic u32 max',
    'i = tl.arange(0, 4)\n'
    'tl.atomic_max(out+i*0, tl.load(x+i))',
    {'out': np.array([2 ** 32 - 1], np.uint32)}, {'x': np.array([2 ** 32 - 1, 1, 2 ** 31, 0], np.uint32)}, initial={'out': np.array([0], np.uint32)})
row('store wide val narrowing',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i))',
    {'out': np.array([1, -1, 0, 44], np.int8)}, {'x': np.array([1, -1, 256, 300], np.int64)})
row('store f32->i8',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i))',
    {'out': np.array([1, -1, 127, -128], np.int8)}, {'x': np.array([1.5, -1.9, 300, -1000000000.0], F)})
row('xor i1',
    'tl.store(out, tl.xor_sum(tl.arange(0, 8)>2, 0).to(tl.int32))',
    {'out': np.array([1], I)})
row('cas i16',
    'tl.store(o2, tl.atomic_cas(out, tl.load(x), tl.load(x+1)))',
    {'out': np.array([-2], np.int16), 'o2': np.array([1], np.int16)}, {'x': np.array([1, -2], np.int16)}, initial={'out': np.array([1], np.int16)})
row('minmax int8 scalars',
    'tl.store(out, max(tl.load(x), tl.load(x+1)))',
    {'out': np.array([3], np.int8)}, {'x': np.array([-1, 3], np.int8)})
row('u8 sub const',
    'i = tl.arange(0, 4).to(tl.uint8)\n'
    'r = i-1\n'
    'tl.store(out+tl.arange(0, 4), r)',
    {'out': np.array([255, 0, 1, 2], np.uint8)})
row('u32 - n',
    'i = tl.arange(0, 4).to(tl.uint32)\n'
    'r = i-n\n'
    'tl.static_assert(r.dtype==tl.uint32)\n'
    'tl.store(out+tl.arange(0, 4), r)',
    {'out': (np.arange(4) - 2).astype(np.uint32)}, {'n': 2})
row('mixed cmp u32/i32',
    'i = tl.arange(0, 4)-2\n'
    'u = tl.arange(0, 4).to(tl.uint32)\n'
    'tl.store(out+tl.arange(0, 4), (i<u).to(tl.int32))',
    {'out': np.array([0, 0, 1, 1], I)})
row('mixed cmp i64/u32',
    'i = (tl.arange(0, 4)-2).to(tl.int64)\n'
    'u = tl.arange(0, 4).to(tl.uint32)\n'
    'tl.store(out+tl.arange(0, 4), (i<u).to(tl.int32))',
    {'out': np.array([1, 1, 1, 1], I)})
row('i8 mul widen no',
    'i = tl.load(x+tl.arange(0, 4))\n'
    'r = i*i\n'
    'tl.store(out+tl.arange(0, 4), r)',
    {'out': (np.array([100, -100, 11, 12]) ** 2).astype(np.int8)}, {'x': np.array([100, -100, 11, 12], np.int8)})
row('int const fold div',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, (i-2)//-1)',
    {'out': np.array([2, 1, 0, -1], I)})
row('shift by tile',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, 1<<i)',
    {'out': np.array([1, 2, 4, 8], I)})
row('const << scalar',
    'tl.store(out, 1<<n)',
    {'out': np.array([32], I)}, {'n': 5})
row('const - u8 tile',
    'i = tl.arange(0, 4).to(tl.uint8)\n'
    'tl.store(out+tl.arange(0, 4), 100-i)',
    {'out': np.array([100, 99, 98, 97], np.uint8)})
row('const // tile',
    'i = tl.arange(0, 4)+1\n'
    'tl.store(out+tl.arange(0, 4), 100//i)',
    {'out': np.array([100, 50, 33, 25], I)})
row('const % tile',
    'i = tl.arange(0, 4)+1\n'
    'tl.store(out+tl.arange(0, 4), -100%i)',
    {'out': np.array([0, 0, -1, 0], I)})
row('-7 // n const',
    'tl.store(out, -7//n)\n'
    'tl.store(out+1, -7%n)',
    {'out': np.array([-3, -1], I)}, {'n': 2})
