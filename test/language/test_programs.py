"""Small programs that combine features; each was written to break a compiler, none is a table."""
import numpy as np
import pytest

import tilewright.language as tl

from dtypes import NUMPY, rounded

I, F, B, E = np.int32, np.float32, NUMPY["bfloat16"], NUMPY["float8e5"]
xa, xb = np.array([1.001, 3.3, 7.7, 0.1], B), np.array([2.2, 1.7, 9.9, 0.33], B)
x8 = np.array([1, -2, 0.5, 3, 0.25, -0.5, 4, 1], E)
random = np.random.default_rng(0)
q, k, v = (random.normal(size=(rows, 32)).astype(F) for rows in (64, 96, 96))
ROWS = []


def attention():
    """Softmax of scaled products with a shifted causal mask, in float64."""
    s = q.astype(float) @ k.T.astype(float) * 0.2
    s = np.where(np.arange(64)[:, None] + 20 >= np.arange(96)[None, :], s, -np.inf)
    p = np.exp(s - s.max(1, keepdims=True))
    return ((p / p.sum(1, keepdims=True)) @ v).astype(F)


def row(name, body, expected, inputs=None, **options):
    """Adds a program to the table."""
    ROWS.append(pytest.param(body, expected, inputs, options, id=name.replace(" ", "-")))


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
row('where scalar cond',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.where(n > 3, i, -i))',
    {'out': np.arange(8, dtype=I)}, {'n': 5})
row('where all scalar',
    'tl.store(out, tl.where(n > 3, 7, n))',
    {'out': np.array([7], I)}, {'n': 5})
row('store scalar to tile',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, n)',
    {'out': np.full(8, 5, I)}, {'n': 5})
row('reduce then broadcast',
    'i = tl.arange(0, 8)\n'
    'x2 = i[:, None]*8+i[None,:]\n'
    's = tl.sum(x2, 1)\n'
    'tl.store(out + x2, x2 - s[:, None])',
    {'out': (np.arange(64).reshape(8, 8) - np.arange(64).reshape(8, 8).sum(1)[:, None]).astype(I)})
row('gather/scatter perm',
    'i = tl.arange(0, 16)\n'
    'p = (i*5+3)%16\n'
    'tl.store(out+p, tl.load(x+p)*2)',
    {'out': np.arange(16, dtype=I) * 2}, {'x': np.arange(16, dtype=I)})
row('dup store last',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i//16, 3)',
    {'out': np.array([3], I)})
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
row('wrap offset mask',
    'i = tl.arange(0, 8)\n'
    'o = (i + n) % 8\n'
    'tl.store(out+i, tl.load(x+o))',
    {'out': np.roll(np.arange(8, dtype=I), -3)}, {'x': np.arange(8, dtype=I), 'n': 3})
row('neg mod offs',
    'i = tl.arange(0, 8)\n'
    'o = ((i - n) % 8 + 8) % 8\n'
    'tl.store(out+i, tl.load(x+o))',
    {'out': np.roll(np.arange(8, dtype=I), 3)}, {'x': np.arange(8, dtype=I), 'n': 3})
