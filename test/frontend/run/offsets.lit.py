# RUN: tilewright run %s --kernel offsets --grid 1 --arg o=i32[8] --arg p=i32[8] --arg n=4 --print o --print p | FileCheck %s
# RUN: not tilewright compile %s --kernel swap --sig "x:*i32" --emit=tile 2>&1 | FileCheck %s --check-prefix=SWAP
# An offset keeps its value whatever its type, on either side of a pointer.
import triton
import triton.language as tl


# CHECK: o: i32[8] 13 2 9 4 5 6 7 8
# CHECK: p: i32[8] 1 2 3 4 0 0 0 21
@triton.jit
def offsets(o, p, n):
    at = tl.arange(0, 8)
    tl.store(o + at.to(tl.int8), at + 1)
    tl.store(o + 2 - (n - 4 + at * 0).to(tl.uint8), 9)
    tl.store(o + 1 + (n < 3) - (n > 3), 13)
    last = p + 7
    tl.store(last - n.to(tl.uint32), 4)
    tl.store(last - (n + 1).to(tl.uint8), 3)
    tl.store(last - (n + 2).to(tl.int16), 2)
    tl.store(last - (n + 3).to(tl.uint64), 1)
    # The negative of -128 needs 9 bits.
    lowest = (n - 132).to(tl.int8)
    tl.store(last - 128 - lowest, 21)


@triton.jit
def swap(x):
    tl.atomic_cas(x, 0, 1.5)
    tl.atomic_cas(x, 4294967296, 1)
    tl.atomic_cas(x, 4294967295, -1)


# SWAP: offsets.lit.py:28:25: error: TW2273: expected a number that i32 holds for 'val', got float 1.5
# SWAP: offsets.lit.py:29:22: error: TW2273: expected a number that i32 holds for 'cmp', got int 4294967296
# SWAP-NOT: error
