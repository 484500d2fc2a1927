"""Programs of reductions, scans, sorts and histograms."""
import numpy as np

from dtypes import NUMPY
from small_programs.table import B, E, F, I, x8, table

ROWS, row = table()

row('reduce then broadcast',
    'i = tl.arange(0, 8)\n'
    'x2 = i[:, None]*8+i[None,:]\n'
    's = tl.sum(x2, 1)\n'
    'tl.store(out + x2, x2 - s[:, None])',
    {'out': (np.arange(64).reshape(8, 8) - np.arange(64).reshape(8, 8).sum(1)[:, None]).astype(I)})
row('cumsum big',
    'i = tl.arange(0, 4096)\n'
    'tl.store(out+i, tl.cumsum(i, 0))',
    {'out': np.cumsum(np.arange(4096)).astype(I)})
row('sort big',
    'i = tl.arange(0, 1024)\n'
    'tl.store(out+i, tl.sort(tl.load(x+i)))',
    {'out': np.arange(1024, dtype=I)}, {'x': np.random.default_rng(1).permutation(1024).astype(I)})
row('rank5 red',
    'v = tl.reshape(tl.arange(0, 32), (2, 2, 2, 2, 2))\n'
    'w = tl.sum(v, 2)\n'
    'tl.store(out+tl.arange(0, 16), tl.reshape(w, (16,)))',
    {'out': np.arange(32, dtype=I).reshape(2, 2, 2, 2, 2).sum(2).reshape(-1).astype(I)})
row('sum fp16 overflow?',
    'i = tl.arange(0, 64)\n'
    'a = tl.load(x+i)\n'
    'tl.store(out, tl.sum(a, 0))',
    {'out': np.array([np.inf], np.float16)}, {'x': np.full(64, 2000, np.float16)})
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