row('floordiv offs',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i, tl.load(x + i // n))',
    {'out': np.repeat(np.arange(6, dtype=I), 3)[:16]}, {'x': np.arange(8, dtype=I), 'n': 3})
row('2d mod',
    'i = tl.arange(0, 16)\n'
    'r = i[:, None]; c = i[None,:]\n'
    'tl.store(out+r*16+c, tl.load(x + (r % m)*16 + c % k, mask=(r<12)&(c<9), other=-1))',
    {'out': np.where((np.arange(16)[:, None] < 12) & (np.arange(16) < 9), np.arange(256).reshape(16, 16)[np.arange(16)[:, None] % 5, np.arange(16)[None] % 7], -1).astype(I)}, {'x': np.arange(256, dtype=I), 'm': 5, 'k': 7})
row('or mask',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i, tl.load(x+i, mask=(i<n)|(i>12), other=-1))',
    {'out': np.where((np.arange(16) < 5) | (np.arange(16) > 12), np.arange(16), -1).astype(I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('neg mask ~',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i, tl.load(x+i, mask=~(i<n), other=-1))',
    {'out': np.where(np.arange(16) >= 5, np.arange(16), -1).astype(I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('lower bound mask',
    'i = tl.arange(0, 16) - 4\n'
    'm = (i >= 0) & (i < n)\n'
    'tl.store(out+4+i, tl.load(x+i, mask=m, other=-1))',
    {'out': np.where((np.arange(16) - 4 >= 0) & (np.arange(16) - 4 < 5), np.arange(16) - 4, -1).astype(I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('mask scalar & tile',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i, tl.load(x+i, mask=(i<n) & (n>7), other=-1))',
    {'out': np.full(16, -1, I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('causal',
    'i = tl.arange(0, 16)\n'
    'r = i[:, None]; c = i[None,:]\n'
    'tl.store(out+r*16+c, tl.load(x+r*16+c, mask=r>=c, other=0))',
    {'out': np.tril(np.arange(256).reshape(16, 16)).astype(I)}, {'x': np.arange(256, dtype=I)})
row('reversed mask',
    'i = tl.arange(0, 16)\n'
    'o = n - 1 - i\n'
    'tl.store(out+i, tl.load(x+o, mask=o>=0, other=-1))',
    {'out': np.where(np.arange(16) < 5, 4 - np.arange(16), -1).astype(I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('unsigned mask',
    'i = tl.arange(0, 16).to(tl.uint32)\n'
    'o = i - n.to(tl.uint32)\n'
    'tl.store(out+i, tl.load(x+i, mask=o < 4, other=-1))',
    {'out': np.where((np.arange(16) >= 5) & (np.arange(16) < 9), np.arange(16), -1).astype(I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('i8 offsets wrap',
    'i = tl.arange(0, 16).to(tl.uint8)\n'
    'o = (i * 20)\n'
    'tl.store(out+tl.arange(0, 16), tl.load(x+o.to(tl.int32)))',
    {'out': (np.arange(16) * 20 % 256).astype(I)}, {'x': np.arange(256, dtype=I)})
row('u8 offs direct',
    'i = tl.arange(0, 16).to(tl.uint8)\n'
    'o = (i * 20)\n'
    'tl.store(out+tl.arange(0, 16), tl.load(x+o))',
    {'out': (np.arange(16) * 20 % 256).astype(I)}, {'x': np.arange(256, dtype=I)})
row('ptr select',
    'p = x if n > 3 else y\n'
    'tl.store(out, tl.load(p + 1))',
    {'out': np.array([8], I)}, {'x': np.array([7, 8], I), 'y': np.array([1, 2], I), 'n': 5})
row('ptr where',
    'i = tl.arange(0, 8)\n'
    'p = tl.where(i < 4, x + i, y + i)\n'
    'tl.store(out+i, tl.load(p))',
    {'out': np.array([0, 1, 2, 3, 104, 105, 106, 107], I)}, {'x': np.arange(8, dtype=I), 'y': np.arange(100, 108, dtype=I)})
row('ptr cmp',
    'tl.store(out, (x + 1 > x).to(tl.int32))',
    {'out': np.array([1], I)}, {'x': np.arange(8, dtype=I)})
row('ptr in if',
    'p = x\n'
    'if n > 3:\n'
    '    p = y + 2\n'
    'tl.store(out, tl.load(p))',
    {'out': np.array([102], I)}, {'x': np.arange(8, dtype=I), 'y': np.arange(100, 108, dtype=I), 'n': 5})
row('load i1 mask mem',
    'i = tl.arange(0, 8)\n'
    'm = tl.load(f+i)\n'
    'tl.store(out+i, i, mask=m)',
    {'out': np.array([0, -1, 2, -1, 4, -1, 6, -1], I)}, {'f': np.array([1, 0] * 4, bool)}, initial={'out': np.full(8, -1, I)})
row('fp8 arithmetic',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a.to(tl.float32)*2))',
    {'out': np.array([2, 4, 6, 1], np.float32)}, {'x': np.array([1, 2, 3, 0.5], NUMPY['float8e4nv'])})
row('fp8 mul',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'r = a*a\n'
    'tl.store(out+i, r)',
    {'out': np.array([1, 4, 9, 0.25], NUMPY['float8e4nv'])}, {'x': np.array([1, 2, 3, 0.5], NUMPY['float8e4nv'])})
row('fp8 abs neg',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.abs(a))',
    {'out': np.array([1, 2, 3, 0.5], E)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 cmp',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a>0).to(tl.int32))',
    {'out': np.array([0, 1, 0, 1], I)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 max',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.max(a.to(tl.float32), 0))',
    {'out': np.array([2], np.float32)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('fp8 where',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(i<2, a, 0.0))',
    {'out': np.array([-1, 2, 0, 0], E)}, {'x': np.array([-1, 2, -3, 0.5], E)})
row('cumsum big',
    'i = tl.arange(0, 4096)\n'
    'tl.store(out+i, tl.cumsum(i, 0))',
    {'out': np.cumsum(np.arange(4096)).astype(I)})
row('sort big',
    'i = tl.arange(0, 1024)\n'
    'tl.store(out+i, tl.sort(tl.load(x+i)))',
    {'out': np.arange(1024, dtype=I)}, {'x': np.random.default_rng(1).permutation(1024).astype(I)})
row('1x1 dot acc loop',
    'i = tl.arange(0, 16)\n'
    'acc = tl.zeros((16, 16), tl.float32)\n'
    'for k in range(n):\n'
    '    a = tl.load(x+i[:, None]*16+i[None,:])\n'
    '    acc = tl.dot(a, tl.trans(a), acc)\n'
    'tl.store(out+i[:, None]*16+i[None,:], acc)',
    {'out': np.full((16, 16), 48, np.float32)}, {'x': np.ones((16, 16), np.float16), 'n': 3})
row('dyn grid loop',
    'pid = tl.program_id(0)\n'
    'for t in range(pid, n, tl.num_programs(0)):\n'
    '    tl.store(out+t, t*t)',
    {'out': (np.arange(10) ** 2).astype(I)}, {'n': 10}, grid=(3,))
row('loop step i64',
    's = tl.zeros((), tl.int64)\n'
    'for t in range(n.to(tl.int64), n.to(tl.int64)+6, 2):\n'
    '    s += t\n'
    'tl.store(out, s)',
    {'out': np.array([2 ** 40 * 3 + 6], np.int64)}, {'n': 2 ** 40})
row('ternary tile',
    'i = tl.arange(0, 8)\n'
    'v = i if n > 3 else i * 2\n'
    'tl.store(out+i, v)',
    {'out': np.arange(8, dtype=I)}, {'n': 5})
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
row('assume dup',
    'i = tl.arange(0, 8)\n'
    'tl.store(out + i % 4, i)\n'
    'j = tl.arange(0, 4)\n'
    'tl.store(out + j, tl.load(out + j) % 4)',
    {'out': np.array([0, 1, 2, 3], I)})
row('rev dup store',
    'i = tl.arange(0, 8)\n'
    'tl.store(out + (7-i)//2, i)\n'
    'j = tl.arange(0, 4)\n'
    'tl.store(out + j, tl.load(out + j) // 2)',
    {'out': np.array([3, 2, 1, 0], I)})
row('in-place shift right loop',
    'i = tl.arange(0, 8)\n'
    'for k in range(3):\n'
    '    v = tl.load(out+i)\n'
    '    tl.store(out+i+1, v)',
    {'out': np.array([0, 0, 0, 0, 1, 2, 3, 4, 5], I)}, initial={'out': np.arange(9, dtype=I)})
row('load-store alias 2 ptr',
    'i = tl.arange(0, 8)\n'
    'a = tl.load(out+i)\n'
    'b = tl.load(out+8+i)\n'
    'tl.store(out+8+i, a)\n'
    'tl.store(out+i, b)',
    {'out': np.roll(np.arange(16, dtype=I), 8)}, initial={'out': np.arange(16, dtype=I)})
row('transposed inplace',
    'i = tl.arange(0, 8)\n'
    'r = i[:, None]\n'
    'c = i[None,:]\n'
    'v = tl.load(out+r*8+c)\n'
    'tl.store(out+c*8+r, v)',
    {'out': np.arange(64, dtype=I).reshape(8, 8).T.copy()}, initial={'out': np.arange(64, dtype=I).reshape(8, 8)})
row('rank5',
    'v = tl.reshape(tl.arange(0, 32), (2, 2, 2, 2, 2))\n'
    'w = tl.permute(v, (4, 2, 0, 1, 3))\n'
    'tl.store(out+tl.arange(0, 32), tl.reshape(w, (32,)))',
    {'out': np.arange(32, dtype=I).reshape(2, 2, 2, 2, 2).transpose(4, 2, 0, 1, 3).reshape(-1)})
row('rank5 red',
    'v = tl.reshape(tl.arange(0, 32), (2, 2, 2, 2, 2))\n'
    'w = tl.sum(v, 2)\n'
    'tl.store(out+tl.arange(0, 16), tl.reshape(w, (16,)))',
    {'out': np.arange(32, dtype=I).reshape(2, 2, 2, 2, 2).sum(2).reshape(-1).astype(I)})
row('nan where',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(a == a, a, 0.0))',
    {'out': np.array([1, 0, 2, 0], F)}, {'x': np.array([1, np.nan, 2, np.nan], F)})
row('inf-inf',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a - a)',
    {'out': np.array([0, np.nan, 0, np.nan], F)}, {'x': np.array([1, np.nan, 2, np.inf], F)})
row('x*0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a * 0.0)',
    {'out': np.array([0, np.nan, 0, np.nan], F)}, {'x': np.array([1, np.nan, 2, np.inf], F)})
row('max NaN all',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.max(a, 0))',
    {'out': np.array([np.nan], F)}, {'x': np.array([np.nan] * 4, F)})
row('fma contraction dot?',
    'a = tl.load(x)\n'
    'tl.store(out, tl.fma(a, a, -1.0))',
    {'out': np.array([np.float32((1 + 2.0 ** (-12)) ** 2 - 1)], F)}, {'x': np.array([1 + 2.0 ** (-12)], F)})
row('bf16 chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a*b+a)',
    {'out': xa * xb + xa}, {'x': xa, 'y': xb}, enable_fp_fusion=False)
row('sum fp16 overflow?',
    'i = tl.arange(0, 64)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.sum(a, 0))',
    {'out': np.array([np.inf], np.float16)}, {'x': np.full(64, 2000, np.float16)})
row('int8 dot acc',
    'i = tl.arange(0, 32)\n'
    'a = tl.load(x+i[:, None]*32+i[None,:])\n'
    'c = tl.dot(a, a)\n'
    'tl.store(out+i[:, None]*32+i[None,:], c)',
    {'out': np.full((32, 32), 32 * 127 * 127, I)}, {'x': np.full((32, 32), 127, np.int8)})
row('while with tile cond any',
    'i = tl.arange(0, 8)\n'
    'v = tl.load(x+i)\n'
    'k = 0\n'
    'while tl.sum(v, 0) > 0:\n'
    '    v = v - 1\n'
    '    v = tl.maximum(v, 0)\n'
    '    k += 1\n'
    'tl.store(out, k)',
    {'out': np.array([7], I)}, {'x': np.arange(8, dtype=I)})
row('nested while if store',
    'k = 0\n'
    'while k < n:\n'
    '    if k % 2 == 1:\n'
    '        tl.store(out+k, k)\n'
    '    k += 1',
    {'out': np.array([-1, 1, -1, 3, -1], I)}, {'n': 5}, initial={'out': np.full(5, -1, I)})
row('early ret helper tile',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, f(i, n))',
    {'out': np.arange(8, dtype=I) * 2}, {'n': 5}, head='@tw.jit\ndef f(v,n):\n    if n > 3:\n        return v*2\n    return v\n')
row('ret tuple under if',
    'i = tl.arange(0, 8)\n'
    'a, b=f(i, n)\n'
    'tl.store(out+i, a+b)',
    {'out': np.arange(8, dtype=I) * 3}, {'n': 5}, head='@tw.jit\ndef f(v,n):\n    if n > 3:\n        return v*2, v\n    else:\n        return v, v\n')
row('constexpr const param expr',
    'i = tl.arange(0, B*2)\n'
    'tl.store(out+i, i // B)',
    {'out': np.arange(16, dtype=I) // 8}, constants={'B': 8})
row('int floor consts mixed',
    'tl.store(out, n // -2)\n'
    'tl.store(out+1, -n // 2)\n'
    'tl.store(out+2, n % -3)',
    {'out': np.array([-3, -3, 1], I)}, {'n': 7})
row('B3: u8 compare -1 err ok',
    'i = tl.arange(0, 4).to(tl.uint8)\n'
    'tl.store(out+i, (i.to(tl.int32) > -1).to(tl.int32))',
    {'out': np.ones(4, I)})
row('bool kernel arg',
    'if f:\n'
    '    tl.store(out, 1)\n'
    'else:\n'
    '    tl.store(out, 2)',
    {'out': np.array([2], I)}, {'f': False})
row('float arg f64 tile',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i)*s)',
    {'out': np.arange(4) * np.float64(np.float32(0.1))}, {'x': np.arange(4, dtype=np.float64), 's': 0.1})
row('literal with f64 tile',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i)*0.1)',
    {'out': np.arange(4) * 0.1}, {'x': np.arange(4, dtype=np.float64)})
row('literal f64 full',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.full((4,), 0.1, tl.float64))',
    {'out': np.full(4, 0.1)})
row('1-(-0)',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(a*1.0))',
    {'out': np.array([np.inf, -np.inf, 1, -1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('neg -0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(-a))',
    {'out': np.array([-np.inf, np.inf, -1, 1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('0-x',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(0.0-a))',
    {'out': np.array([np.inf, np.inf, -1, 1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('x+0',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, 1.0/(a+0.0))',
    {'out': np.array([np.inf, np.inf, 1, -1], F)}, {'x': np.array([0, -0.0, 1, -1], F)})
row('i64 mul high',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a*a)>>3)',
    {'out': np.array([3, -5, 2 ** 31, 2 ** 33 + 1], np.int64) ** 2 >> 3}, {'x': np.array([3, -5, 2 ** 31, 2 ** 33 + 1], np.int64)})
row('scan in loop carry',
    'acc = 0\n'
    'for k in range(n):\n'
    '    i = tl.arange(0, 8)\n'
    '    c = tl.cumsum(tl.load(x+k*8+i), 0)+acc\n'
    '    tl.store(out+k*8+i, c)\n'
    '    acc = tl.max(c, 0)',
    {'out': np.cumsum(np.ones(24)).astype(I)}, {'x': np.ones(24, I), 'n': 3})
row('reduce bf16 sum',
    'i = tl.arange(0, 64)\n'
    'tl.store(out, tl.sum(tl.load(x+i), 0))',
    {'out': np.array([64 * 3], B)}, {'x': np.full(64, 3, B)})
row('softmax row loop',
    'i = tl.arange(0, 16)\n'
    'r = tl.program_id(0)\n'
    "a=tl.load(x+r*n+i, mask=i<n, other=-float('inf'))\n"
    'e = tl.exp(a-tl.max(a, 0))\n'
    'tl.store(out+r*n+i, e/tl.sum(e, 0), mask=i<n)',
    {'out': np.full((3, 10), 0.1, F)}, {'x': np.zeros((3, 10), F), 'n': 10}, grid=(3,), ulps=2)
row('gather idx i8',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.gather(i*3, tl.load(x+i), 0))',
    {'out': np.arange(8, dtype=I)[::-1] * 3}, {'x': np.arange(8, dtype=np.int8)[::-1].copy()})
row('argmax i64',
    'i = tl.arange(0, 8)\n'
    'tl.store(out, tl.argmax(tl.load(x+i), 0))',
    {'out': np.array([3], I)}, {'x': np.array([0, 1, 2 ** 40, 2 ** 50, -2 ** 60, 5, 6, 7])})
row('argmax u64',
    'i = tl.arange(0, 8)\n'
    'tl.store(out, tl.argmax(tl.load(x+i), 0))',
    {'out': np.array([4], I)}, {'x': np.array([0, 1, 2 ** 40, 2 ** 50, 2 ** 64 - 1, 5, 6, 7], np.uint64)})
row('sort u64',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.sort(tl.load(x+i)))',
    {'out': np.array([0, 1, 2 ** 63, 2 ** 64 - 1], np.uint64)}, {'x': np.array([2 ** 64 - 1, 1, 2 ** 63, 0], np.uint64)})
row('max uint32',
    'i = tl.arange(0, 4)\n'
    'tl.store(out, tl.max(tl.load(x+i), 0))',
    {'out': np.array([2 ** 32 - 1], np.uint32)}, {'x': np.array([2 ** 32 - 1, 1, 2 ** 31, 0], np.uint32)})
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
row('if const-folded step 1 arg',
    'i = tl.arange(0, 8)\n'
    'if s == 1:\n'
    '    tl.store(out+i, tl.load(x+i))\n'
    'else:\n'
    '    tl.store(out+i, tl.load(x+i*s))',
    {'out': np.arange(8, dtype=I)}, {'x': np.arange(8, dtype=I), 's': 1})
row('big rank-2 mask stride0',
    'i = tl.arange(0, 8)\n'
    'j = tl.arange(0, 8)\n'
    'v=tl.load(x+i[:, None]*0+j[None,:], mask=(i[:, None]<3)&(j[None,:]<n), other=9)\n'
    'tl.store(out+i[:, None]*8+j[None,:], v)',
    {'out': np.where((np.arange(8)[:, None] < 3) & (np.arange(8) < 5), np.arange(8), 9).astype(I)}, {'x': np.arange(8, dtype=I), 'n': 5})
row('mask depends on loaded',
    'i = tl.arange(0, 8)\n'
    'k = tl.load(x+i)\n'
    'tl.store(out+i, tl.load(y+k, mask=(k>=0)&(k<8), other=-1))',
    {'out': np.array([3, -1, 7, -1, 0, 1, -1, 2], I)}, {'x': np.array([3, -1, 7, 100, 0, 1, -2 ** 31, 2], I), 'y': np.arange(8, dtype=I)})
row('mask overflow cmp',
    'i = tl.arange(0, 8)\n'
    'o = n+i\n'
    'tl.store(out+i, (o.to(tl.int64)+1 < 2**31).to(tl.int32))',
    {'out': np.array([1] * 8, I)}, {'n': 2 ** 31 - 17})
row('sum fp8',
    'tl.store(out, tl.sum(tl.load(x+tl.arange(0, 8)).to(tl.float32), 0))',
    {'out': np.array([x8.astype(F).sum()], F)}, {'x': x8})
row('max fp8',
    'r = tl.max(tl.load(x+tl.arange(0, 8)), 0)\n'
    'tl.static_assert(r.dtype==tl.float32)\n'
    'tl.store(out, r)',
    {'out': np.array([4], F)}, {'x': x8})
row('argmax fp8',
    'r = tl.argmax(tl.load(x+tl.arange(0, 8)), 0)\n'
    'tl.store(out, r)',
    {'out': np.array([6], I)}, {'x': x8})
row('argmax i1',
    'r = tl.argmax(tl.arange(0, 8)>3, 0)\n'
    'tl.store(out, r)',
    {'out': np.array([4], I)})
row('sort fp8',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.sort(tl.load(x+i)))',
    {'out': np.sort(x8.astype(F)).astype(E)}, {'x': x8})
row('sort i1',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.sort((i%2)==0).to(tl.int32))',
    {'out': np.array([0] * 4 + [1] * 4, I)})
row('sort bf16',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.sort(tl.load(x+i)))',
    {'out': np.sort(x8.astype(F)).astype(NUMPY['bfloat16'])}, {'x': x8.astype(NUMPY['bfloat16'])})
row('topk fp8',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+tl.arange(0, 2), tl.topk(tl.load(x+i), 2))',
    {'out': np.array([4, 3], E)}, {'x': x8})
row('hist i8',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.histogram(tl.load(x+i), 8))',
    {'out': np.bincount([1, 1, 2, 7, 0, 0, 3, 3], minlength=8).astype(I)}, {'x': np.array([1, 1, 2, 7, 0, 0, 3, 3], np.int8)})
row('xor i1',
    'tl.store(out, tl.xor_sum(tl.arange(0, 8)>2, 0).to(tl.int32))',
    {'out': np.array([1], I)})
row('cumprod i8',
    'i = tl.arange(0, 8)\n'
    'r = tl.cumprod(tl.load(x+i), 0)\n'
    'tl.store(out+i, r)',
    {'out': np.cumprod(np.full(8, 2)).astype(np.int8)}, {'x': np.full(8, 2, np.int8)})
row('cumsum fp8',
    'i = tl.arange(0, 8)\n'
    'r = tl.cumsum(tl.load(x+i).to(tl.float32), 0)\n'
    'tl.store(out+i, r)',
    {'out': np.cumsum(x8.astype(F)).astype(F)}, {'x': x8})
row('fp8 lit',
    'i = tl.arange(0, 8)\n'
    'r = tl.load(x+i)*2.0\n'
    'tl.static_assert(r.dtype==tl.float8e5)\n'
    'tl.store(out+i, r)',
    {'out': (x8.astype(F) * 2).astype(E)}, {'x': x8})
row('fp8+fp16',
    'i = tl.arange(0, 8)\n'
    'r = tl.load(x+i)+tl.load(y+i)\n'
    'tl.static_assert(r.dtype==tl.float16)\n'
    'tl.store(out+i, r)',
    {'out': x8.astype(np.float16) * 2}, {'x': x8, 'y': x8.astype(np.float16)})
row('4d dot',
    'a = tl.load(x+tl.reshape(tl.arange(0, 1024), (2, 2, 16, 16)))\n'
    'r = tl.dot(a, a)\n'
    'tl.store(out+tl.reshape(tl.arange(0, 1024), (2, 2, 16, 16)), r)',
    {'out': np.stack([[16 * (j + 1) ** 2 * np.ones((16, 16)) for j in (0, 1)], [16 * (j + 1) ** 2 * np.ones((16, 16)) for j in (2, 3)]]).astype(F)}, {'x': (np.arange(4).reshape(2, 2, 1, 1) + np.ones((2, 2, 16, 16))).astype(np.float16)})
row('dot k=1',
    'i = tl.arange(0, 16)\n'
    'a = tl.load(x+i)\n'
    'r = tl.dot(a[:, None], a[None,:])\n'
    'tl.store(out+i[:, None]*16+i[None,:], r)',
    {'out': np.outer(np.arange(16), np.arange(16)).astype(F)}, {'x': np.arange(16).astype(np.float16)})
row('offset u64',
    'tl.store(out, tl.load(x + tl.load(y)))',
    {'out': np.array([2], I)}, {'x': np.arange(8, dtype=I), 'y': np.array([2], np.uint64)})
row('offset i1',
    'tl.store(out, tl.load(x + (n>3)))',
    {'out': np.array([1], I)}, {'x': np.arange(8, dtype=I), 'n': 5})
row('cas fp16',
    'tl.store(o2, tl.atomic_cas(out, tl.load(x), tl.load(x+1)))',
    {'out': np.array([2], np.float16), 'o2': np.array([1], np.float16)}, {'x': np.array([1, 2], np.float16)}, initial={'out': np.array([1], np.float16)})
row('cas i16',
    'tl.store(o2, tl.atomic_cas(out, tl.load(x), tl.load(x+1)))',
    {'out': np.array([-2], np.int16), 'o2': np.array([1], np.int16)}, {'x': np.array([1, -2], np.int16)}, initial={'out': np.array([1], np.int16)})
row('fp8 compare nan',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, (a==a).to(tl.int32))',
    {'out': np.array([1, 0, 1, 1], I)}, {'x': np.array([1, np.nan, np.inf, 0], E)})
row('if float nan',
    'if tl.load(x):\n'
    '    tl.store(out, 1)\n'
    'else:\n'
    '    tl.store(out, 0)',
    {'out': np.array([1], I)}, {'x': np.array([np.nan], F)})
row('while int',
    'k = n\n'
    'c = 0\n'
    'while k:\n'
    '    k -= 1\n'
    '    c += 2\n'
    'tl.store(out, c)',
    {'out': np.array([10], I)}, {'n': 5})
row('fp8 maximum',
    'i = tl.arange(0, 8)\n'
    'r = tl.maximum(tl.load(x+i), tl.load(x+7-i))\n'
    'tl.store(out+i, r.to(tl.float32))',
    {'out': np.maximum(x8.astype(F), x8.astype(F)[::-1])}, {'x': x8})
row('minmax int8 scalars',
    'tl.store(out, max(tl.load(x), tl.load(x+1)))',
    {'out': np.array([3], np.int8)}, {'x': np.array([-1, 3], np.int8)})
row('fp16 max inf',
    'i = tl.arange(0, 4)\n'
    'tl.store(out, tl.max(tl.load(x+i), 0))',
    {'out': np.array([np.inf], F)}, {'x': np.array([1, np.inf, -np.inf, 3], np.float16)})
row('min of -inf',
    'i = tl.arange(0, 4)\n'
    "v=tl.load(x+i, mask=i<n, other=float('inf'))\n"
    'tl.store(out, tl.min(v, 0))',
    {'out': np.array([1], F)}, {'x': np.array([5, 1, -9, -9], F), 'n': 2})
row('other inf fp16',
    'i = tl.arange(0, 4)\n'
    "v=tl.load(x+i, mask=i<n, other=-float('inf'))\n"
    'tl.store(out+i, v)',
    {'out': np.array([5, 1, -np.inf, -np.inf], np.float16)}, {'x': np.array([5, 1, -9, -9], np.float16), 'n': 2})
row('other big int8',
    'i = tl.arange(0, 4)\n'
    'v=tl.load(x+i, mask=i<n, other=127)\n'
    'tl.store(out+i, v)',
    {'out': np.array([5, 1, 127, 127], np.int8)}, {'x': np.array([5, 1, -9, -9], np.int8), 'n': 2})
row('other float for int',
    'i = tl.arange(0, 4)\n'
    'v=tl.load(x+i, mask=i<n, other=1.9)\n'
    'tl.store(out+i, v)',
    {'out': np.array([5, 1, 1, 1], I)}, {'x': np.array([5, 1, -9, -9], I), 'n': 2})
row('dtype arg',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, i.to(T))',
    {'out': np.arange(4, dtype=np.float16)}, constants={'T': tl.float16})
row('str const',
    "tl.store(out, 1 if S == 'a' else 2)",
    {'out': np.array([1], I)}, constants={'S': 'a'})
row('ptr cmp/eq',
    'p = x+4\n'
    'q = x+2+2\n'
    'tl.store(out, (p==q).to(tl.int32))',
    {'out': np.array([1], I)}, {'x': np.zeros(8, I)})
row('ptr loop down',
    'p = x+7\n'
    'i = 0\n'
    's = 0\n'
    'while i<8:\n'
    '    s = s*2 + tl.load(p)\n'
    '    p -= 1\n'
    '    i += 1\n'
    'tl.store(out, s)',
    {'out': np.array([sum((2 ** (7 - k) * (7 - k) for k in range(8)))], I)}, {'x': np.arange(8, dtype=I)})
row('tile ptr -= n',
    'i = tl.arange(0, 4)\n'
    'p = x+8+i\n'
    'acc = tl.zeros((4,), tl.int32)\n'
    'for k in range(3):\n'
    '    acc += tl.load(p)\n'
    '    p -= n\n'
    'tl.store(out+i, acc)',
    {'out': np.array([3 * 8 + 3 * i - 4 * 3 for i in range(4)], I)}, {'x': np.arange(16, dtype=I), 'n': 4})
row('u8 idx loop',
    'i = tl.arange(0, 4)\n'
    'k = tl.load(y+i)\n'
    'tl.store(out+k.to(tl.int32), i)',
    {'out': np.array([3, 2, 1, 0], I)}, {'y': np.array([3, 2, 1, 0], np.uint8)})
row('u32 idx wrap',
    'i = tl.arange(0, 4).to(tl.uint32)\n'
    'k = (i - 2) & 3\n'
    'tl.store(out+tl.arange(0, 4), tl.load(x+k))',
    {'out': np.array([2, 3, 0, 1], I)}, {'x': np.arange(4, dtype=I)})
row('u32 + neg via i32',
    'o = (n - 5)\n'
    'tl.store(out, tl.load(x+4+o))',
    {'out': np.array([2], I)}, {'x': np.arange(8, dtype=I), 'n': 3})
row('u16 arithmetic offset',
    'i = tl.arange(0, 4).to(tl.uint16)\n'
    'o = i*20000\n'
    'tl.store(out+tl.arange(0, 4), o.to(tl.int32))',
    {'out': (np.arange(4) * 20000 % 65536).astype(I)})
row('i64 idx big',
    'b = n.to(tl.int64)*n\n'
    'tl.store(out, tl.load(x+(b-b+3)))',
    {'out': np.array([3], I)}, {'x': np.arange(8, dtype=I), 'n': 2 ** 20})
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
row('const / tile',
    'i = tl.arange(0, 4)+1\n'
    'tl.store(out+tl.arange(0, 4), 1/i)',
    {'out': 1 / np.arange(1, 5, dtype=F)})
row('fp16 / int',
    'i = tl.load(x+tl.arange(0, 4))\n'
    'r = i/n\n'
    'tl.static_assert(r.dtype==tl.float32)\n'
    'tl.store(out+tl.arange(0, 4), r)',
    {'out': np.arange(4, dtype=F) / 4}, {'x': np.arange(4, dtype=np.float16), 'n': 4})
row('augmented fp16 by f32 scalar',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'a*=s\n'
    'tl.static_assert(a.dtype==tl.float32)\n'
    'tl.store(out+i, a)',
    {'out': np.arange(4, dtype=F) * F(1.1)}, {'x': np.arange(4, dtype=np.float16), 's': 1.1})
row('i32->fp16 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([2049, 2051, 65519, 65520]), 'float16')}, {'x': np.array([2049, 2051, 65519, 65520], I)})
row('i64->f32 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float32))',
    {'out': rounded(np.array([2 ** 24 + 1, 2 ** 53 + 2 ** 29 + 1, 2 ** 62 + 2 ** 38 + 1, -2 ** 63]), 'float32')}, {'x': np.array([2 ** 24 + 1, 2 ** 53 + 2 ** 29 + 1, 2 ** 62 + 2 ** 38 + 1, -2 ** 63])})
row('i64->bf16 round',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.bfloat16))',
    {'out': rounded(np.array([2 ** 24 + 2 ** 16 + 1, 2 ** 53 + 2 ** 45 + 1, 2 ** 62 + 2 ** 54 + 1, -2 ** 63]), 'bfloat16')}, {'x': np.array([2 ** 24 + 2 ** 16 + 1, 2 ** 53 + 2 ** 45 + 1, 2 ** 62 + 2 ** 54 + 1, -2 ** 63])})
row('i64->fp16 via f32?',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([2 ** 15 + 2 ** 4 + 1, 2049]), 'float16')}, {'x': np.array([2 ** 15 + 2 ** 4 + 1, 2049])})
row('f64->bf16 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.bfloat16))',
    {'out': rounded(np.array([1 + 2.0 ** (-8) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-8) - 2.0 ** (-40)]), 'bfloat16')}, {'x': np.array([1 + 2.0 ** (-8) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-8) - 2.0 ** (-40)])})
row('f64->fp16 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float16))',
    {'out': rounded(np.array([1 + 2.0 ** (-11) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-11) - 2.0 ** (-40)]), 'float16')}, {'x': np.array([1 + 2.0 ** (-11) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-11) - 2.0 ** (-40)])})
