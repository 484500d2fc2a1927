# Whole kernels: the shapes that the compiler promises to handle.
import triton
import triton.language as tl
from triton.language.extra import libdevice

HALF_SQRT2 = 0.7071067811865476


# emit: norm_backward; dy:*fp16[:16], x:*fp16[:16], w:*fp16, mu:*fp32, inv:*fp32, dx:*fp16, dw:*fp32, n:i32, rows:i32, PER=4, B=256
@triton.jit
def norm_backward(dy, x, w, mu, inv, dx, dw, n, rows, PER: tl.constexpr, B: tl.constexpr):
    c = tl.arange(0, B)
    live = c < n
    weight = tl.load(w + c, mask=live, other=0.0).to(tl.float32)
    partial = tl.zeros((B,), tl.float32)
    first = tl.program_id(0) * PER
    for r in range(first, min(first + PER, rows)):
        g = tl.load(dy + r * n + c, mask=live, other=0.0).to(tl.float32)
        v = tl.load(x + r * n + c, mask=live, other=0.0).to(tl.float32)
        rstd = tl.load(inv + r)
        hat = tl.where(live, (v - tl.load(mu + r)) * rstd, 0.0)
        scaled = g * weight
        a = tl.sum(scaled, 0) / n
        b = tl.sum(scaled * hat, 0) / n
        tl.store(dx + r * n + c, (scaled - a - hat * b) * rstd, mask=live)
        partial += g * hat
    tl.atomic_add(dw + c, partial, mask=live, sem="relaxed")


# emit: drop; x:*fp32, y:*fp32, n:i32, keep:fp32, seed:i64, B=512
@triton.jit
def drop(x, y, n, keep, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n)
    tl.store(y + at, tl.where(tl.rand(seed, at) < keep, v / keep, 0.0), mask=at < n)


@triton.jit
def activate(v, kind: tl.constexpr):
    if kind == "relu":
        return tl.maximum(v, 0.0)
    elif kind == "gelu":
        return 0.5 * v * (1.0 + libdevice.erf(v * HALF_SQRT2))
    else:
        tl.static_assert(kind == "none", f"unknown activation {kind}")
        return v


# emit: linear; a:*bf16, b:*bf16, bias:*fp32, c:*bf16, m:i32, n:i32, k:i32, ACT='gelu', BM=32, BN=32, BK=16
# emit: linear; a:*fp8e5, b:*fp8e5, bias=None, c:*fp16, m:i32, n:i32, k:i32, ACT='none', BM=32, BN=32, BK=32
@triton.jit
def linear(a, b, bias, c, m, n, k, ACT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in tl.range(0, k, BK, num_stages=3):
        kk = start + tl.arange(0, BK)
        left = tl.load(a + i[:, None] * k + kk[None, :], mask=(i[:, None] < m) & (kk[None, :] < k), other=0.0)
        right = tl.load(b + kk[:, None] * n + j[None, :], mask=(kk[:, None] < k) & (j[None, :] < n), other=0.0)
        acc = tl.dot(left, right, acc)
    if bias is not None:
        acc += tl.load(bias + j, mask=j < n, other=0.0)[None, :]
    acc = activate(acc, ACT)
    tl.store(c + i[:, None] * n + j[None, :], acc.to(c.dtype.element_ty), mask=(i[:, None] < m) & (j[None, :] < n))


# emit: grouped; table:*i64, sizes:*i32, groups:i32, PROGRAMS=8, B=32
@triton.jit
def grouped(table, sizes, groups, PROGRAMS: tl.constexpr, B: tl.constexpr):
    tile = tl.program_id(0)
    done = 0
    lane = tl.arange(0, B)
    for g in range(groups):
        rows = tl.load(sizes + g)
        tiles = tl.cdiv(rows, B)
        src = tl.load(table + 2 * g).to(tl.pointer_type(tl.float16))
        dst = tl.load(table + 2 * g + 1).to(tl.pointer_type(tl.float16))
        while tile >= done and tile < done + tiles:
            at = (tile - done) * B + lane
            block = tl.load(src + at[:, None] * B + lane[None, :], mask=at[:, None] < rows, other=0.0)
            out = tl.dot(block, block.T)
            tl.store(dst + at[:, None] * B + lane[None, :], out.to(tl.float16), mask=at[:, None] < rows)
            tile += PROGRAMS
        done += tiles


# emit: counts; x:*i32, bins:*i32, n:i32, B=64
@triton.jit
def counts(x, bins, n, B: tl.constexpr):
    if tl.program_id(0) * B >= n:
        return
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(bins + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n)


# emit: options; x:*fp32, num_warps=8
@triton.jit
def options(x, num_warps: tl.constexpr):
    tl.store(x + tl.arange(0, num_warps * 32), 0.0)


# emit: small_floats; x:*fp8e4nv
@triton.jit
def small_floats(x):
    v = tl.load(x + tl.arange(0, 8))
    tl.static_assert((v + v).dtype == tl.float8e4nv and (v < v).dtype == tl.int1)
    tl.static_assert((v * v.to(tl.float8e5)).dtype == tl.float16)
    tl.store(x + tl.arange(0, 8), v + v)
