# Every family of built-in functions once, with result shapes and types.
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as other_libdevice


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def pick_larger(v1, i1, v2, i2):
    keep = v1 > v2
    return tl.where(keep, v1, v2), tl.where(keep, i1, i2)


# emit: shapes; x:*fp32
@triton.jit
def shapes(x):
    r = tl.arange(0, 16)
    t = tl.load(x + r[:, None] * 8 + tl.arange(0, 8)[None, :])
    tl.static_assert(t.shape == (16, 8))
    tl.static_assert(t.T.shape == (8, 16) and tl.trans(t).shape == (8, 16))
    tl.static_assert(tl.reshape(t, (4, 32)).shape == (4, 32))
    tl.static_assert(t.reshape(2, 8, 8).shape == (2, 8, 8))
    tl.static_assert(tl.view(t, [128]).shape == (128,))
    tl.static_assert(tl.permute(t.reshape(2, 8, 8), (2, 0, 1)).shape == (8, 2, 8))
    tl.static_assert(tl.permute(t.reshape(2, 8, 8), 2, 0, 1).shape == (8, 2, 8))
    tl.static_assert(tl.expand_dims(t, -1).shape == (16, 8, 1))
    tl.static_assert(t[None, :, :, None].shape == (1, 16, 8, 1))
    tl.static_assert(r[:].shape == (16,))
    tl.static_assert(tl.broadcast_to(r[:, None], (16, 4)).shape == (16, 4))
    tl.static_assert(tl.join(t, t).shape == (16, 8, 2))
    a, b = tl.split(t.reshape(16, 4, 2))
    tl.static_assert(a.shape == (16, 4) and b.shape == (16, 4))
    tl.static_assert(tl.interleave(r, r).shape == (32,))
    tl.static_assert(tl.cat(r, r, can_reorder=True).shape == (32,))
    tl.static_assert(tl.ravel(t).shape == (128,))
    tl.static_assert(tl.flip(t).shape == (16, 8) and tl.flip(t, 0).shape == (16, 8))
    tl.static_assert(tl.gather(t, tl.zeros((16, 4), tl.int32), 1).shape == (16, 4))
    tl.static_assert(tl.zeros_like(t).shape == (16, 8))
    tl.static_assert(tl.full([], 3.0, tl.float32).shape == ())
    tl.static_assert(tl.zeros((2, 1, 4), tl.int8).shape == (2, 1, 4))


# emit: reductions; x:*fp32
@triton.jit
def reductions(x):
    r = tl.arange(0, 16)
    t = tl.load(x + r[:, None] * 8 + tl.arange(0, 8)[None, :])
    tl.static_assert(tl.sum(t, 1).shape == (16,) and t.sum(0).shape == (8,))
    tl.static_assert(tl.sum(t).shape == () and tl.max(t, -1, keep_dims=True).shape == (16, 1))
    tl.static_assert(tl.sum(t, keep_dims=True).shape == (1, 1))
    v, i = tl.max(t, 1, return_indices=True)
    tl.static_assert(v.shape == (16,) and i.dtype == tl.int32)
    tl.static_assert(tl.argmin(t, axis=0).shape == (8,))
    tl.static_assert(tl.reduce(t, 1, plus).shape == (16,))
    index = tl.broadcast_to(tl.arange(0, 8)[None, :], (16, 8))
    m, where = tl.reduce((t, index), 1, pick_larger)
    tl.static_assert(m.dtype == tl.float32 and where.dtype == tl.int32)
    tl.static_assert(tl.associative_scan(t, 1, plus, reverse=True).shape == (16, 8))
    tl.static_assert(tl.cumprod(t, 1).shape == (16, 8))
    tl.static_assert(tl.xor_sum(index, 1).shape == (16,))
    tl.static_assert(tl.histogram(r, 32).shape == (32,))
    tl.static_assert(tl.sort(t).shape == (16, 8) and tl.sort(r, descending=True).dtype == tl.int32)
    tl.static_assert(tl.topk(t, 2).shape == (16, 2))
    tl.static_assert(tl.softmax(t).shape == (16, 8) and tl.softmax(t, 1).dtype == tl.float32)