row('f64->e4m3 double rounding',
    'i = tl.arange(0, 2)\n'
    'tl.store(out+i, tl.load(x+i).to(tl.float8e4nv))',
    {'out': rounded(np.array([1 + 2.0 ** (-4) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-4) - 2.0 ** (-40)]), 'float8e4nv')}, {'x': np.array([1 + 2.0 ** (-4) + 2.0 ** (-40), 1 + 3 * 2.0 ** (-4) - 2.0 ** (-40)])})
row('fp16 denorm',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, a*0.5)',
    {'out': np.array([6e-08, 1.2e-07, 6e-05, 6.1e-05], np.float16) * np.float16(0.5)}, {'x': np.array([6e-08, 1.2e-07, 6e-05, 6.1e-05], np.float16)})
row('bf16 add rounding',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a+b)',
    {'out': xa + xb}, {'x': xa, 'y': xb})
row('bf16 sum chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a+b)+b)',
    {'out': xa + xb + xb}, {'x': xa, 'y': xb})
row('fp16 add chain',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a+b)+b)',
    {'out': xa.astype(np.float16) + xb.astype(np.float16) + xb.astype(np.float16)}, {'x': xa.astype(np.float16), 'y': xb.astype(np.float16)})
row('fp16 mul add nofuse',
    'i = tl.arange(0, 4)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, (a*b)+b)',
    {'out': xa.astype(np.float16) * xb.astype(np.float16) + xb.astype(np.float16)}, {'x': xa.astype(np.float16), 'y': xb.astype(np.float16)}, enable_fp_fusion=False)
