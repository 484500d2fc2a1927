# Mistakes in types and shapes; each marked line gives exactly that code.
import triton
import triton.language as tl


# emit: shapes; x:*fp16, n:i32, B=16
@triton.jit
def shapes(x, n, B: tl.constexpr):
    k = B // 2
    tl.arange(0, k)  # TW2200
    tl.arange(0, 100)  # TW2030
    tl.zeros((1024, 2048), tl.float32)  # TW2031
    tl.zeros((16, 2), tl.float32) + tl.zeros((8, 2), tl.float32)  # TW2032
    tl.exp(tl.load(x + tl.arange(0, B)))  # TW2230
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))  # TW2261
    tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((32, 16), tl.float16))  # TW2262
    tl.zeros((2, 4), tl.float32)[0]  # TW2152
    tl.reshape(tl.zeros((2, 4), tl.float32), (4, 4))  # TW2250
    tl.sum(tl.zeros((2, 4), tl.float32), 2)  # TW2205
    tl.split(tl.arange(0, 8))  # TW2254
    tl.program_id(3)  # TW2210


# emit: operators; x:*fp16, n:i32, u:u32
@triton.jit
def operators(x, n, u):
    n % u  # TW2041
    u + -1  # TW2042
    tl.arange(0, 8) & 0xFFFFFFFF  # TW2042
    x + x  # TW2043
    x * 2  # TW2043
    1.5 // n.to(tl.float32)  # TW2046
    n.to(tl.float32) & 1  # TW2047
    n and n > 3  # TW2050
    n @ n  # TW2045
    n ** 2  # TW2044
    n.to(tl.float32).to(tl.int64, bitcast=True)  # TW2027
    x.to(tl.float32)  # TW2026
    n in (1, 2)  # TW2048
    r = 1 if n > 2 else 2.0  # TW2114


# emit: memory; x:*fp16, k:*kfp32, n:i32
@triton.jit
def memory(x, k, n):
    o = tl.arange(0, 8)
    tl.load(x, other=0)  # TW2225
    tl.load(n)  # TW2221
    tl.store(x, o)  # TW2229
    tl.store(k + o, o)  # TW2227
    tl.load(x + o, mask=n)  # TW2222
    tl.load(x + o, mask=o[:, None] < tl.arange(0, 4)[None, :])  # TW2223
    tl.load(x + o, cache_modifier=".zz")  # TW2220
    tl.atomic_max(x, 1)  # TW2272
    tl.atomic_add(k, 1)  # TW2227
    tl.make_tensor_descriptor(x, [n, n], [1, n], [16, 16])  # TW2284
    tl.load(x + o, boundary_check=(0,))  # TW2224
