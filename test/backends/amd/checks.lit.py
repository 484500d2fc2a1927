# RUN: tilewright compile %s --kernel checked --sig "x:*i32, n:i32" --target amd:gfx942 --opt debug=1 --emit=llvm -o - | FileCheck %s --check-prefix=FAIL
# RUN: tilewright compile %s --kernel printed --sig "x:*i32" --target amd:gfx942 --emit=llvm -o - | FileCheck %s --check-prefix=PRINT
# RUN: tilewright compile %s --kernel added --sig "x:*fp32, y:*fp32" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=ADDER
# RUN: tilewright compile %s --kernel added --sig "x:*fp32, y:*fp32" --target amd:gfx942 --opt math=portable --emit=asm -o - | FileCheck %s --check-prefix=SWAPS
import triton
import triton.language as tl


# What fails is written down where the driver looks; the record's state is claimed and published for the whole system.
# FAIL: @tw_failure = {{.*}}externally_initialized
# FAIL: cmpxchg {{.*}} i32 0, i32 1 monotonic monotonic
# FAIL: fence acq_rel
@triton.jit
def checked(x, n):
    tl.device_assert(n > 2, "too small")
    tl.store(x, n)


# A line goes into the queue of backends/simt/driver/KernelABI.h, whose address the driver leaves.
# PRINT: @tw_prints = {{.*}}externally_initialized
# PRINT: atomicrmw add
@triton.jit
def printed(x):
    tl.device_print("x", tl.load(x))


# ADDER: global_atomic_add_f32
# SWAPS-NOT: global_atomic_add_f32
# SWAPS: global_atomic_cmpswap
@triton.jit
def added(x, y):
    tl.atomic_add(x, tl.load(y), sem="relaxed")