row('fp8 add round',
    'i = tl.arange(0, 8)\n'
    'a = tl.load(x+i)\n'
    'b = tl.load(y+i)\n'
    'tl.store(out+i, a+b)',
    {'out': rounded(x8.astype(F) + x8[::-1].astype(F), 'float8e5')}, {'x': x8, 'y': x8[::-1].copy()})
row('where fp8 const',
    'i = tl.arange(0, 8)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out+i, tl.where(i<4, a, 1.0))',
    {'out': np.where(np.arange(8) < 4, x8.astype(F), 1).astype(E)}, {'x': x8})
row('descriptor loop',
    'd = tl.make_tensor_descriptor(x, [n, 16], [16, 1], [4, 16])\n'
    'acc = tl.zeros((4, 16), tl.float32)\n'
    'for k in range(0, n, 4):\n'
    '    acc+=d.load([k, 0])\n'
    'i = tl.arange(0, 4)\n'
    'j = tl.arange(0, 16)\n'
    'tl.store(out+i[:, None]*16+j[None,:], acc)',
    {'out': np.pad(np.arange(160, dtype=F).reshape(10, 16), ((0, 2), (0, 0))).reshape(3, 4, 16).sum(0)}, {'x': np.arange(160, dtype=F).reshape(10, 16), 'n': 10})
