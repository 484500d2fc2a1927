# RUN: tilewright compile %s --kernel sums --sig "a:*bf16[:16,disjoint], b:*bf16[:16,disjoint], c:*fp32[:16,disjoint], k:i32, B=128, K=64" --target amd:gfx950 --emit=asm -o - | FileCheck %s
import triton
import triton.language as tl


# Waves exchange maxima through the LDS in the loop: neither what they write nor what they read waits for the copies under way.
# CHECK: s_waitcnt vmcnt(8)
# CHECK-NOT: vmcnt
# CHECK-COUNT-8: global_load_lds_dwordx4
# CHECK-NOT: vmcnt
# CHECK: ds_read
# CHECK-NOT: vmcnt
# CHECK: v_mfma_f32_16x16x32_bf16
# CHECK-NOT: vmcnt
# CHECK: ds_write_b128
# CHECK: s_waitcnt vmcnt(0)
@triton.jit
def sums(a, b, c, k, B: tl.constexpr, K: tl.constexpr):
    i, d = tl.arange(0, B), tl.arange(0, K)
    total = tl.zeros((B, B), tl.float32)
    most = tl.zeros((B,), tl.float32)
    for step in range(0, k, K):
        x = tl.load(a + i[:, None] * 4096 + (step + d)[None, :])
        y = tl.load(b + (step + d)[:, None] * 4096 + i[None, :])
        total = tl.dot(x, y, total)
        most += tl.max(total, axis=0)
        total = total - most[None, :]
    tl.store(c + i, most)
    tl.store(c + B + i[:, None] * B + i[None, :], total)
