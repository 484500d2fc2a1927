# RUN: tilewright compile %s --kernel bits --target cpu:sapphirerapids --opt opt_level=0 --emit=asm --sig "x:*i16, o:*bf16, n:i32" | FileCheck %s
# bf16 numbers are moved as they are: the processor's conversion from fp32 would flush subnormal ones.
import triton
import triton.language as tl


# CHECK: bits:
# CHECK-NOT: vcvtneps2bf16
@triton.jit
def bits(x, o, n):
    tl.store(o, tl.load(x).to(tl.bfloat16, bitcast=True), mask=n > 1)
