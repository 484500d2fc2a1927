# RUN: tilewright compile %s --kernel softmax --sig "x:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16], B=1024" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,WAVE64
# RUN: tilewright compile %s --kernel softmax --sig "x:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16], B=1024" --target amd:gfx1100 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,WAVE32
# RUN: tilewright compile %s --kernel softmax --sig "x:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16], B=1024" --target amd:gfx90a+sramecc-xnack --emit=asm -o - | FileCheck %s --check-prefix=FEATURES
# RUN: tilewright compile %s --kernel softmax --sig "x:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16], B=1024" --target amd:gfx11-generic --emit=asm -o - | FileCheck %s --check-prefix=GENERIC
# RUN: tilewright compile %s --kernel softmax --sig "x:*fp16[:16,disjoint], o:*fp16[:16,disjoint], n:i32[:16], B=1024" --target amd:gfx942 --opt waves_per_eu=4 --emit=llvm -o - | FileCheck %s --check-prefix=WAVES
import triton
import triton.language as tl


# Lanes combine in the vector unit, waves through the LDS.
# CHECK: buffer_load_
# CHECK: row_
# CHECK: s_barrier
# CHECK: buffer_store_
# WAVE64: .reqd_workgroup_size:
# WAVE64-NEXT: - 256
# WAVE64: .wavefront_size: 64
# WAVE32: .reqd_workgroup_size:
# WAVE32-NEXT: - 128
# WAVE32: .wavefront_size: 32
# FEATURES: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
# GENERIC: .amdgcn_target "amdgcn-amd-amdhsa--gfx11-generic"
# GENERIC: .amdhsa_code_object_version 6
# WAVES: "amdgpu-waves-per-eu"="4"
@triton.jit
def softmax(x, o, n, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * n + i, (e / tl.sum(e, 0)).to(tl.float16), mask=i < n)
