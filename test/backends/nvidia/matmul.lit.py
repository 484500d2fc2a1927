# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target nvidia:sm_80 --opt num_warps=8 --emit=simt -o - | FileCheck %s --check-prefix=SIMT
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target nvidia:sm_80 --opt num_warps=8 --emit=asm -o - | FileCheck %s --check-prefix=PTX
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*bf16[:16,disjoint], n:i32[:16], k:i32[:16], B=128, K=64" --target nvidia:sm_75 --emit=asm -o - | FileCheck %s --check-prefix=OLD
# RUN: tilewright compile %s --kernel matmul --sig "a:*bf16, b:*bf16, c:*bf16, n:i32, k:i32, B=64, K=16" --target nvidia:sm_80 --emit=simt -o - | FileCheck %s --check-prefix=UNALIGNED
# RUN: tilewright compile %s --kernel chain --sig "a:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16]" --target nvidia:sm_80 --emit=simt -o - | FileCheck %s --check-prefix=CHAIN
import triton
import triton.language as tl


# One wait and one barrier an iteration, copies two iterations ahead.
# SIMT-DAG: simt.alloc {{.*}}3 x[128, 64]
# SIMT-DAG: simt.alloc {{.*}}3 x[64, 128]
# SIMT-COUNT-4: simt.async_copy
# SIMT: scf.for
# SIMT-NEXT: simt.async_wait 1
# SIMT: simt.barrier
# SIMT-NEXT: simt.async_copy
# SIMT: simt.async_copy
# SIMT: simt.async_commit
# SIMT-NOT: simt.barrier
# SIMT: simt.local_load
# SIMT-NEXT: simt.local_load
# SIMT-NEXT: simt.dot {{.*}} atom "m16n8k16.bf16"
# SIMT-NOT: simt.barrier
# SIMT: scf.yield
# SIMT: simt.async_wait 0

# PTX: cp.async.cg.shared.global {{.*}}, 16
# PTX: cp.async.wait_group 1
# PTX-DAG: ldmatrix.sync.aligned.m8n8.x4.shared.b16
# PTX-DAG: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
# PTX-DAG: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32

# OLD-NOT: mma.sync
# OLD-NOT: cp.async
# OLD: fma.rn.f32

# Elements of two bytes at odd addresses are not copied asynchronously.
# UNALIGNED-NOT: simt.async_copy
# UNALIGNED: atom "m16n8k16.bf16"
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


# What a product gives is the next one's left operand as it is.
# CHAIN: simt.dot
# CHAIN-NEXT: arith.truncf
# CHAIN-NEXT: simt.dot
@triton.jit
def chain(a, o, n):
    i = tl.arange(0, 64)
    x = tl.load(a + i[:, None] * n + i[None, :])
    p = tl.dot(x, x).to(tl.float16)
    tl.store(o + i[:, None] * n + i[None, :], tl.dot(p, x).to(tl.float16))
