# RUN: tilewright compile %s --sig "x:*fp32[:16], o:*fp32[:16]" --target nvidia:sm_90a --emit=kernel -o - | FileCheck %s --check-prefixes=CHECK,HOPPER
# RUN: tilewright compile %s --sig "x:*fp32[:16], o:*fp32[:16]" --target amd:gfx942 --emit=kernel -o - | FileCheck %s --check-prefixes=CHECK,CDNA
# RUN: tilewright compile %s --sig "x:*fp32[:16], o:*fp32[:16]" --target reference --emit=kernel -o - | FileCheck %s --check-prefixes=CHECK,REFERENCE
# RUN: tilewright compile %s --sig "x:*fp32[:16], o:*fp32[:16]" --target null --emit=kernel -o - | FileCheck %s --check-prefixes=CHECK,NULL
# RUN: tilewright compile %s --sig "x:*fp32[:16], o:*fp32[:16]" --target cpu --emit=kernel -o - | FileCheck %s --check-prefixes=CHECK,CPU
# RUN: not tilewright compile %s --sig "x:*fp32, o:*fp32" --target nvidia:sm_12345 --emit=kernel 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# One kernel chooses code by its target; branches for other targets are never typed.
import triton
import triton.language as tl


# UNKNOWN: error: TW
# CHECK: func.func @kernel
# HOPPER: arith.constant {{.*}}9.000000e+01
# CDNA: arith.constant {{.*}}6.400000e+01
# REFERENCE: arith.constant {{.*}}1.000000e+00
# NULL: arith.constant {{.*}}2.000000e+00
# CPU: arith.constant {{.*}}3.000000e+00
@triton.jit
def kernel(x, o):
    i = tl.arange(0, 16)
    a = tl.load(x + i)
    if tl.target.vendor == "nvidia":
        tl.static_assert(tl.target_info.is_cuda() and tl.target_info.cuda_capability_geq(9, 0))
        tl.static_assert(not tl.target_info.cuda_capability_geq(10))
        tl.static_assert(tl.target.arch == "sm_90a" and tl.target.limits["shared_bytes"] == 232448)
        tl.static_assert(tl.target_info.current_target().backend == "cuda")
        a += tl.target_info.current_target().arch
    elif tl.target.vendor == "amd":
        tl.static_assert(tl.target_info.is_hip() and tl.target_info.is_hip_cdna3() and not tl.target_info.is_cuda())
        a += tl.target_info.current_target().warp_size
    elif tl.target.vendor == "reference":
        a += 1.0
    elif tl.target.vendor == "null":
        a += 2.0
    else:
        a += 3.0
    if tl.target.vendor == "toaster":
        a = tl.brown(undefined, *slices)
    tl.store(o + i, a)
