# RUN: tilewright compile %s --sig "q:*bf16[:16,disjoint], k:*bf16[:16,disjoint], v:*bf16[:16,disjoint], out:*bf16[:16,disjoint], length:i32[:16], scale:fp32, D=128, M=128, N=64" --target amd:gfx942 --emit=simt -o - | FileCheck %s --check-prefix=SIMT
# RUN: tilewright compile %s --sig "q:*bf16[:16,disjoint], k:*bf16[:16,disjoint], v:*bf16[:16,disjoint], out:*bf16[:16,disjoint], length:i32[:16], scale:fp32, D=128, M=128, N=64" --target amd:gfx942 --opt num_warps=4 --emit=asm -o - | FileCheck %s --check-prefix=ASM
# RUN: tilewright compile %s --sig "q:*bf16[:16,disjoint], k:*bf16[:16,disjoint], v:*bf16[:16,disjoint], out:*bf16[:16,disjoint], length:i32[:16], scale:fp32, D=128, M=128, N=64" --target amd:gfx942 --opt num_warps=8 --emit=asm -o - | FileCheck %s --check-prefix=ASM
import triton
import triton.language as tl


# The keys come from memory, in pieces of neighbours; the weights come from the first product, as its registers hold them.
# SIMT: scf.for
# SIMT: simt.dot {{.*}} atom "bf16.16.n64k32"
# SIMT-NOT: simt.convert {{.*}}bf16
# SIMT: simt.dot {{.*}} atom "bf16.16.n64k64"
# SIMT: scf.yield

# Warps without subnormal weights take the exponential as it is.
# ASM-DAG: v_min3_f32
# ASM-DAG: s_cbranch_vcc
# ASM-DAG: v_pk_mul_f32
# ASM-DAG: v_mfma_f32_16x16x16_bf16
# ASM: .vgpr_spill_count: 0
@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    m, n, d = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
    rows = tl.load(q + m[:, None] * D + d[None, :])
    top = tl.full((M,), -float("inf"), tl.float32)
    below = tl.zeros((M,), tl.float32)
    total = tl.zeros((M, D), tl.float32)
    for first in range(0, length, N):
        keys = tl.load(k + (first + n)[None, :] * D + d[:, None])
        scores = tl.dot(rows, keys) * scale
        higher = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp2(scores - higher[:, None])
        kept = tl.exp2(top - higher)
        below = below * kept + tl.sum(weights, 1)
        values = tl.load(v + (first + n)[:, None] * D + d[None, :])
        total = tl.dot(weights.to(values.dtype), values, total * kept[:, None])
        top = higher
    tl.store(out + m[:, None] * D + d[None, :], (total / below[:, None]).to(out.dtype.element_ty))