row('desc helper',
    'tl.store(out+tl.arange(0, 16), f(tl.make_tensor_descriptor(x, [16], [1], [16])))',
    {'out': np.arange(16, dtype=F)}, {'x': np.arange(16, dtype=F)}, head='@tw.jit\ndef f(d):\n    return d.load([0])\n')
row('blockptr in if',
    'p = tl.make_block_ptr(x, (16,), (1,), (0,), (8,), (0,))\n'
    'if n>3:\n'
    '    p = tl.advance(p, (8,))\n'
    'tl.store(out+tl.arange(0, 8), tl.load(p))',
    {'out': np.arange(8, 16, dtype=I)}, {'x': np.arange(16, dtype=I), 'n': 5})
row('blockptr tuple ret',
    'p, q=f(x)\n'
    'tl.store(out+tl.arange(0, 8), tl.load(p)+tl.load(q))',
    {'out': (np.arange(8) * 2 + 8).astype(I)}, {'x': np.arange(16, dtype=I)}, head='@tw.jit\ndef f(x):\n    p=tl.make_block_ptr(x,(16,),(1,),(0,),(8,),(0,))\n    return p, tl.advance(p,(8,))\n')
row('reduce any/all',
    'i = tl.arange(0, 8)\n'
    'm = i>6\n'
    'tl.store(out, tl.max(m.to(tl.int32), 0))\n'
    'tl.store(out+1, tl.min(m.to(tl.int32), 0))\n'
    'tl.store(out+2, tl.sum(m, 0))',
    {'out': np.array([1, 0, 1], I)})
