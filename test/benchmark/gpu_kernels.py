"""The kernels of the GPU benchmark, in the language that Triton and Tilewright share."""
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


@triton.jit
def softmax(x_ptr, out_ptr, columns, stride, BLOCK: tl.constexpr):
    """One row a program."""
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(x_ptr + row * stride + column, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + column, (e / tl.sum(e, axis=0)).to(out_ptr.dtype.element_ty), mask=inside)


@triton.jit
def layernorm(x_ptr, weight_ptr, bias_ptr, out_ptr, columns, stride, epsilon, BLOCK: tl.constexpr):
    """One row a program."""
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(x_ptr + row * stride + column, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, x - tl.sum(x, axis=0) / columns, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + column, mask=inside, other=0.0).to(tl.float32)
    y = centred * scale * weight + bias
    tl.store(out_ptr + row * stride + column, y.to(out_ptr.dtype.element_ty), mask=inside)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """Tiles in groups of GROUP rows of tiles, so that neighbouring programs share operands."""
    program = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = program // (GROUP * tiles_n) * GROUP
    rows = min(tiles_m - first, GROUP)
    tile_m = first + program % (GROUP * tiles_n) % rows
    tile_n = program % (GROUP * tiles_n) // rows
    m = (tile_m * BM + tl.arange(0, BM)) % M
    n = (tile_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    a = a_ptr + m[:, None] * stride_am + k[None, :] * stride_ak
    b = b_ptr + k[:, None] * stride_bk + n[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        left = K - step * BK
        x = tl.load(a, mask=k[None, :] < left, other=0.0)
        y = tl.load(b, mask=k[:, None] < left, other=0.0)
        total = tl.dot(x, y, total)
        a += BK * stride_ak
        b += BK * stride_bk
    m = tile_m * BM + tl.arange(0, BM)
    n = tile_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :] * stride_cn, total.to(c_ptr.dtype.element_ty),
             mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    """BM rows of one head a program; heads are [length, DIM] and lie behind each other. `scale` includes log2(e)."""
    start = tl.program_id(0) * BM
    head = tl.program_id(1).to(tl.int64) * length * DIM
    m, n, d = start + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, DIM)
    q = tl.load(q_ptr + head + m[:, None] * DIM + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    below = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, DIM), tl.float32)
    end = start + BM if CAUSAL else length
    for first in range(0, end, BN):
        k = tl.load(k_ptr + head + (first + n)[None, :] * DIM + d[:, None])
        scores = tl.dot(q, k) * scale
        if CAUSAL:
            scores = tl.where(m[:, None] >= first + n[None, :], scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp2(scores - higher[:, None])
        kept = tl.exp2(top - higher)
        below = below * kept + tl.sum(p, 1)
        v = tl.load(v_ptr + head + (first + n)[:, None] * DIM + d[None, :])
        total = tl.dot(p.to(v.dtype), v, total * kept[:, None])
        top = higher
    out = total / below[:, None]
    tl.store(out_ptr + head + m[:, None] * DIM + d[None, :], out.to(out_ptr.dtype.element_ty))
