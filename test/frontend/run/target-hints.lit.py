# RUN: tilewright compile %s --kernel hinted --sig "x:*fp32[:16], o:*fp32[:16], n:i32" --target null --emit=kernel -o - 2>%t | FileCheck %s
# RUN: FileCheck %s --check-prefix=WARN < %t
# RUN: not tilewright compile %s --kernel wrong --sig "x:*fp32, n:i32" --target null --emit=tile 2>&1 | FileCheck %s --check-prefix=WRONG
# RUN: tilewright compile %s --kernel unread --sig "x:*fp32" --target cpu --emit=tile -o - 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=cpu
# RUN: tilewright compile %s --kernel unread --sig "x:*fp32" --target reference --emit=tile -o - 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=reference
# Hints reach Kernel IR as attributes; names that the target does not publish are warnings.
import triton
import triton.language as tl


# CHECK-LABEL: func.func @hinted
# CHECK: kernel.load {{.*}}tw.opt.null.prefetch = 2 : i64
# CHECK: scf.for
# CHECK: linalg.{{(batch_)?}}matmul
# CHECK-SAME: tw.opt.null.unroll = 8 : i64
# CHECK: } {tw.opt.null.prefetch = "deep", tw.opt.null.unroll = true}
# CHECK: arith.mulf {{.*}}tw.opt.elsewhere.keep = true
# CHECK: kernel.store {{.*}}tw.opt.null.prefech = 1
@triton.jit
def hinted(x, o, n):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    a = tl.load(x + i)  #@hint: null.prefetch=2
    acc = tl.zeros((16, 16), tl.float32)
    #@hint: prefetch="deep"
    #@hint: unroll
    for k in range(n):
        acc = tl.dot(a, a, acc)  #@hint: unroll=8
    acc = tl.hint(acc * 2.0, "elsewhere.keep")
    #@hint: prefech=1, unrol
    tl.store(o + i, acc)


# WARN: target-hints.lit.py:29:5: warning: TW2307: the target 'null' has no hint 'prefech'
# WARN: hint: did you mean 'prefetch'?
# WARN: target-hints.lit.py:29:5: warning: TW2307: the target 'null' has no hint 'unrol'
# WARN: hint: did you mean 'unroll'?
# WARN-NOT: warning


# WRONG: TW2306: expected a hint such as "cpu.unroll" with a number, a bool or text, got '3x' with int 1
# WRONG: TW2306: {{.*}}got 'null.unroll' with i32
# WRONG-NOT: error
@triton.jit
def wrong(x, n):
    tl.hint(tl.load(x), "3x", 1)
    tl.hint(tl.load(x), "null.unroll", n)


# NONE: warning: TW2307: the target '[[TARGET]]' has no hint 'prefetch'
# NONE: hint: it has none
# NONE-NOT: warning
# NONE: tw.opt.null.prefetch
@triton.jit
def unread(x):
    tl.store(x, tl.load(x))  #@hint: prefetch
    tl.store(x, tl.load(x))  #@hint: null.prefetch
