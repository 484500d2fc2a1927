# RUN: tilewright run %s --kernel ends --grid 1 --arg o=i32[8] --arg n=2147483647 --arg s=2147483642 --arg B=1024 --print o | FileCheck %s
# RUN: tilewright compile %s --kernel tiles --sig "x:*fp32, o:*fp32, n:i32, B=64" --emit=kernel -o - | FileCheck %s --check-prefix=BOX
# A counter that steps past the end of its type does not run on: the trips are Python's for every type and step.
import triton
import triton.language as tl


@triton.jit
def steps(a, b):
    count = 0
    last = a
    for i in range(a, b, 3):
        count += 1
        last = i
    return count * 10 + (b - last).to(tl.int32)


# CHECK: o: i32[8] 2097152 22 22 22 22 22 22 0
@triton.jit
def ends(o, n, s, B: tl.constexpr):
    count = 0
    for i in range(0, n, B):
        count += 1
    tl.store(o, count)
    tl.store(o + 1, steps(s, n))
    tl.store(o + 2, steps(s, 2147483647))
    wide = n.to(tl.int64) + 9223372034707292160
    tl.store(o + 3, steps(wide - 5, wide))
    half = n.to(tl.uint32)
    tl.store(o + 4, steps(half + half - 4, half + half + 1))
    full = wide.to(tl.uint64)
    tl.store(o + 5, steps(full + full - 4, full + full + 1))
    # The smallest number is a start like any other.
    low = -n - 1
    count = 0
    for i in range(low, low + 5, 3):
        count += 11
    tl.store(o + 6, count)


# The counter keeps 64 bits on the way to the addresses, so that loads stay boxes.
# BOX-NOT: gather
# BOX: scf.for
# BOX: kernel.load
# BOX-NOT: gather
@triton.jit
def tiles(x, o, n, B: tl.constexpr):
    acc = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        at = start + tl.arange(0, B)
        acc += tl.load(x + at, mask=at < n, other=0.0)
    tl.store(o, tl.sum(acc, 0))
