# Types of operators: promotion, literals, division, comparison.
import triton
import triton.language as tl


# emit: literals; x:*fp16, b:*bf16, i:*i8, u:*u8, n:i32, f:fp32, C=3
@triton.jit
def literals(x, b, i, u, n, f, C: tl.constexpr):
    o = tl.arange(0, 8)
    h = tl.load(x + o)
    w = tl.load(b + o)
    s = tl.load(i + o)
    t = tl.load(u + o)
    v = 2.0
    tl.static_assert((h * 2.0).dtype == tl.float16)
    tl.static_assert((h * v).dtype == tl.float32)
    tl.static_assert((h * f).dtype == tl.float32)
    tl.static_assert((h * 3).dtype == tl.float16)
    tl.static_assert((h * C).dtype == tl.float16)
    tl.static_assert((h * n).dtype == tl.float16)
    tl.static_assert((h / 2.0).dtype == tl.float32)
    tl.static_assert((h / h).dtype == tl.float32)
    tl.static_assert((w + o).dtype == tl.float32)
    tl.static_assert((h + o).dtype == tl.float16)
    tl.static_assert((h + o.to(tl.int64)).dtype == tl.float16)
    tl.static_assert((h + w).dtype == tl.float16)
    tl.static_assert((w + w).dtype == tl.bfloat16)
    tl.static_assert((w / w).dtype == tl.float32)
    tl.static_assert((s + 1).dtype == tl.int8)
    tl.static_assert((o / o).dtype == tl.float32)
    tl.static_assert((o.to(tl.int64) / 2).dtype == tl.float32)
    tl.static_assert(tl.maximum(w, w).dtype == tl.float32)
    tl.static_assert(tl.where(o < 3, h, 0.0).dtype == tl.float16)
    tl.static_assert((o + o.to(tl.uint32)).dtype == tl.uint32)
    tl.static_assert((o.to(tl.int64) + o.to(tl.uint32)).dtype == tl.int64)
    tl.static_assert((s + t).dtype == tl.uint8)
    tl.static_assert((s + o).dtype == tl.int32)
    tl.static_assert((-t).dtype == tl.uint8)
    tl.static_assert((h.to(tl.float32) + o.to(tl.int64)).dtype == tl.float32)
    m = o < n
    tl.static_assert(m.dtype == tl.int1)
    tl.static_assert((m + m).dtype == tl.int1)
    tl.static_assert((m * h).dtype == tl.float16)
    tl.static_assert((h.to(tl.float32) * m).dtype == tl.float32)
    tl.static_assert((h % 2.0).dtype == tl.float32)
    tl.static_assert((o + 1.5).dtype == tl.float32)
    tl.static_assert((o % 3).dtype == tl.int32)


# emit: decay; x:*i32
@triton.jit
def decay(x):
    a = 2147483647
    b = 2147483648
    c = 4294967296
    d = 9223372036854775808
    e = 1.0
    f = 1e-40
    g = True
    h = 1e300
    tl.static_assert(a.dtype == tl.int32)
    tl.static_assert(b.dtype == tl.uint32)
    tl.static_assert(c.dtype == tl.int64)
    tl.static_assert(d.dtype == tl.uint64)
    tl.static_assert(e.dtype == tl.float32)
    tl.static_assert(f.dtype == tl.float64)
    tl.static_assert(g.dtype == tl.int1)
    tl.static_assert(h.dtype == tl.float64)


# emit: widening; x:*fp16, b:*bf16, i:*i8, u:*u8, q:*i64
@triton.jit
def widening(x, b, i, u, q):
    o = tl.arange(0, 8)
    h = tl.load(x + o)
    w = tl.load(b + o)
    s = tl.load(i + o)
    t = tl.load(u + o)
    m = s == 3
    tl.static_assert(tl.sum(h).dtype == tl.float16)
    tl.static_assert(tl.max(h).dtype == tl.float32)
    tl.static_assert(tl.cumsum(h).dtype == tl.float16)
    tl.static_assert(tl.sum(w).dtype == tl.bfloat16)
    tl.static_assert(tl.max(w).dtype == tl.float32)
    tl.static_assert(tl.cumsum(w).dtype == tl.float32)
    tl.static_assert(tl.sum(s).dtype == tl.int32)
    tl.static_assert(tl.max(s).dtype == tl.int32)
    tl.static_assert(tl.cumsum(s).dtype == tl.int32)
    tl.static_assert(tl.sum(t).dtype == tl.uint32)
    tl.static_assert(tl.max(t).dtype == tl.int32)
    tl.static_assert(tl.cumsum(t).dtype == tl.uint32)
    tl.static_assert(tl.sum(m).dtype == tl.uint32)
    tl.static_assert(tl.cumsum(m).dtype == tl.uint32)
    tl.static_assert(tl.sum(tl.load(q + o)).dtype == tl.int64)
    tl.static_assert(tl.argmax(h, 0).dtype == tl.int32)
    tl.static_assert(tl.sum(s, dtype=tl.int64).dtype == tl.int64)
    value, index = tl.max(h, 0, return_indices=True)
    tl.static_assert(value.dtype == tl.float16)


# emit: dots; x:*i8
@triton.jit
def dots(x):
    a = tl.zeros((16, 32), tl.int8)
    b = tl.zeros((32, 16), tl.int8)
    tl.static_assert(tl.dot(a, b).dtype == tl.int32)
    tl.static_assert(tl.dot(a, b, out_dtype=tl.int32).dtype == tl.int32)
    h = a.to(tl.float16)
    k = b.to(tl.float16)
    tl.static_assert(tl.dot(h, k).dtype == tl.float32)
    tl.static_assert(tl.dot(h, k, out_dtype=tl.float16).dtype == tl.float16)
    tl.static_assert(tl.dot(h.to(tl.bfloat16), k.to(tl.bfloat16)).dtype == tl.float32)
    acc = tl.zeros((16, 16), tl.float16)
    tl.static_assert(tl.dot(h, k, acc).dtype == tl.float16)
    tl.static_assert(tl.dot(h.to(tl.float8e5), k.to(tl.float8e4nv)).dtype == tl.float32)
    batch = tl.dot(tl.zeros((2, 4, 16, 32), tl.float16), tl.zeros((2, 4, 32, 16), tl.float16))
    tl.static_assert(batch.shape == (2, 4, 16, 16))
