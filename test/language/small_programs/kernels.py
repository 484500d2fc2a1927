"""Whole kernels and products, small."""
import numpy as np

from small_programs.table import F, I, k, q, v, table


def attention():
    """Softmax of scaled products with a shifted causal mask, in float64."""
    s = q.astype(float) @ k.T.astype(float) * 0.2
    s = np.where(np.arange(64)[:, None] + 20 >= np.arange(96)[None, :], s, -np.inf)
    p = np.exp(s - s.max(1, keepdims=True))
    return ((p / p.sum(1, keepdims=True)) @ v).astype(F)


ROWS, row = table()
row('1x1 dot acc loop',
    'i = tl.arange(0, 16)\n'
    'acc = tl.zeros((16, 16), tl.float32)\n'
    'for k in range(n):\n'
    '    a = tl.load(x+i[:, None]*16+i[None,:])\n'
    '    acc = tl.dot(a, tl.trans(a), acc)\n'
    'tl.store(out+i[:, None]*16+i[None,:], acc)',
    {'out': np.full((16, 16), 48, np.float32)}, {'x': np.ones((16, 16), np.float16), 'n': 3})
row('int8 dot acc',
    'i = tl.arange(0, 32)\n'
    'a = tl.load(x+i[:, None]*32+i[None,:])\n'
    'c = tl.dot(a, a)\n'
    'tl.store(out+i[:, None]*32+i[None,:], c)',
    {'out': np.full((32, 32), 32 * 127 * 127, I)}, {'x': np.full((32, 32), 127, np.int8)})
row('softmax row loop',
    'i = tl.arange(0, 16)\n'
    'r = tl.program_id(0)\n'
    "a=tl.load(x+r*n+i, mask=i<n, other=-float('inf'))\n"
    'e = tl.exp(a-tl.max(a, 0))\n'
    'tl.store(out+r*n+i, e/tl.sum(e, 0), mask=i<n)',
    {'out': np.full((3, 10), 0.1, F)}, {'x': np.zeros((3, 10), F), 'n': 10}, grid=(3,), ulps=2)
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
row('rand loop',
    's = 0.0\n'
    'for k in range(n):\n'
    '    s += tl.rand(7, k)\n'
    'tl.store(out, (s>0).to(tl.int32))',
    {'out': np.array([1], I)}, {'n': 5})
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
