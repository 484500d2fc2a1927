# RUN: not tilewright compile %s --kernel hints --sig "n:i32, o:*i32" --emit=tile 2>&1 | FileCheck %s
# Hints name the next step, and messages the functions that the user called.
import triton
import triton.language as tl


@triton.jit
def hints(n, o):
    np.exp(n)
    np.unheard(n)
    m
    missing(n)
    paramters = n
    parameters
    tl.zeros((n,), tl.int32)
    for i in range(1, 2, 3, 4, 5, 6, 7, 8, 9, 10):
        pass
    tl.topk(tl.arange(0, 8), 3)


# CHECK: TW2171: the name 'np' is not defined
# CHECK: hint: use tl.exp
# CHECK: TW2171: the name 'np' is not defined
# CHECK: hint: kernels compute with the functions of tl, for example tl.exp
# CHECK: TW2171: the name 'm' is not defined
# CHECK: hint: define it in the kernel or its module
# CHECK: TW2171: the name 'missing' is not defined
# CHECK: hint: if it is a function of the module, decorate it with @jit
# CHECK: TW2171: the name 'parameters' is not defined
# CHECK: hint: did you mean 'paramters'?
# CHECK: TW2204: expected compile-time integers for 'shape' of 'tl.zeros', got i32
# CHECK: TW2163: expected at most 9 arguments of 'range', got more
# CHECK: TW2301: static assertion failed: k must be a power of two
# CHECK-NOT: error
