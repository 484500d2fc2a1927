# RUN: tilewright run %s --kernel copy --target reference --check=bounds,nan,overflow,races,uninit --grid 2 --arg "x=i32[8]~integers(1,9,seed=1)" --arg y=i32[8] --arg n=8 --print y | FileCheck %s
# RUN: not tilewright run %s --kernel copy --target reference --check=uninit --grid 2 --arg x=i32[8] --arg y=i32[8] --arg n=8 2>&1 | FileCheck %s --check-prefix=UNINIT
# RUN: not tilewright run %s --kernel copy --target reference --check=races --grid 3 --arg x=i32[16] --arg y=i32[16] --arg n=16 --arg STEP=2 2>&1 | FileCheck %s --check-prefix=RACES
# RUN: not tilewright run %s --kernel copy --target reference --check=bounds --grid 3 --arg x=i32[8] --arg y=i32[8] --arg n=16 2>&1 | FileCheck %s --check-prefix=BOUNDS
# RUN: not tilewright run %s --kernel copy --target reference --check=speed --grid 1 --arg x=i32[8] --arg y=i32[8] --arg n=8 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: not tilewright run %s --kernel copy --target cpu --check=bounds --grid 1 --arg x=i32[8] --arg y=i32[8] --arg n=8 2>&1 | FileCheck %s --check-prefix=CPU
# What `--check` finds, where, and who takes it.
import triton
import triton.language as tl


# CHECK: y: i32[8] {{[1-8] [1-8] [1-8]}}
# UNINIT: error: TW6036: {{.*}}checks.lit.py:21: expected an element that was written before it is read, got index 0 of argument 'x', in program (0, 0, 0) for element (0) of the tile
# RACES: error: TW6037: {{.*}}checks.lit.py:22: expected an order between programs that touch index 2 of argument 'y', got a store of program (1, 0, 0) and a store of program (0, 0, 0) at line 22
# BOUNDS: error: TW6032: {{.*}}checks.lit.py:21: expected an index from 0 to 7 of argument 'x', which has 8 elements, got 8, in program (2, 0, 0) for element (0) of the tile
# UNKNOWN: TW4106: expected a list of bounds, nan, overflow, races and uninit for option 'check', got 'speed'
# CPU: TW4107
@triton.jit
def copy(x, y, n, STEP: tl.constexpr = 4):
    at = tl.program_id(0) * STEP + tl.arange(0, 4)
    value = tl.load(x + at, mask=at < n)
    tl.store(y + at, value, mask=at < n)
