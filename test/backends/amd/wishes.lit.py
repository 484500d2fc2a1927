# RUN: tilewright compile %s --sig "x:*fp32, y:*fp32, BLOCK=4096" --target amd:gfx90a --opt waves_per_eu=16 -o %t.twa 2>&1 | FileCheck %s --check-prefix=WAVES
# RUN: tilewright compile %s --sig "x:*fp32, y:*fp32, BLOCK=4096" --target amd:gfx942 --opt maxnreg=16 --opt num_warps=1 -o %t.twa 2>&1 | FileCheck %s --check-prefix=REGISTERS
# RUN: tilewright compile %s --sig "x:*fp32, y:*fp32, BLOCK=64" --target amd:gfx942 --opt waves_per_eu=2 --opt maxnreg=64 -o %t.twa 2>&1 | FileCheck %s --check-prefix=MET
# RUN: not tilewright compile %s --sig "x:*fp32, y:*fp32, BLOCK=64" --target amd:gfx942 --opt waves_per_eu=many -o %t.twa 2>&1 | FileCheck %s --check-prefix=TEXT
import triton
import triton.language as tl


# WAVES: warning: TW4118: expected 16 waves on a SIMD unit for option 'waves_per_eu', got {{[0-9]+$}}
# WAVES-NOT: warning:
# REGISTERS: warning: TW4118: expected at most 16 registers for option 'maxnreg', got {{[0-9]+$}}
# MET-NOT: warning:
# TEXT: error: TW4106: expected an integer from 0 to 16 for option 'waves_per_eu', got 'many'
@triton.jit
def reversed_rows(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(y + (BLOCK - 1 - i), v - tl.sum(v, 0))
