"""Programs whose offsets, masks, pointers and descriptors are the point."""
import numpy as np

from small_programs.table import F, I, table

ROWS, row = table()

row('store scalar to tile',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, n)',
    {'out': np.full(8, 5, I)}, {'n': 5})
row('gather/scatter perm',
    'i = tl.arange(0, 16)\n'
    'p = (i*5+3)%16\n'
    'tl.store(out+p, tl.load(x+p)*2)',
    {'out': np.arange(16, dtype=I) * 2}, {'x': np.arange(16, dtype=I)})
row('dup store last',
    'i = tl.arange(0, 16)\n'
    'tl.store(out+i//16, 3)',
    {'out': np.array([3], I)})
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
row('gather idx i8',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.gather(i*3, tl.load(x+i), 0))',
    {'out': np.arange(8, dtype=I)[::-1] * 3}, {'x': np.arange(8, dtype=np.int8)[::-1].copy()})
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
row('offset u64',
    'tl.store(out, tl.load(x + tl.load(y)))',
    {'out': np.array([2], I)}, {'x': np.arange(8, dtype=I), 'y': np.array([2], np.uint64)})
row('offset i1',
    'tl.store(out, tl.load(x + (n>3)))',
    {'out': np.array([1], I)}, {'x': np.arange(8, dtype=I), 'n': 5})
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
row('dynamic offsets gather loop',
    'acc = 0\n'
    'k = n\n'
    'for j in range(6):\n'
    '    k = tl.load(x+k)\n'
    '    acc = acc*10+k\n'
    'tl.store(out, acc)',
    {'out': np.array([312031], I)}, {'x': np.array([3, 2, 0, 1], I), 'n': 0})
