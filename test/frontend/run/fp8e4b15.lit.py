# RUN: tilewright run %s --kernel narrow --grid 1 --arg x=fp32[16] --arg o=u8[8] --arg p=u8[4] --print o --print p | FileCheck %s --check-prefix=NARROW
# RUN: tilewright run %s --kernel widen --grid 1 --arg o=fp32[8] --print o | FileCheck %s --check-prefix=WIDEN
# fp8e4b15: sign, 4 bits of exponent with bias 15, 3 of mantissa; multiples of 2^-17 below 2^-14, 1.875 at most.
import triton
import triton.language as tl


@triton.jit
def code(x):
    return x.to(tl.float8e4b15).to(tl.uint8, bitcast=True)


# 1, -1, past the largest, a tie to even down (1 + 1/16) and up (1 + 3/16), infinity, NaN, 0
# NARROW: o: u8[8] 120 248 127 120 122 127 127 0
# NARROW: p: u8[4] 2 8 121 0
@triton.jit
def narrow(x, o, p):
    one = tl.load(x) + 1.0
    tl.store(o + 0, code(one))
    tl.store(o + 1, code(-one))
    tl.store(o + 2, code(one * 100.0))
    tl.store(o + 3, code(one + 0.0625))
    tl.store(o + 4, code(one + 0.1875))
    tl.store(o + 5, code(one * float("inf")))
    tl.store(o + 6, code(one * float("nan")))
    tl.store(o + 7, code(one - 1.0))
    # A tie of multiples of 2^-17, the step to normal numbers, and rounding toward zero.
    tl.static_assert(one.to(tl.float8e4b15).dtype == tl.float8e4b15)
    tl.store(p + 0, code(one * (2.5 / 131072)))
    tl.store(p + 1, code(one * (7.75 / 131072)))
    tl.store(p + 2, (one * 1.24).to(tl.float8e4b15, fp_downcast_rounding="rtz").to(tl.uint8, bitcast=True))


@triton.jit
def number(byte):
    return byte.to(tl.uint8).to(tl.float8e4b15, bitcast=True)


# WIDEN: o: fp32[8] 1 -1.875 7.62939453e-06 6.10351562e-05 0.25 1.875 -0.5 1
@triton.jit
def widen(o):
    one = tl.full((1,), 120, tl.int32)
    at = tl.arange(0, 1)
    tl.store(o + 0 + at, number(one))
    tl.store(o + 1 + at, number(one + 135))
    tl.store(o + 2 + at, number(one - 119))
    tl.store(o + 3 + at, number(one - 112))
    half = number(one - 8)
    tl.store(o + 4 + at, half * half)
    tl.store(o + 5 + at, number(one) * 3.0)
    tl.store(o + 6 + at, -half)
    tl.store(o + 7 + at, tl.maximum(half, number(one)))