# emit: functions; x:*fp32, h:*fp16
@triton.jit
def functions(x, h):
    o = tl.arange(0, 8)
    v = tl.load(x + o)
    r = tl.exp(v) + tl.exp2(v) + tl.log(v) + tl.log2(v) + tl.sin(v) + tl.cos(v)
    r += tl.sqrt(v) + tl.rsqrt(v) + tl.erf(v) + tl.floor(v) + tl.ceil(v) + tl.abs(v) + tl.sigmoid(v)
    r += tl.math.exp2(v) + libdevice.tanh(v) + other_libdevice.pow(v, 2.0) + tl.math.log1p(v)
    r += tl.fma(v, v, v) + tl.fdiv(v, v) + tl.div_rn(v, v) + tl.sqrt_rn(v) + tl.clamp(v, 0.0, 6.0)
    r += tl.maximum(v, 0) + tl.minimum(v, 1.0, propagate_nan=tl.PropagateNan.ALL) + v.exp()
    r += tl.extra.cuda.libdevice.log1p(v) + tl.where(libdevice.isnan(v), 0.0, v)
    r += abs(v) + max(v, 1.0) + min(v, v)
    tl.store(x + o, r)
    tl.static_assert(tl.abs(o).dtype == tl.int32)
    tl.static_assert(tl.clamp(tl.load(h + o), 0.0, 1.0).dtype == tl.float16)
    bits = v.to(tl.int32, bitcast=True)
    tl.static_assert(tl.umulhi(bits.to(tl.uint32), 3).dtype == tl.uint32)
    tl.static_assert(v.to(tl.float16, fp_downcast_rounding="rtz").dtype == tl.float16)
    tl.static_assert(tl.cast(v, tl.int64).dtype == tl.int64)
    tl.static_assert(v.to(tl.float8e4nv).dtype.is_fp8())
    a, b, c, d = tl.randint4x(7, o)
    tl.static_assert(a.dtype == tl.uint32 and tl.rand(7, o).dtype == tl.float32)
    tl.static_assert(tl.randn(7, o).shape == (8,) and tl.randint(7, o.to(tl.int64)).dtype == tl.uint32)
    i, j = tl.swizzle2d(tl.program_id(0), tl.program_id(1), 4, 4, 2)
    tl.device_print("v", i, v)
    q = tl.multiple_of(tl.max_contiguous(o, 8), 8)
    tl.assume(i >= 0)
    tl.static_print("value", v, 3)


# emit: memory; x:*fp32, c:*i32, t:*i64, b:*i1, n:i32
@triton.jit
def memory(x, c, t, b, n):
    o = tl.arange(0, 8)
    m = o < n
    v = tl.load(x + o, m, 0.0, cache_modifier=".cg", eviction_policy="evict_last", volatile=True)
    wide = tl.load(x, mask=True)
    tl.static_assert(wide.shape == ())
    tl.store(x + o, 1, mask=m, cache_modifier=".wt")
    tl.store(x + o[:, None], v[:, None])
    old = tl.atomic_add(c + o, 1, mask=m, sem="relaxed", scope="cta")
    tl.static_assert(old.shape == (8,) and old.dtype == tl.int32)
    tl.atomic_max(x + o, v)
    tl.atomic_min(c, 3)
    tl.atomic_or(c, 1)
    tl.atomic_and(c, 1)
    tl.atomic_xor(c, 1)
    table = tl.load(t).to(tl.pointer_type(tl.float16))
    tl.static_assert(tl.load(table + o).dtype == tl.float16)
    tl.static_assert(tl.load(b + o, mask=m, other=False).dtype == tl.int1)
    tl.store(b + o, o)
    tl.store(t, x.to(tl.int64))
    tl.atomic_cas(c, 0, 1)
    tl.extra.cuda.gdc_wait()


# emit: host_descriptor; d:tensordesc<fp16[32,64]>, p:(i32, *fp32)
@triton.jit
def host_descriptor(d, p):
    count, pointer = p
    tile = d.load([0, 0])
    tl.static_assert(tile.shape == (32, 64))
    d.store([0, 64], tile)
    tl.store(pointer + count, 1.0)


# emit: typed; x:*fp32, a:i32, b:i32[1]
@triton.jit
def typed(x, a: tl.int64, b: "i64"):
    tl.static_assert(a.dtype == tl.int64)
    tl.static_assert(b.dtype == tl.int64)
    tl.store(x + a + b, 1.0)


# emit: one; x:*fp32, stride:i32[1]
@triton.jit
def one(x, stride):
    tl.store(x + stride.to(tl.int64), 1.0)
    tl.static_assert(stride == 1)
