# RUN: tilewright compile %s --kernel added --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16], B=1024" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefixes=ADDED,CDNA
# RUN: tilewright compile %s --kernel added --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16], B=1024" --target amd:gfx950 --emit=asm -o - | FileCheck %s --check-prefixes=ADDED,CDNA
# RUN: tilewright compile %s --kernel added --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16], B=512" --target amd:gfx1100 --emit=asm -o - | FileCheck %s --check-prefixes=ADDED,RDNA
# RUN: tilewright compile %s --kernel added --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16], B=512" --target amd:gfx1201 --emit=asm -o - | FileCheck %s --check-prefixes=ADDED,RDNA
# RUN: tilewright compile %s --kernel tile --sig "x:*fp16[:16], y:*fp16[:16], n:i32[:16], S=4096" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=TILE
# RUN: tilewright compile %s --kernel tile --sig "x:*fp16[:16], y:*fp16[:16], n:i32[:16], S=67108864" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=FLAT
# RUN: tilewright compile %s --kernel tile --sig "x:*fp16[:16], y:*fp16[:16], n:i32[:16], S:i32[:16]" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=FLAT
# RUN: tilewright compile %s --kernel rows --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16], S:i32[:16]" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=ROWS
# RUN: tilewright compile %s --kernel hinted --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16]" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=HINTED
# RUN: tilewright compile %s --kernel fresh --sig "x:*fp32[:16], y:*fp32[:16], n:i32[:16]" --target amd:gfx942 --emit=asm -o - | FileCheck %s --check-prefix=FRESH
import triton
import triton.language as tl


# Lanes that are masked off are outside of the buffer: no branch, and nothing is chosen where 0 is asked for. The last word of a
# descriptor is the generation's own.
# ADDED-LABEL: added:
# CDNA-DAG: 0x27000
# RDNA-DAG: 0x31027000
# CDNA: v_cndmask_b32
# CDNA: buffer_load_dwordx4 {{.*}} offen
# RDNA: buffer_load_b128 {{.*}} offen
# ADDED-NOT: s_cbranch
# CDNA: buffer_store_dwordx4 {{.*}} offen
# RDNA: buffer_store_b128 {{.*}} offen
# ADDED: s_endpgm
@triton.jit
def added(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n, other=0.0) + 1, mask=i < n)


# Rows a constant apart: registers of one lane are one address with constants, where the instruction has room for them. Rows 2^26
# elements apart, or an unknown number of them, are too far for 32 bits.
# TILE-LABEL: tile:
# TILE: buffer_load_dwordx4 {{.*}} offen
# TILE-NOT: global_load
# FLAT-LABEL: tile:
# FLAT-NOT: buffer_
# FLAT: global_load_dwordx4
# FLAT-NOT: buffer_
# FLAT: s_endpgm
@triton.jit
def tile(x, y, n, S):
    i, j = tl.arange(0, 64), tl.arange(0, 64)
    at = i[:, None] * S + j[None, :]
    inside = (i[:, None] < n) & (j[None, :] < n)
    tl.store(y + at, tl.load(x + at, mask=inside), mask=inside)


# A wave reads one row at a time, wherever that is: each has a buffer of its own.
# ROWS-LABEL: rows:
# ROWS-COUNT-4: buffer_load_dwordx4 {{.*}} offen
# ROWS-NOT: s_cbranch
# ROWS-COUNT-4: buffer_store_dwordx4 {{.*}} offen
# ROWS: s_endpgm
@triton.jit
def rows(x, y, n, S):
    i, j = tl.arange(0, 4), tl.arange(0, 1024)
    at = i[:, None] * S + j[None, :]
    inside = (i[:, None] < n) & (j[None, :] < n)
    tl.store(y + at, tl.load(x + at, mask=inside) + 1, mask=inside)


# HINTED: buffer_load_dwordx{{.*}} offen nt
@triton.jit
def hinted(x, y, n):
    i = tl.arange(0, 1024)
    tl.store(y + i, tl.load(x + i, mask=i < n, eviction_policy="evict_first"))


# FRESH-NOT: buffer_load
# FRESH: global_load_dword {{.*}} sc0 sc1
@triton.jit
def fresh(x, y, n):
    i = tl.arange(0, 256)
    tl.store(y + i, tl.load(x + i, mask=i < n, volatile=True))
