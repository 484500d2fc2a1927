# Run-time control flow.
import triton
import triton.language as tl


@triton.jit
def choose(a, b, flag):
    if flag:
        return a
    return b


@triton.jit
def several(x, n):
    if n > 3:
        if n > 5:
            return x + 1.0
        x = x * 2.0
    elif n == 1:
        return x
    return x - 1.0


# emit: branches; x:*fp32, n:i32, one:i32[1]
@triton.jit
def branches(x, n, one):
    v = tl.load(x)
    if n > 0 and v > 1.0:
        v = v + 1.0
        w = v
    else:
        w = v * 2.0
    tl.store(x, w + v)
    tl.store(x, choose(v, w, n == 3))
    tl.store(x, several(v, n))
    y = v if n > 2 else w
    tl.store(x, y)
    q = one
    if n > 1:
        q = n
    tl.store(x + q, q)
    if n:
        pass
    if not (n > 3):
        tl.store(x, 0.0)


# emit: loops; x:*fp32, n:i32, m:i64, s:i32[1], B=16
@triton.jit
def loops(x, n, m, s, B: tl.constexpr):
    acc = 0.0
    t = (tl.zeros((B,), tl.float32), 0)
    for i in range(n):
        tl.static_assert(i.dtype == tl.int32)
        acc += tl.load(x + i)
        a, b = t
        t = (a + 1.0, b + i)
        for j in range(i, m):
            tl.static_assert(j.dtype == tl.int64)
            acc = acc * 2.0
        if False:
            B = 3
        r = tl.arange(0, B)
    for i in range(n, 0, -1):
        acc -= 1.0
    for i in range(0, n, n):
        acc -= 1.0
    while n > 0:
        n = n // 2
        s += 1
    p = tl.arange(0, B) + s
    tl.store(x + p, t[0] + acc)


# emit: spin; lock:*i32, n:i32
@triton.jit
def spin(lock, n):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release")


# emit: carried; x:*fp16, n:i32
@triton.jit
def carried(x, n):
    p = tl.make_block_ptr(x, (n, 32), (32, 1), (0, 0), (16, 32), (1, 0))
    total = tl.zeros((16, 32), tl.float32)
    for i in range(0, n, 16):
        total += tl.load(p, boundary_check=(0,), padding_option="nan")
        p = tl.advance(p, (16, 0))
    tl.store(p, total.to(tl.float16), boundary_check=(0, 1))
    desc = tl.make_tensor_descriptor(x, [n, 32], [32, 1], [16, 32])
    for i in tl.range(0, n, 16, flatten=True):
        desc.store([i, 0], desc.load([i, 0]) + 1.0)
    tl.static_assert(desc.block_shape[1] == 32 and desc.dtype == tl.float16)
