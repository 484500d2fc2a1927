# RUN: tilewright run %s --kernel extremes --grid 1 --arg i=i32[8] --print i | FileCheck %s --check-prefix=EXTREME
# RUN: tilewright run %s --kernel orders --grid 1 --arg o=fp32[8] --arg p=fp32[8] --arg q=fp32[8] --print o --print p --print q | FileCheck %s --check-prefix=ORDER
# Ties take the lowest index, NaN never wins, and the library sorts.
import triton
import triton.language as tl


# The values are 3, 0, 5, 2, 7, 4, 1, 6.
@triton.jit
def shuffled():
    r = tl.arange(0, 8)
    return (r * 5 + 3) % 8


# EXTREME: i: i32[8] 4 1 4 0 4 3 7 28
@triton.jit
def extremes(i):
    v = shuffled()
    r = tl.arange(0, 8)
    nan = float("nan")
    tl.store(i + 0, tl.argmax(v, 0))
    tl.store(i + 1, tl.argmin(v, 0))
    with_nan = tl.where(r < 2, nan, v.to(tl.float32))
    tl.store(i + 2, tl.argmax(with_nan, 0))
    tl.store(i + 3, tl.argmax(v * nan, 0))
    tl.store(i + 4, tl.argmax(r // 4 % 2, 0))
    value, index = tl.min(with_nan, 0, return_indices=True)
    tl.store(i + 5, index - 3)
    tl.store(i + 6, tl.max(with_nan, 0).to(tl.int32))
    tl.store(i + 7, tl.sum(v, 0))


# ORDER-DAG: o: fp32[8] 0 1 2 3 4 5 6 7
# ORDER-DAG: p: fp32[8] 7 6 5 4 3 2 1 0
# ORDER-DAG: q: fp32[8] 7 6 28 28 0 10 1 11
@triton.jit
def orders(o, p, q):
    v = shuffled().to(tl.float32)
    r = tl.arange(0, 8)
    tl.store(o + r, tl.sort(v))
    tl.store(p + r, tl.flip(tl.sort(v)))
    two = tl.arange(0, 2)
    tl.store(q + two, tl.topk(v, 2))
    suffix = tl.cumsum(tl.sort(v), 0, reverse=True)
    tl.store(q + 2 + r, suffix, mask=r < 2)
    tl.store(q + 4 + tl.arange(0, 4), tl.interleave(two, two + 10))
