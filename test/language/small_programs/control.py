"""Programs of branches, loops, helpers, tuples and constants."""
import numpy as np

import tilewright.language as tl

from small_programs.table import I, table

ROWS, row = table()

row('where scalar cond',
    'i = tl.arange(0, 8)\n'
    'tl.store(out+i, tl.where(n > 3, i, -i))',
    {'out': np.arange(8, dtype=I)}, {'n': 5})
row('where all scalar',
    'tl.store(out, tl.where(n > 3, 7, n))',
    {'out': np.array([7], I)}, {'n': 5})
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
row('bool kernel arg',
    'if f:\n'
    '    tl.store(out, 1)\n'
    'else:\n'
    '    tl.store(out, 2)',
    {'out': np.array([2], I)}, {'f': False})
row('if const-folded step 1 arg',
    'i = tl.arange(0, 8)\n'
    'if s == 1:\n'
    '    tl.store(out+i, tl.load(x+i))\n'
    'else:\n'
    '    tl.store(out+i, tl.load(x+i*s))',
    {'out': np.arange(8, dtype=I)}, {'x': np.arange(8, dtype=I), 's': 1})
row('while int',
    'k = n\n'
    'c = 0\n'
    'while k:\n'
    '    k -= 1\n'
    '    c += 2\n'
    'tl.store(out, c)',
    {'out': np.array([10], I)}, {'n': 5})
row('dtype arg',
    'i = tl.arange(0, 4)\n'
    'tl.store(out+i, i.to(T))',
    {'out': np.arange(4, dtype=np.float16)}, constants={'T': tl.float16})
row('str const',
    "tl.store(out, 1 if S == 'a' else 2)",
    {'out': np.array([1], I)}, constants={'S': 'a'})
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
row('early return in program',
    'pid = tl.program_id(0)\n'
    'if pid>=n:\n'
    '    return\n'
    'if pid==1:\n'
    '    tl.store(out+pid, 7)\n'
    '    return\n'
    'tl.store(out+pid, pid)',
    {'out': np.array([0, 7, 2, -1], I)}, {'n': 3}, grid=(4,), initial={'out': np.full(4, -1, I)})
