# RUN: tilewright compile %s --kernel rows --sig "x:*fp32[:16], o:*fp32[:16]" --target null --emit=tile -o - | FileCheck %s --check-prefix=TILE
# RUN: tilewright compile %s --kernel rows --sig "x:*fp32[:16], o:*fp32[:16]" --target null --emit=kernel -o - | FileCheck %s --check-prefix=CLAIMED
# RUN: tilewright compile %s --kernel rows --sig "x:*fp32[:16], o:*fp32[:16]" --target reference --emit=kernel -o - | FileCheck %s --check-prefix=INLINED
# RUN: tilewright compile %s --kernel vector --sig "x:*fp32[:16], o:*fp32[:16]" --target null --emit=kernel -o - | FileCheck %s --check-prefix=INLINED
# RUN: tilewright compile %s --kernel rows --sig "x:*fp32[:16], o:*fp32[:16]" --target null -o %t.twa
# RUN: tilewright run %s --kernel rows --grid 1 --arg x=fp32[64] --arg o=fp32[64] --print o | FileCheck %s --check-prefix=VALUES
# The null plugin claims softmax of rank 2: it gets the op whole; elsewhere its body is compiled.
import triton
import triton.language as tl


# TILE: "tile.call_op"
# TILE-SAME: <{name = "softmax@1"}>
# TILE: tile.yield
# TILE: tw.arguments = {
# TILE-SAME: dim = 1 : i64
# CLAIMED: "kernel.call_op"
# CLAIMED-SAME: <{name = "softmax@1"}>
# CLAIMED: math.exp
# CLAIMED: kernel.yield
# INLINED-NOT: call_op
# INLINED: math.exp
# VALUES: o: fp32[64] 0.125 0.125 0.125
@triton.jit
def rows(x, o):
    i = tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
    tl.store(o + i, tl.softmax(tl.load(x + i), 1))


@triton.jit
def vector(x, o):
    i = tl.arange(0, 8)
    tl.store(o + i, tl.softmax(tl.load(x + i)))