row('argmin mask inf',
    'i = tl.arange(0, 8)\n'
    "v=tl.load(x+i, mask=i<n, other=float('inf'))\n"
    'm, k=tl.min(v, 0, return_indices=True)\n'
    'tl.store(out, k)',
    {'out': np.array([2], I)}, {'x': np.array([5, 4, 1, 9, -1, -1, -1, -1], F), 'n': 4})
row('rand loop',
    's = 0.0\n'
    'for k in range(n):\n'
    '    s += tl.rand(7, k)\n'
    'tl.store(out, (s>0).to(tl.int32))',
    {'out': np.array([1], I)}, {'n': 5})
row('3-level helper const',
    'tl.store(out, a(n, 4))',
    {'out': np.array([5 * 4 + 4 * 2 + 1], I)}, {'n': 5}, head='@tw.jit\ndef c(v,K:tl.constexpr):\n    return v+K*2\n@tw.jit\ndef b(v,K:tl.constexpr):\n    return c(v*K,K)\n@tw.jit\ndef a(v,K:tl.constexpr):\n    return b(v,K)+1\n')
row('while break by flag',
    'k = 0\n'
    'done = False\n'
    'while not done:\n'
    '    k+=1\n'
    '    done = k*k > n\n'
    'tl.store(out, k)',
    {'out': np.array([11], I)}, {'n': 100})
