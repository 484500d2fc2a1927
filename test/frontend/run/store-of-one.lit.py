# RUN: tilewright compile %s --kernel narrow --target cpu:x86-64-v4 --emit=llvm --sig "x:*i32, o:*i8, n:i32[1]" | FileCheck %s
# A narrowing store of one element writes no more than it: with AVX-512, LLVM 22 makes a store of the wide element of it.
import triton
import triton.language as tl


# CHECK-LABEL: define {{.*}}@narrow(
# CHECK-NOT: call void @llvm.masked.store
# CHECK: store i8
@triton.jit
def narrow(x, o, n):
    i = tl.arange(0, 8)
    tl.store(o + i, tl.load(x + i).to(tl.int8), mask=i < n)
