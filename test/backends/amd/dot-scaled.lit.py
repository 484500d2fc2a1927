# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=128" --target amd:gfx950 --emit=simt -o - | FileCheck %s --check-prefix=SIMT
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=128" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefixes=ASM,E4M3
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e2m1', R='e2m1', B=64, K=128" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefixes=ASM,E2M1
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e5m2', R='e2m1', B=64, K=128" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefixes=ASM,MIXED
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=128" --target amd:gfx950 --opt matrix_instr_nonkdim=32 --emit=asm -o - | FileCheck %s --check-prefixes=ASM,WIDE
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=64" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefixes=ASM,WIDE
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=32" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=128" --target amd:gfx950 --math=portable --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*u8[:16,disjoint], b:*u8[:16,disjoint], u:*u8[:16,disjoint], v:*u8[:16,disjoint], c:*fp32[:16,disjoint], n:i32[:16], k:i32[:128], L='e4m3', R='e4m3', B=64, K=128" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel bare --sig "a:*u8[:16], c:*fp32[:16]" --target amd:gfx950 --opt num_warps=1 --emit=asm -o - | FileCheck %s --check-prefix=BARE
import triton
import triton.language as tl


# SIMT: scf.for
# SIMT: simt.dot {{.*}} atom "e4m3.e4m3.scaled.16" scales
# SIMT: scf.yield

# Factors come in vector registers: of others the hardware reads other bits.
# ASM: .LBB0_[[LOOP:[0-9]+]]:
# E4M3: v_mfma_scale_f32_16x16x128_f8f6f4 {{[av]}}[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], {{[av]}}[{{[0-9:]+}}], v{{[0-9]+}}, v{{[0-9]+}} op_sel_hi:[0,0,0]{{$}}
# E2M1: v_mfma_scale_f32_16x16x128_f8f6f4 {{.*}}, v{{[0-9]+}}, v{{[0-9]+}} op_sel_hi:[0,0,0] cbsz:4 blgp:4
# MIXED: v_mfma_scale_f32_16x16x128_f8f6f4 {{.*}}, v{{[0-9]+}}, v{{[0-9]+}} op_sel_hi:[0,0,0] cbsz:4 blgp:1
# WIDE: v_mfma_scale_f32_32x32x64_f8f6f4 {{.*}}, v{{[0-9]+}}, v{{[0-9]+}} op_sel_hi:[0,0,0]{{$}}
# ASM: s_cbranch_{{.*}} .LBB0_[[LOOP]]
# ASM: .vgpr_spill_count: 0

# NONE-NOT: v_mfma_scale
# NONE: s_endpgm
@triton.jit
def matmul(a, b, u, v, c, n, k, L: tl.constexpr, R: tl.constexpr, B: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    column = tl.program_id(1) * B + tl.arange(0, B)
    p: tl.constexpr = 2 if L == "e2m1" else 1
    q: tl.constexpr = 2 if R == "e2m1" else 1
    i = tl.arange(0, K // p)
    j = tl.arange(0, K // q)
    g = tl.arange(0, K // 32)
    total = tl.zeros((B, B), tl.float32)
    for first in range(0, k, K):
        x = tl.load(a + row[:, None] * (k // p) + first // p + i[None, :])
        y = tl.load(b + column[:, None] * (k // q) + first // q + j[None, :])
        s = tl.load(u + row[:, None] * (k // 32) + first // 32 + g[None, :])
        t = tl.load(v + column[:, None] * (k // 32) + first // 32 + g[None, :])
        total = tl.dot_scaled(x, s, L, tl.trans(y), t, R, total)
    tl.store(c + row[:, None] * n + column[None, :], total)


# Without factors all are 1, in vector registers again; no branch looks for NaN.
# BARE-NOT: s_cbranch
# BARE: v_mfma_scale_f32_16x16x128_f8f6f4 {{.*}}, v{{[0-9]+}}, v{{[0-9]+}} op_sel_hi:[0,0,0]
# BARE-NOT: s_cbranch
# BARE: s_endpgm
@triton.jit
def bare(a, c):
    i = tl.arange(0, 16)
    x = tl.load(a + i[:, None] * 128 + tl.arange(0, 128)[None, :])
    tl.store(c + i[:, None] * 16 + i[None, :], tl.dot_scaled(x, None, "e4m3", tl.trans(x), None, "e4m3"))
