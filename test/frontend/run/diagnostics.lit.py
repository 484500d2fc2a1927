# RUN: not tilewright compile %s --kernel outer --sig "x:*fp32, n:i32" --emit=tile 2>&1 | FileCheck %s
# RUN: tilewright compile %s --kernel fine --sig "x:*fp32[:16], B=16" --emit=tile -o - | FileCheck %s --check-prefix=TILE
# A mistake in a helper is shown with the calls that led there.
import triton
import triton.language as tl


@triton.jit
def inner(p, step):
    return tl.load(p + step * 1.5)


@triton.jit
def middle(p, n):
    return inner(p, n)


@triton.jit
def outer(x, n):
    tl.store(x, middle(x, n))


@triton.jit
def fine(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 1.0)


# CHECK: diagnostics.lit.py:10:20: error: TW2043: expected an integer offset to add to a pointer, got fp32
# CHECK-NEXT: return tl.load(p + step * 1.5)
# CHECK: diagnostics.lit.py:15:12: note: in 'inner', called from here
# CHECK: diagnostics.lit.py:20:17: note: in 'middle', called from here
# TILE: func.func @fine(%arg0: !tile.ptr<f32> {tw.divisibility = 16 : i64
# TILE: tile.store
