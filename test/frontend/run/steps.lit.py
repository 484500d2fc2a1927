# RUN: tilewright compile %s --kernel scale --sig "x:*fp32, n:i32, BLOCK=4" --target reference --opt trace=1 --emit=tile | FileCheck %s
# RUN: tilewright compile %s --kernel scale --sig "x:*fp32, n:i32, BLOCK=4" --target reference --emit=tile | FileCheck %s --check-prefix=PLAIN
# RUN: not tilewright compile %s --kernel scale --sig "x:*fp32, n:i32, BLOCK=4" --target cpu --opt trace=1 -o %t 2>&1 | FileCheck %s --check-prefix=CPU
# With option `trace` a kernel reports its lines and what they bind; ordinary launches of it print nothing.
import triton
import triton.language as tl


@triton.jit
def double(value):
    return value * 2


# PLAIN-NOT: tile.print
# CPU: TW4107: unknown option 'trace' for target cpu
# The call: parameters as operands, constants as text.
# CHECK-LABEL: @scale
# CHECK: tile.print "" %arg0, %arg1 : {{.*}}depth = 0 : i32, function = "scale", kind = "call", masks = array<i32: -1, -1>, names = ["x", "n", "BLOCK"], texts = ["", "", "4"], types = ["*fp32", "i32", ""]
# CHECK-NOT: tile.print
@triton.jit
def scale(x, n, BLOCK: tl.constexpr):
    """A docstring is no step."""
    # CHECK: tile.print "" {{.*}}kind = "line"
    # CHECK: %[[AT:.*]] = tile.range
    # CHECK: tile.print "" %{{.*}} : tensor<4xi32> {{.*}}kind = "values"{{.*}}names = ["at"]
    at = tl.arange(0, BLOCK)
    # What a masked load gives comes with its mask, also after operations on elements.
    # CHECK: %[[MASK:.*]] = arith.cmpi
    # CHECK: tile.load {{.*}} mask %[[MASK]]
    # CHECK: tile.print "" %{{.*}}, %[[MASK]] : tensor<4xf16>, tensor<4xi1> {{.*}}masks = array<i32: 1>, names = ["v"]
    v = tl.load(x + at, mask=at < n).to(tl.float16)
    # CHECK: kind = "call"{{.*}}names = ["value"]
    # CHECK: depth = 1 : i32, function = "double", kind = "line"
    # CHECK: function = "double", kind = "return"{{.*}}names = ["return"]
    # CHECK: tile.print {{.*}}names = ["pair[0]", "pair[1]"], texts = ["", "None"]
    pair = double(v), None
    # Regions that run once an element, and the library, have no steps.
    # CHECK: tile.reduce
    # CHECK-NOT: depth = 1
    # CHECK: names = ["total"]
    total = tl.sum(pair[0])
    # CHECK: scf.for %[[I:[a-z0-9]+]] =
    # CHECK-NEXT: tile.print "" %[[I]] {{.*}}names = ["i"]
    for i in range(n):
        # CHECK: names = ["total"]
        total += i
    # CHECK: scf.while
    # CHECK-NEXT: tile.print "" {{.*}}kind = "line"
    while total > 0:
        total -= 1
    tl.store(x + at, total)
