# RUN: tilewright compile %s --kernel modes --sig "x:*fp32[:16], o:*fp32[:16]" --emit=kernel -o - | FileCheck %s
# RUN: tilewright compile %s --kernel modes --sig "x:*fp32[:16], o:*fp32[:16]" --math portable --emit=kernel -o - | FileCheck %s --check-prefix=PORTABLE
# RUN: not tilewright compile %s --kernel wrong --sig "x:*fp32[:16], o:*fp32[:16]" --emit=kernel 2>&1 | FileCheck %s --check-prefix=WRONG
# One call may ask for another maths mode than the kernel.
import triton
import triton.language as tl
from triton.language.extra import libdevice


# CHECK: math.exp %{{[0-9a-z_]+}} :
# CHECK: math.exp %{{[0-9a-z_]+}} {tw.math = "portable"}
# CHECK: math.tanh %{{[0-9a-z_]+}} {tw.math = "fast"}
# CHECK: math.exp %{{[0-9a-z_]+}} {tw.math = "fast"}
# CHECK: arith.divf %{{.*}} {tw.math = "fast"}
# PORTABLE-NOT: tw.math = "portable"}
# PORTABLE: math.tanh %{{[0-9a-z_]+}} {tw.math = "fast"}
# WRONG: TW2236: expected 'accurate', 'portable' or 'fast', got str 'sloppy'
@triton.jit
def modes(x, o):
    i = tl.arange(0, 16)
    a = tl.load(x + i)
    b = tl.exp(a) + tl.exp(a, math="portable") + libdevice.tanh(a, math="fast") + tl.sigmoid(a, math="fast")
    tl.store(o + i, b)


@triton.jit
def wrong(x, o):
    tl.store(o, tl.exp(tl.load(x), math="sloppy"))
