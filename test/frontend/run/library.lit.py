# RUN: tilewright run %s --kernel philox --grid 1 --arg o=u64[4] --arg s=0 --print o | FileCheck %s --check-prefix=PHILOX
# RUN: tilewright run %s --kernel mapped --grid 1 --arg o=i32[8] --print o | FileCheck %s --check-prefix=MAP
# RUN: tilewright run %s --kernel device --grid 1 --arg o=fp32[8] --arg p=fp32[8] --arg q=i32[4] --arg r=fp32[4] --print o --print p --print q --print r | FileCheck %s --check-prefix=DEVICE
# RUN: not tilewright compile %s --kernel refused --sig "x:*fp16" --emit=tile 2>&1 | FileCheck %s --check-prefix=REFUSED
# Functions of the library: known values of mathematics and the published test vector of Philox-4x64.
import triton
import triton.language as tl
from triton.language.extra import libdevice


# 16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b
# PHILOX: o: u64[4] 1609277786247541068 15789900245555285980 15557529670647158635 9108730954146095675
@triton.jit
def philox(o, s):
    zero = tl.arange(0, 1).to(tl.uint64)
    a, b, c, d = tl.philox(s, zero, zero, zero, zero)
    tl.store(o + 0, a.sum())
    tl.store(o + 1, b.sum())
    tl.store(o + 2, c.sum())
    tl.store(o + 3, d.sum())


@triton.jit
def difference(x, y):
    return tl.where(x > y, x - y, 0), 10


# MAP: o: i32[8] 0 0 1 0 10 10 10 10
@triton.jit
def mapped(o):
    i = tl.arange(0, 2)
    a, b = tl.map_elementwise(difference, i[:, None], i[None, :])
    at = i[:, None] * 2 + i[None, :]
    tl.store(o + at, a)
    tl.store(o + 4 + at, b)


# ln 2, ln(sqrt(pi)), 4!, -2 sqrt(pi), erf(0.4769362762) = 0.5, Phi(0), exp(1) erfc(1), the zero at 1
# DEVICE: o: fp32[8] 0.693147{{[0-9]*}} 0.572364{{[0-9]*}} 24 -3.544907{{[0-9]*}} 0.476936{{[0-9]*}} 0.5 0.427583{{[0-9]*}} 0
# DEVICE: p: fp32[8] 5 0.2{{0*3*}} 1 -1 1.000000{{1|12}}{{[0-9]*}} 48 2 inf
# DEVICE: q: i32[4] 3 -149 0 0
# DEVICE: r: fp32[4] 0.765197{{[67][0-9]*}} -0.2459357{{[0-9]*}} -0.0863679{{[89][0-9]*}} -0.440050{{[56][0-9]*}}
@triton.jit
def device(o, p, q, r):
    one = 1.0
    tl.store(o + 0, libdevice.lgamma(one + 2))
    tl.store(o + 1, libdevice.lgamma(one / 2))
    tl.store(o + 2, libdevice.tgamma(one + 4))
    tl.store(o + 3, libdevice.tgamma(-one / 2))
    tl.store(o + 4, libdevice.erfinv(one / 2))
    tl.store(o + 5, libdevice.normcdf(one - 1))
    tl.store(o + 6, libdevice.erfcx(one))
    tl.store(o + 7, libdevice.lgamma(one))
    tl.store(p + 0, libdevice.hypot(one + 2, one + 3))
    tl.store(p + 1, libdevice.rhypot(one + 2, one + 3))
    tl.store(p + 2, libdevice.sinpi(one / 2))
    tl.store(p + 3, libdevice.cospi(one + 2))
    tl.store(p + 4, libdevice.nextafter(one, one + 1))
    tl.store(p + 5, libdevice.ldexp(one + 2, 4))
    tl.store(p + 6, libdevice.fdim(one + 4, one + 2))
    tl.store(p + 7, libdevice.lgamma(-one))
    tl.store(q + 0, libdevice.ilogb(one * 10))
    tl.store(q + 1, libdevice.ilogb(libdevice.ldexp(one, -149)))
    tl.store(r + 0, libdevice.j0(one))
    tl.store(r + 1, libdevice.j0(one * 10))
    tl.store(r + 2, libdevice.j0(one * -30))
    tl.store(r + 3, libdevice.j1(-one))
    tl.static_assert(tl.extra.libdevice.logb(one).dtype == tl.float32)


@triton.jit
def single(a, b, c, d):
    return a, b


@triton.jit
def loaded(x):
    return tl.load(x)


@triton.jit
def counted(n):
    total = 0
    for k in range(n):
        total += k
    return total


@triton.jit
def refused(x):
    i = tl.arange(0, 8)
    libdevice.lgamma(tl.load(x + i))
    tl.lgamma(i)
    tl.map_elementwise(single, i, pack=4)
    tl.map_elementwise(difference, i, i, pack=3)
    tl.map_elementwise(loaded, x + i)
    tl.map_elementwise(counted, i)


# REFUSED: TW2301: static assertion failed: this function takes fp32
# REFUSED: TW2177: 'tl.lgamma' is not part of the language
# REFUSED: TW2235: expected 4 results for each tensor, got 2 in all
# REFUSED: TW2235: expected a power of two up to the number of elements, 8, got 3
# REFUSED: TW2237: expected a function of elements that only computes and branches, got one with an access to memory or another effect
# REFUSED: TW2237: expected a function of elements that only computes and branches, got one with a loop whose bounds depend on the element
# REFUSED-NOT: error
