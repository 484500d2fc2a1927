# The shape of the PTX: wide accesses, reductions by shuffles, atomics with their order and scope, inline assembly.
# RUN: tilewright compile %s --kernel copy --sig "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], n:i32[:16], BLOCK=1024" --target nvidia:sm_90a --emit asm -o %t.copy
# RUN: FileCheck %s --check-prefix=COPY --input-file %t.copy
# RUN: tilewright compile %s --kernel copy --sig "x:*fp32, out:*fp32, n:i32, BLOCK=1024" --target nvidia:sm_80 --emit asm -o %t.any
# RUN: FileCheck %s --check-prefix=ANY --input-file %t.any
# RUN: tilewright compile %s --kernel row_sum --sig "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], BLOCK=1024" --target nvidia:sm_80 --emit asm -o %t.sum
# RUN: FileCheck %s --check-prefix=SUM --input-file %t.sum
# RUN: tilewright compile %s --kernel count --sig "x:*i32[:16]" --target nvidia:sm_80 --emit asm -o %t.count
# RUN: FileCheck %s --check-prefix=COUNT --input-file %t.count
# RUN: tilewright compile %s --kernel assembly --sig "x:*i32[:16]" --target nvidia:sm_80 --emit asm -o %t.assembly
# RUN: FileCheck %s --check-prefix=ASM --input-file %t.assembly
# RUN: tilewright compile %s --kernel shift --sig "x:*i64[:16], n:*i64[:16]" --target nvidia:sm_80 --emit asm -o %t.shift
# RUN: FileCheck %s --check-prefix=SHIFT --input-file %t.shift
# RUN: tilewright compile %s --kernel share --sig "x:*fp32[:16,disjoint], out:*fp32[:16,disjoint], BLOCK=1024" --target nvidia:sm_80 --emit asm -o %t.share
# RUN: FileCheck %s --check-prefix=SHARE --input-file %t.share
# RUN: tilewright compile %s --kernel narrow --sig "x:*fp32[:16,disjoint], out:*bf16[:16,disjoint]" --target nvidia:sm_80 --emit asm -o %t.narrow
# RUN: FileCheck %s --check-prefix=NARROW --input-file %t.narrow
# RUN: tilewright compile %s --kernel narrow --sig "x:*fp32[:16,disjoint], out:*bf16[:16,disjoint]" --target nvidia:sm_75 --emit asm -o %t.old
# RUN: FileCheck %s --check-prefix=BITS --input-file %t.old
# RUN: tilewright compile %s --kernel narrow --sig "x:*fp32[:16,disjoint], out:*bf16[:16,disjoint]" --target nvidia:sm_80 --math portable --emit asm -o %t.portable
# RUN: FileCheck %s --check-prefix=BITS --input-file %t.portable
import tilewright as tw
import tilewright.language as tl


# Whole groups of 16 bytes lie inside or outside of the bounds, because n is a multiple of 16.
# COPY-LABEL: .entry copy
# COPY-COUNT-2: ld.global.v4.b32
# COPY-COUNT-2: st.global.v4.b32
# COPY: ret;

# Without facts each element has its own guard.
# ANY-LABEL: .entry copy
# ANY-NOT: .v4
# ANY-COUNT-8: ld.global.b32
# ANY-COUNT-8: st.global.b32
# ANY: ret;
@tw.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


# Eight elements a thread, then the lanes of a warp, then one word of each warp.
# SUM-LABEL: .entry row_sum
# SUM-COUNT-2: ld.global.v4.b32
# SUM-COUNT-5: shfl.sync.bfly.b32
# SUM: st.shared.b32
# SUM: bar.sync
# SUM: ld.shared.v4.b32
# SUM-NOT: bar.sync
# SUM: st.global.b32
@tw.jit
def row_sum(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK))))


# One reciprocal and one product an element; what extreme divisors need stands behind a branch.
# SHARE-LABEL: .entry share
# SHARE: bar.sync
# SHARE: rcp.approx.ftz.f32
# SHARE-NOT: rcp
# SHARE-COUNT-8: mul.{{.*}}f32
# SHARE-NOT: mul
# SHARE: bra
@tw.jit
def share(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i)
    tl.store(out + i, value / tl.sum(value))


# Release covers what all threads did before, acquire what they do later.
# COUNT-LABEL: .entry count
# COUNT-NOT: fence
# COUNT: atom.relaxed.gpu.global.add.u32
# COUNT: fence.acq_rel.sys
# COUNT: bar.sync
# COUNT: atom.acq_rel.sys.global.add.u32
# COUNT: bar.sync
# COUNT: fence.acq_rel.sys
# COUNT: fence.acq_rel.cta
# COUNT: bar.sync
# COUNT: atom.release.cta.global.max.s32
# COUNT: atom.acquire.gpu.global.cas.b32
# COUNT: bar.sync
# COUNT: fence.acq_rel.gpu
@tw.jit
def count(x):
    tl.atomic_add(x, 1, sem="relaxed", scope="gpu")
    tl.atomic_add(x + 1, 1, sem="acq_rel", scope="sys")
    tl.atomic_max(x + 2, 7, sem="release", scope="cta")
    tl.atomic_cas(x + 3, 0, 5, sem="acquire", scope="gpu")


# ASM-LABEL: .entry assembly
# ASM: ld.global.b32 [[IN:%r[0-9]+]]
# ASM: add.u32 [[OUT:%r[0-9]+]], [[IN]], 3;
# ASM: st.global.b32 {{.*}}, [[OUT]];
@tw.jit
def assembly(x):
    i = tl.arange(0, 128)
    v = tl.inline_asm_elementwise("add.u32 $0, $1, 3;", "=r,r", [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(x + i, v)


# The guard of a shift looks at all 64 bits of its amount; the instruction reads 32.
# SHIFT-LABEL: .entry shift
# SHIFT: setp.{{lt|gt}}.u64 %[[INSIDE:p[0-9]+]]
# SHIFT: shl.b64
# SHIFT: selp.b64 {{.*}}%[[INSIDE]]
@tw.jit
def shift(x, n):
    i = tl.arange(0, 256)
    tl.store(x + i, tl.load(x + i) << tl.load(n + i))


# One instruction for two numbers where there is one; integer code else, and in portable mode, where NaN has stated bits.
# NARROW-LABEL: .entry narrow
# NARROW: cvt.rn.bf16x2.f32
# NARROW-NOT: cvt
# NARROW: st.global.b32
# BITS-LABEL: .entry narrow
# BITS-NOT: bf16
# BITS: 32767
# BITS-NOT: bf16
# BITS: st.global.b32
@tw.jit
def narrow(x, out):
    i = tl.arange(0, 256)
    tl.store(out + i, tl.load(x + i).to(tl.bfloat16))
