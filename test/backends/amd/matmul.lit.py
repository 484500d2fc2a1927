# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --emit=simt -o - | FileCheck %s --check-prefix=SIMT
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --emit=asm -o - | FileCheck %s --check-prefix=GFX942
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --opt matrix_instr_nonkdim=32 --emit=asm -o - | FileCheck %s --check-prefix=WIDE
# RUN: tilewright compile %s --kernel matmul --sig "a:*fp16[:16,disjoint], b:*fp16[:16,disjoint], c:*fp16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx950 --opt num_warps=8 --emit=asm -o - | FileCheck %s --check-prefix=GFX950
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx1100 --emit=asm -o - | FileCheck %s --check-prefix=GFX1100
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx1201 --emit=asm -o - | FileCheck %s --check-prefix=GFX1201
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_stages=1 --emit=simt -o - | FileCheck %s --check-prefix=ONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*fp8e4b8[:16,disjoint], b:*fp8e4b8[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=64" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=FNUZ
# RUN: tilewright compile %s --kernel matmul --sig "a:*fp8e4nv[:16,disjoint], b:*fp8e4nv[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=128" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefix=OCP
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --opt kpack=1 --emit=simt -o - | FileCheck %s --check-prefix=KPACK1
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --opt kpack=2 --emit=simt -o - | FileCheck %s --check-prefix=KPACK2
# RUN: not tilewright compile %s --kernel matmul --sig "a:*bf16, b:*bf16, c:*bf16, n:i32, k:i32, B=64, K=32" --target amd:gfx942 --opt matrix_instr_nonkdim=8 -o %t 2>&1 | FileCheck %s --check-prefix=EXTENT
# RUN: not tilewright compile %s --kernel matmul --sig "a:*bf16, b:*bf16, c:*bf16, n:i32, k:i32, B=64, K=32" --target amd:gfx940 -o %t 2>&1 | FileCheck %s --check-prefix=CHIP
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx950 --emit=simt -o - | FileCheck %s --check-prefix=AHEAD
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefix=DIRECT
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx950 --opt direct_copies=1 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx942 --opt direct_copies=2 --emit=asm -o - | FileCheck %s --check-prefix=FOUR
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx90a --opt direct_copies=2 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=64, K=32" --target amd:gfx1201 --opt direct_copies=2 --emit=asm -o - | FileCheck %s --check-prefix=NONE
# RUN: not tilewright compile %s --kernel matmul --sig "a:*bf16, b:*bf16, c:*bf16, n:i32, k:i32, B=64, K=32" --target amd:gfx950 --opt direct_copies=3 -o %t 2>&1 | FileCheck %s --check-prefix=RANGE
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=256, K=64" --target amd:gfx942 --opt num_warps=8 --emit=simt -o - | FileCheck %s --check-prefix=STORED
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target amd:gfx942 --opt num_warps=8 --emit=simt -o - | FileCheck %s --check-prefix=MOVED
import triton
import triton.language as tl


# The sums of 256 x 256 fill the registers: they are stored by the threads that have them, smaller ones by rows.
# STORED: simt.dot
# STORED: scf.yield
# STORED-NOT: simt.convert_layout
# STORED: kernel.store {{.*}} tensor<256x256xbf16
# MOVED: simt.dot
# MOVED: scf.yield
# MOVED: simt.convert_layout
# MOVED: kernel.store {{.*}} tensor<128x128xbf16

# Two tiles of 16 KB and one buffer: the next tiles are loaded first and stored last, one barrier on either side.
# SIMT-DAG: simt.alloc {{.*}}x[128, 64]
# SIMT-DAG: simt.alloc {{.*}}x[64, 128]
# SIMT: scf.for
# SIMT: kernel.load
# SIMT: kernel.load
# SIMT: simt.barrier
# SIMT-NEXT: simt.local_load
# SIMT-NEXT: simt.local_load
# SIMT-NEXT: simt.dot {{.*}} atom "bf16.16.n64k32"
# SIMT: simt.barrier
# SIMT: simt.local_store
# SIMT-NEXT: simt.local_store
# SIMT: scf.yield

# GFX942: global_load_dwordx4
# GFX942-DAG: ds_read_b128
# GFX942-DAG: v_mfma_f32_16x16x16_bf16
# GFX942: ds_write_b128
# GFX942: .group_segment_fixed_size: 32768
# GFX942: .vgpr_spill_count: 0

# WIDE: v_mfma_f32_32x32x8_bf16
# WIDE: .vgpr_spill_count: 0
# GFX950: v_mfma_f32_16x16x32_f16
# GFX950: .vgpr_spill_count: 0
# GFX1100: v_wmma_f32_16x16x16_bf16
# GFX1100: .vgpr_spill_count: 0
# GFX1201: v_wmma_f32_16x16x16_bf16
# GFX1201: .vgpr_spill_count: 0
# FNUZ: v_mfma_f32_16x16x32_fp8_fp8
# OCP: v_mfma_f32_16x16x128_f8f6f4

# One stage loads where it reads.
# ONE-NOT: simt.local_store
# ONE: simt.dot {{.*}} atom

# On gfx950 copies to the LDS, three buffers.
# AHEAD: simt.alloc {{.*}}<3 x[128, 64]
# AHEAD: scf.for
# AHEAD: simt.async_wait 1
# AHEAD: simt.async_copy
# AHEAD-NOT: simt.local_store
# AHEAD: scf.yield

# Three stages: copies of one iteration, eight of a wave, are under way behind the wait; no read of the LDS waits for them.
# DIRECT: .LBB0_[[LOOP:[0-9]+]]:
# DIRECT: s_waitcnt vmcnt(8)
# DIRECT: s_barrier
# DIRECT-NOT: vmcnt
# DIRECT-COUNT-8: global_load_lds_dwordx4
# DIRECT-NOT: vmcnt
# DIRECT: s_cbranch_scc{{.*}} .LBB0_[[LOOP]]
# DIRECT: .vgpr_spill_count: 0

# FOUR: global_load_lds_dword v
# FOUR: v_mfma_f32_16x16x16_bf16
# FOUR: .vgpr_spill_count: 0

# NONE-NOT: load_lds
# NONE: ds_{{write|store}}_b
# NONE-NOT: load_lds
# NONE: s_endpgm
# RANGE: error: TW4106: expected an integer from 0 to 2 for option 'direct_copies', got 3

# Instructions along k that read together: as many as a result gives unless fewer are asked for.
# KPACK1: simt.dot {{.*}} atom "bf16.16.n64k16"
# KPACK2: simt.dot {{.*}} atom "bf16.16.n64k32"

# EXTENT: error: TW4106: expected 0, 16 or 32 for option 'matrix_instr_nonkdim', got 8
# CHIP: error: TW4102: expected an AMD architecture, got 'gfx940'
@triton.jit
def matmul(a, b, c, n, k, B: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    column = tl.program_id(1) * B + tl.arange(0, B)
    deep = tl.arange(0, K)
    total = tl.zeros((B, B), tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        inner = step * K + deep
        x = tl.load(a + row[:, None] * k + inner[None, :], mask=(row[:, None] < n) & (inner[None, :] < k), other=0.0)
        y = tl.load(b + inner[:, None] * n + column[None, :], mask=(inner[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.bfloat16), mask=(row[:, None] < n) & (column[None, :] < n))
