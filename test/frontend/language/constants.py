# Compile-time evaluation follows Python.
import math
import triton
import triton.language as tl

LOG2E: tl.constexpr = 1.4426950408889634
TABLE = (1, 2, 4)
alias = LOG2E
if LOG2E > 1:
    CHOSEN = "big"
else:
    CHOSEN = "small"
try:
    from nowhere import missing as fast
except ImportError:
    fast = None
FIRST, SECOND = 10, 20


class Ops:
    WIDTH: tl.constexpr = 4

    @staticmethod
    @triton.jit
    def double(x):
        return x * 2


@triton.jit
def helper(a, b=2, *rest, scale: tl.constexpr = 3):
    return a + b * scale + len(rest)


# emit: constants; x:*fp32, B=8, MODE='relu', NONE=None
@triton.jit
def constants(x, B: tl.constexpr, MODE: tl.constexpr, NONE: tl.constexpr, D: tl.constexpr = 5):
    tl.static_assert(-7 // 2 == -4 and -7 % 2 == 1)
    tl.static_assert(7 / 2 == 3.5)
    tl.static_assert(2 ** 70 == 1180591620717411303424)
    tl.static_assert(2 ** -1 == 0.5)
    tl.static_assert(1 << 40 == 1099511627776)
    tl.static_assert(~5 == -6)
    tl.static_assert(not (B == 3) and B is not None and NONE is None)
    tl.static_assert(MODE == "relu" and MODE != "gelu" and MODE in ("relu", "tanh"))
    tl.static_assert(f"{B:03d}|{MODE!r}|{1.5:.2f}|{B > 3}" == "008|'relu'|1.50|True")
    tl.static_assert(min(B, 3, 7) == 3 and max(1, B) == 8)
    tl.static_assert(D == 5 and CHOSEN == "big" and fast is None)
    tl.static_assert(TABLE[1] == 2 and TABLE[-1] == 4 and len(TABLE) == 3)
    tl.static_assert(TABLE[:2] == (1, 2) and TABLE + (8,) == (1, 2, 4, 8))
    tl.static_assert(FIRST + SECOND == 30)
    tl.static_assert(alias == LOG2E)
    tl.static_assert(math.sqrt(4.0) == 2.0 and math.ceil(1.2) == 2)
    tl.static_assert(float("inf") > 1e300 and -float("inf") < 0)
    tl.static_assert(triton.next_power_of_2(100) == 128 and triton.cdiv(10, 4) == 3)
    tl.static_assert(tl.cdiv(B, 3) == 3)
    tl.static_assert(helper(1) == 7 and helper(1, 1, 9, 9, scale=2) == 5)
    tl.static_assert(Ops.double(4) == 8 and Ops.WIDTH == 4)
    tl.static_assert([i * 2 for i in range(3) if i != 1] == [0, 4])
    tl.static_assert((3 if B > 4 else undefined_name) == 3)
    half: tl.constexpr = B // 2
    r = tl.arange(0, half)
    tl.static_assert(r.shape[0] == 4 and r.numel == 4)
    total: tl.constexpr = sum([1, 2, 3])
    tl.static_assert(total == 6)
    if MODE == "tanh":
        raise ValueError("never reached")
    tl.static_assert(isinstance(B, int) and not isinstance(r, int))
    tl.static_assert(str(tl.float16) == "fp16" and str(r.dtype) == "int32")
    tl.static_assert(x.dtype.element_ty == tl.float32 and x.dtype.is_ptr())
    tl.static_assert(r.dtype.is_int() and r.dtype.primitive_bitwidth == 32)
    tl.static_assert(0x80000000 == 2147483648)
    (a, b), c = (1, 2), 3
    tl.static_assert(a.dtype == tl.int32)


# emit: unrolled; x:*fp32, N=4
@triton.jit
def unrolled(x, N: tl.constexpr):
    for i in tl.static_range(0, N, 2):
        tl.static_assert(i % 2 == 0)
        tl.store(x + i, i)
    for name, size in (("a", 1), ("b", 2)):
        tl.static_assert(name == "a" or size == 2)
    for i in tl.static_range(N, 0, -1):
        if i == 2:
            inner: tl.constexpr = i * 2
            tl.static_assert(inner == 4)


# emit: target; x:*fp32
@triton.jit
def target(x):
    tl.static_assert(not tl.target_info.is_cuda() and not tl.target_info.cuda_capability_geq(9, 0))
    if tl.target.vendor == "cpu":
        tl.store(x, 1.0)
    else:
        tl.store(x, undefined)


# emit: meta; x:*fp32, BLOCK_M=16
@triton.jit
def meta(x, **META):
    tl.store(x + tl.arange(0, META["BLOCK_M"]), 0.0)


def eighth(bits):
    count = bits // 8
    return count


@triton.constexpr_function
def host_bytes(kind):
    # As Python would: an assignment keeps the constant.
    width = kind.primitive_bitwidth
    width += 0
    return eighth(width)


@triton.jit
def limit_of(kind: tl.constexpr):
    kind_ = kind.value
    if kind_.is_floating():
        top: tl.constexpr = float("inf")
        return top
    top: tl.constexpr = 2 ** (kind_.int_bitwidth - 1) - 1
    return top


# emit: host_functions; x:*i16
@triton.jit
def host_functions(x):
    tl.static_assert(host_bytes(x.dtype.element_ty) == 2)
    tl.static_assert(limit_of(x.dtype.element_ty) == 32767)
    for _ in range(2, warp_specialize=True, num_stages=3):
        tl.store(x + tl.arange(0, host_bytes(tl.int64)), limit_of(tl.int16))


# emit: reassigned; x:*i32, n:i32, CASE=1
@triton.jit
def reassigned(x, n, CASE: tl.constexpr):
    if CASE == 1:
        count: tl.constexpr = 4
    else:
        count: tl.constexpr = 8
    # A plain assignment to a constexpr gives a run-time value, also in a branch.
    if n > 3:
        count = n
    count = min(n, count)
    for i in range(count):
        tl.store(x + i, count)