row('and cond while',
    'k = 0\n'
    'while (k<n) & (tl.load(x+k)==0):\n'
    '    k+=1\n'
    'tl.store(out, k)',
    {'out': np.array([3], I)}, {'x': np.array([0, 0, 0, 1, 0], I), 'n': 4})
row('if and both scalars',
    'if n>3 and n<9:\n'
    '    tl.store(out, 1)\n'
    'else:\n'
    '    tl.store(out, 0)',
    {'out': np.array([1], I)}, {'n': 4})
row('attention causal ragged',
    '\n'
    'pid = tl.program_id(0)\n'
    'rm = pid * 16 + tl.arange(0, 16)\n'
    'd = tl.arange(0, 32)\n'
    'qq = tl.load(x + rm[:, None] * 32 + d[None, :])\n'
    'm_i = tl.full((16,), -float("inf"), tl.float32)\n'
    'l_i = tl.zeros((16,), tl.float32)\n'
    'acc = tl.zeros((16, 32), tl.float32)\n'
    'for start in range(0, n, 32):\n'
    '    rn = start + tl.arange(0, 32)\n'
    '    kk = tl.load(y + rn[None, :] * 32 + d[:, None], mask=rn[None, :] < n, other=0.0)\n'
    '    s = tl.dot(qq, kk) * 0.2\n'
    '    s = tl.where((rm[:, None] + 20 >= rn[None, :]) & (rn[None, :] < n), s, -float("inf"))\n'
    '    m_new = tl.maximum(m_i, tl.max(s, 1))\n'
    '    p = tl.exp(s - m_new[:, None])\n'
    '    a = tl.exp(m_i - m_new)\n'
    '    l_i = l_i * a + tl.sum(p, 1)\n'
    '    vv = tl.load(z + rn[:, None] * 32 + d[None, :], mask=rn[:, None] < n, other=0.0)\n'
    '    acc = acc * a[:, None] + tl.dot(p, vv)\n'
    '    m_i = m_new\n'
    'tl.store(out + rm[:, None] * 32 + d[None, :], acc / l_i[:, None])',
    {'out': attention()}, {'x': q, 'y': k, 'z': v, 'n': 96}, grid=(4,), bound=0.0001)
row('tuple carry',
    'st = (n, n*2)\n'
    'for i in range(5):\n'
    '    a, b=st\n'
    '    st = (b, a+b)\n'
    'tl.store(out, st[0])\n'
    'tl.store(out+1, st[1])',
    {'out': np.array([3 * 1 + 5 * 2, 5 * 1 + 8 * 2], I)}, {'n': 1})
row('nested tuple ret',
    'a, (b, c)=f(n)\n'
    'tl.store(out, a+b*10+c*100)',
    {'out': np.array([5 + 60 + 700], I)}, {'n': 5}, head='@tw.jit\ndef f(n):\n    return n, (n+1, n+2)\n')
row('scan diff dtypes',
    'i = tl.arange(0, 8)\n'
    'a, b=tl.associative_scan((tl.load(x+i), i), 0, best)\n'
    'tl.store(out+i, b)',
    {'out': np.array([0, 0, 2, 2, 4, 4, 4, 7], I)}, {'x': np.array([1, 0, 3, 2, 5, 4, 5, 9], F)}, head='@tw.jit\ndef best(v1,i1,v2,i2):\n    t = v2 > v1\n    return tl.where(t, v2, v1), tl.where(t, i2, i1)\n')
row('reduce helper in combine',
    'i = tl.arange(0, 8)\n'
    'tl.store(out, tl.reduce(i, 0, g))',
    {'out': np.array([7], I)}, head='@tw.jit\ndef h(a,b):\n    return tl.maximum(a,b)\n@tw.jit\ndef g(a,b):\n    return h(a,b)\n')
row('reduce combine if constexpr',
    'i = tl.arange(0, 8)\n'
    'tl.store(out, tl.reduce(i, 0, g))',
    {'out': np.array([28], I)}, head='FLAG = tl.constexpr(True)\n@tw.jit\ndef g(a,b):\n    if FLAG:\n        return a+b\n    else:\n        return a*b\n')
row('argmax tie right',
    'i = tl.arange(0, 8)\n'
    'v = tl.load(x+i)\n'
    'k=tl.argmax(v, 0, tie_break_left=False)\n'
    'tl.store(out, tl.load(x+k))',
    {'out': np.array([9], F)}, {'x': np.array([1, 9, 3, 2, 9, 4, 5, 9], F)})
row('reduce bool or',
    'i = tl.arange(0, 8)\n'
    'tl.store(out, tl.reduce(i>6, 0, g).to(tl.int32))',
    {'out': np.array([1], I)}, head='@tw.jit\ndef g(a,b):\n    return a|b\n')
