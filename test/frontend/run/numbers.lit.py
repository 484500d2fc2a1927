# RUN: tilewright run %s --kernel large --grid 1 --arg o=fp64[12] --arg p=i32[4] --print o --print p | FileCheck %s --check-prefix=LARGE
# RUN: tilewright run %s --kernel folded --grid 1 --arg o=i32[8] --arg m=i32[8] --arg a=1 --print o --print m | FileCheck %s --check-prefix=ONE
# RUN: tilewright run %s --kernel folded --grid 1 --arg o=i32[8] --arg m=i32[8] --arg a=2 --print o --print m | FileCheck %s --check-prefix=TWO
# Numbers known at compile time: large ones are rounded once, and an argument of value 1 means what other values mean.
import triton
import triton.language as tl


# LARGE: o: fp64[12] 1e+30 1.8446744073709552e+19 1e+22 1e+20 1e+20 9.223372036854775{{[0-9]*}}e+18 -9.223372036854775{{[0-9]*}}e+18
# LARGE: p: i32[4] 2147483647 -2147483648 0 3
@triton.jit
def large(o, p):
    tl.store(o + 0, 10**30)
    tl.store(o + 1, 2**64)
    tl.store(o + 2, float(10**22))
    tl.store(o + 3, 10**30 / 10**10)
    tl.store(o + 4, tl.full((1,), 10**20, tl.float64).sum())
    tl.store(o + 5, 2**63)
    tl.store(o + 6, -2**63)
    tl.static_assert(1.0 * 10**30 == 1e30 and (2**200 + 1) / 2**200 == 1.0)
    tl.store(p + 0, tl.full((1,), 1e10, tl.int32).sum())
    tl.store(p + 1, tl.full((1,), -float("inf"), tl.int32).sum())
    tl.store(p + 2, tl.full((1,), float("nan"), tl.int32).sum())
    tl.store(p + 3, tl.full((1,), 3.9, tl.int32).sum())


# ONE: o: i32[8] 0 -1 1 64 -2 1 0 5
# ONE: m: i32[8] 0 0 0 0 7 7 7 7
# TWO: o: i32[8] -1 -2 1 64 -3 0 1 5
# TWO: m: i32[8] 0 0 0 0 7 7 7 7
@triton.jit
def folded(o, m, a):
    at = tl.arange(0, 8)
    tl.store(m + at, 7, mask=(at > 3) & ~(a > 3))
    tl.store(o + 0, -a // 2)
    tl.store(o + 1, -a % 3)
    tl.store(o + 2, ((a < 3) & (a == a)).to(tl.int32))
    tl.store(o + 3, a.to(tl.int64).dtype.primitive_bitwidth)
    tl.store(o + 4, ~a)
    tl.store(o + 5, (~(a > 1)).to(tl.int32))
    tl.store(o + 6, (a > 1).to(tl.int32))
    # An 8-bit number takes the type of the argument, not the argument its type.
    tl.store(o + 7, (tl.full((1,), 4, tl.int8) + (a // a)).sum())
    tl.static_assert((tl.full((1,), 4, tl.int8) + a).dtype == tl.int32)


# Where Triton takes a folded argument for a number known at compile time it still is one.
# RUN: tilewright compile %s --kernel shapes --sig "o:*i32, a:i32[1], b=1" --emit=tile -o - | FileCheck %s --check-prefix=SHAPE
# SHAPE: tile.range
# SHAPE-SAME: tensor<8xi32>
@triton.jit
def shapes(o, a, b):
    at = tl.arange(0, a * 16 // 2)
    tl.static_assert(b == 1 and a + b == 2)
    tl.store(o + at, at)
