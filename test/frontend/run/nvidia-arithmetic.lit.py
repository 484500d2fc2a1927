# RUN: tilewright compile %s --kernel quotients --target nvidia:sm_90a --opt assembler=none --emit=asm --sig "x:*fp32[:16], y:*fp32[:16], o:*fp32[:16], n:i32" | FileCheck %s --check-prefix=DIV
# RUN: tilewright compile %s --kernel quotients --target nvidia:sm_90a --opt assembler=none --opt math=portable --emit=asm --sig "x:*fp32[:16], y:*fp32[:16], o:*fp32[:16], n:i32" | FileCheck %s --check-prefix=PORTABLE
# RUN: tilewright compile %s --kernel exact --target nvidia:sm_90a --opt assembler=none --emit=asm --sig "x:*fp32[:16], y:*fp32[:16], o:*fp32[:16], n:i32" | FileCheck %s --check-prefix=EXACT
# RUN: tilewright compile %s --kernel masked --target nvidia:sm_90a --opt assembler=none --opt num_warps=1 --emit=asm --sig "x:*fp32[:16], o:*fp32[:16], n:i32[:16]" | FileCheck %s --check-prefix=MASK
# RUN: tilewright compile %s --kernel masked --target nvidia:sm_90a --opt assembler=none --opt num_warps=1 --emit=asm --sig "x:*fp32[:16], o:*fp32[:16], n:i32" | FileCheck %s --check-prefix=EACH
# RUN: tilewright compile %s --kernel masked --target nvidia:sm_90a --opt assembler=none --opt num_warps=1 --emit=asm --sig "x:*fp32[:16], o:*fp32[:16], n:i32[:2]" | FileCheck %s --check-prefix=PAIR
# RUN: tilewright compile %s --kernel packed --target nvidia:sm_90a --opt assembler=none --opt num_warps=1 --emit=asm --sig "x:*fp16[:16], y:*fp16[:16], o:*fp16[:16], n:i32" | FileCheck %s --check-prefix=ASM
# What the tables of accuracy promise, as instructions: one reciprocal for all that one number divides, and another
# one in a branch for extreme divisors, exact
# operations where they are asked for by name, one comparison for a vector whose bound is a multiple of it.
import triton
import triton.language as tl


# DIV: sqrt.approx.f32
# DIV-NOT: div.rn
# DIV: rcp.approx.ftz.f32
# DIV-NOT: rcp.approx
# DIV: bra
# DIV: rcp.approx.ftz.f32
# DIV-NOT: rcp.approx
# PORTABLE-NOT: approx
# PORTABLE: sqrt.rn.f32
# PORTABLE: div.rn.f32
@triton.jit
def quotients(x, y, o, n):
    i = tl.arange(0, 1024)
    tl.store(o + i, tl.load(x + i) / tl.sqrt(tl.load(y)))


# EXACT-NOT: approx
# EXACT: sqrt.rn.f32
# EXACT: div.rn.f32
@triton.jit
def exact(x, y, o, n):
    i = tl.arange(0, 1024)
    tl.store(o + i, tl.div_rn(tl.load(x + i), tl.sqrt_rn(tl.load(y))))


# MASK-COUNT-2: setp.{{lt|gt}}.s32
# MASK-NOT: setp
# PAIR-COUNT-4: setp.{{lt|gt}}.s32
# PAIR-NOT: setp
# EACH-COUNT-8: setp.{{lt|gt}}.s32
@triton.jit
def masked(x, o, n):
    i = tl.arange(0, 256)
    tl.store(o + i, tl.where(i < n, tl.load(x + i), 0.0))


# ASM: add.f16x2 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}; sub.f16x2
@triton.jit
def packed(x, y, o, n):
    i = tl.arange(0, 256)
    s, d = tl.inline_asm_elementwise("add.f16x2 $0, $2, $3; sub.f16x2 $1, $2, $3;", "=r,=r,r,r", [tl.load(x + i), tl.load(y + i)],
                                     dtype=(tl.float16, tl.float16), is_pure=True, pack=2)
    tl.store(o + i, s * d)