row('reduce i8 custom no widen',
    'i = tl.arange(0, 8)\n'
    'r = tl.reduce(i.to(tl.int8)*20, 0, g)\n'
    'tl.static_assert(r.dtype==tl.int8)\n'
    'tl.store(out, r)',
    {'out': np.array([560 - 512], np.int8)}, head='@tw.jit\ndef g(a,b):\n    return a+b\n')
row('reduce fp16 custom',
    'i = tl.arange(0, 8)\n'
    'r = tl.reduce(i.to(tl.float16), 0, g)\n'
    'tl.static_assert(r.dtype==tl.float16)\n'
    'tl.store(out, r)',
    {'out': np.array([28], np.float16)}, head='@tw.jit\ndef g(a,b):\n    return a+b\n')
row('cumsum 2d rev',
    'i = tl.arange(0, 4)\n'
    'm = i[:, None]*4+i[None,:]\n'
    'tl.store(out+m, tl.cumsum(m, 1, reverse=True))',
    {'out': np.arange(16).reshape(4, 4)[:, ::-1].cumsum(1)[:, ::-1].astype(I)})
row('max 2 levels',
    'm = tl.reshape(tl.arange(0, 64), (4, 4, 4))\n'
    'tl.store(out, tl.max(tl.max(tl.max(m, 2), 1), 0))',
    {'out': np.array([63], I)})
row('store in loop with mask carried',
    'i = tl.arange(0, 8)\n'
    'm = i<8\n'
    'for k in range(n):\n'
    '    m=m&(i!=k)\n'
    '    tl.store(out+k*8+i, i, mask=m)',
    {'out': np.where(np.arange(8)[None, :] > np.arange(3)[:, None], np.arange(8), -1).astype(I)}, {'n': 3}, initial={'out': np.full((3, 8), -1, I)})
row('if inside loop with store/load',
    'i = tl.arange(0, 8)\n'
    'for k in range(n):\n'
    '    if k==1:\n'
    '        tl.store(out+i, i)\n'
    '    elif k==2:\n'
    '        v = tl.load(out+i)\n'
    '        tl.store(out+i, v*2)',
    {'out': np.arange(8, dtype=I) * 2}, {'n': 4})
row('dynamic offsets gather loop',
    'acc = 0\n'
    'k = n\n'
    'for j in range(6):\n'
    '    k = tl.load(x+k)\n'
    '    acc = acc*10+k\n'
    'tl.store(out, acc)',
    {'out': np.array([312031], I)}, {'x': np.array([3, 2, 0, 1], I), 'n': 0})
row('early return in program',
    'pid = tl.program_id(0)\n'
    'if pid>=n:\n'
    '    return\n'
    'if pid==1:\n'
    '    tl.store(out+pid, 7)\n'
    '    return\n'
    'tl.store(out+pid, pid)',
    {'out': np.array([0, 7, 2, -1], I)}, {'n': 3}, grid=(4,), initial={'out': np.full(4, -1, I)})
row('matmul group order',
    '\n'
    'pid = tl.program_id(0)\n'
    'gm = tl.cdiv(M, 16)\n'
    'gn = tl.cdiv(N, 16)\n'
    'w = 2*gn\n'
    'g = pid//w\n'
    'first = g*2\n'
    'size = min(gm-first, 2)\n'
    'pm = first+(pid%w)%size\n'
    'pn = (pid%w)//size\n'
    'rm = (pm*16+tl.arange(0, 16))%M\n'
    'rn = (pn*16+tl.arange(0, 16))%N\n'
    'rk = tl.arange(0, 16)\n'
    'ap = x+rm[:, None]*K+rk[None,:]\n'
    'bp = y+rk[:, None]*N+rn[None,:]\n'
    'acc = tl.zeros((16, 16), tl.float32)\n'
    'for k in range(0, tl.cdiv(K, 16)):\n'
    '    a=tl.load(ap, mask=rk[None,:]<K-k*16, other=0.0)\n'
    '    b=tl.load(bp, mask=rk[:, None]<K-k*16, other=0.0)\n'
    '    acc = tl.dot(a, b, acc)\n'
    '    ap+=16\n'
    '    bp+=16*N\n'
    'cm = pm*16+tl.arange(0, 16)\n'
    'cn = pn*16+tl.arange(0, 16)\n'
    'tl.store(out+cm[:, None]*N+cn[None,:], acc.to(tl.float16), mask=(cm[:, None]<M)&(cn[None,:]<N))',
    {'out': (np.ones((50, 40)) * 37 * 2).astype(np.float16)}, {'x': np.ones((50, 37), np.float16), 'y': np.full((37, 40), 2, np.float16), 'M': 50, 'N': 40, 'K': 37}, grid=(12,))
row('layernorm',
    '\n'
    'row = tl.program_id(0)\n'
    'mean = 0.0\n'
    'a = tl.zeros((16,), tl.float32)\n'
    'for off in range(0, N, 16):\n'
    '    c = off+tl.arange(0, 16)\n'
    '    a+=tl.load(x+row*N+c, mask=c<N, other=0.0).to(tl.float32)\n'
    'mean=tl.sum(a, axis=0)/N\n'
    'q = tl.zeros((16,), tl.float32)\n'
    'for off in range(0, N, 16):\n'
    '    c = off+tl.arange(0, 16)\n'
    '    v=tl.load(x+row*N+c, mask=c<N, other=0.0).to(tl.float32)\n'
    '    v = tl.where(c<N, v-mean, 0.0)\n'
    '    q+=v*v\n'
    'tl.store(out+row, tl.rsqrt(tl.sum(q, axis=0)/N+1e-5))',
    {'out': (1 / np.sqrt(k.astype(float).var(1) + 1e-05)).astype(F)}, {'x': k, 'N': 32}, grid=(96,), bound=1e-05)
row('conv implicit',
    '\n'
    'i = tl.arange(0, 16)\n'
    'oy = i//4\n'
    'ox = i%4\n'
    'acc = tl.zeros((16,), tl.float32)\n'
    'for ky in tl.static_range(3):\n'
    '    for kx in tl.static_range(3):\n'
    '        yy = oy+ky-1\n'
    '        xx = ox+kx-1\n'
    '        ok=(yy>=0)&(yy<4)&(xx>=0)&(xx<4)\n'
    '        acc+=tl.load(x+yy*4+xx, mask=ok, other=0.0)*tl.load(w+ky*3+kx)\n'
    'tl.store(out+i, acc)',
    {'out': sum((np.pad(np.arange(16).reshape(4, 4), 1)[a:a + 4, b:b + 4] * (a * 3 + b) for a in range(3) for b in range(3))).reshape(-1).astype(F)}, {'x': np.arange(16, dtype=F), 'w': np.arange(9, dtype=F)})


@pytest.mark.parametrize("body, expected, inputs, options", ROWS)
def test_program(machine, body, expected, inputs, options):
    machine.check(body, expected, inputs, **options)
