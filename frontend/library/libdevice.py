# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of libdevice over the primitives. fp32 is computed in fp64, so that one rounding decides the result."""
import tilewright.language as tl
from tilewright.language.extra import libdevice


def _wide(x):
    value = tl.to_tensor(x)
    tl.static_assert(value.dtype == tl.float32, "this function takes fp32")
    return value.to(tl.float64)


def _gamma_log(x):
    # For x >= 0.5: Stirling's series at x + 10 (DLMF 5.11.1), brought back by the recurrence.
    shift = x * (x + 1) * (x + 2) * (x + 3) * (x + 4)
    shift = shift * ((x + 5) * (x + 6) * (x + 7) * (x + 8) * (x + 9))
    is_small = x < 1e15
    shift = tl.where(is_small, shift, 1.0)
    y = tl.where(is_small, x + 10.0, x)
    r = 1.0 / y
    s = r * r
    series = -1.0 / 360 + s * (1.0 / 1260 + s * (-1.0 / 1680 + s * (1.0 / 1188 - s * (691.0 / 360360))))
    series = r * (1.0 / 12 + s * series)
    return (y - 0.5) * tl.log(y) - y + 0.91893853320467274178 + series - tl.log(shift)


def _gamma_log_at_1(t):
    # The series at 1 (DLMF 5.7.3) for |t| < 1/64: the result is as small as t, and +0 at 0.
    high = 0.20738555102867399 - t * (0.16955717699740818 - t * (0.14404989676884611 - t * 0.12550966952474304))
    low = 0.82246703342411322 - t * (0.40068563438653143 - t * (0.27058080842778454 - t * high))
    return 0.0 - t * (0.57721566490153286 - t * low)


def _sine_pi(x):
    # sin(pi*x) with an exact reduction to half a period.
    r = x - 2.0 * libdevice.rint(x * 0.5)
    r = tl.where(r > 0.5, 1.0 - r, tl.where(r < -0.5, -1.0 - r, r))
    return tl.sin(3.14159265358979323846 * r)


@op("libdevice.lgamma@1")
def lgamma(x):
    v = _wide(x)
    magnitude = tl.abs(v)
    is_reflected = v < 0.5
    # Near 0 the reflection would lose nothing either; 1 - x is exact enough in fp64.
    z = tl.where(is_reflected, 1.0 - v, v)
    value = _gamma_log(z)
    value = tl.where(tl.abs(z - 1.0) < 0.015625, _gamma_log_at_1(z - 1.0), value)
    value = tl.where(tl.abs(z - 2.0) < 0.015625, _gamma_log_at_1(z - 2.0) + libdevice.log1p(z - 2.0), value)
    sine = tl.abs(_sine_pi(v))
    reflected = tl.log(3.14159265358979323846 / sine) - value
    is_pole = (v <= 0.0) & (tl.floor(v) == v)
    result = tl.where(is_reflected, reflected, value)
    result = tl.where(is_pole | (magnitude == float("inf")), float("inf"), result)
    return tl.where(v != v, v, result).to(tl.float32)


@op("libdevice.tgamma@1")
def tgamma(x):
    v = _wide(x)
    is_reflected = v < 0.5
    z = tl.where(is_reflected, 1.0 - v, v)
    value = tl.exp(_gamma_log(z))
    reflected = 3.14159265358979323846 / (_sine_pi(v) * value)
    result = tl.where(is_reflected, reflected, value)
    is_pole = (v < 0.0) & ((tl.floor(v) == v) | (v == -float("inf")))
    result = tl.where(is_pole, float("nan"), result)
    result = tl.where(v == 0.0, 1.0 / v, result)
    result = tl.where(v == float("inf"), v, result)
    return tl.where(v != v, v, result).to(tl.float32)


def _erf_inverse(product, tail):
    # y >= 0 with erfc(y) = tail, where product = tail * (2 - tail). Start of Winitzki (2008), then Halley's steps on erf
    # or, for small tails, on erfc.
    level = tl.log(product)
    part = 4.3307467508 + 0.5 * level
    y = tl.sqrt(tl.maximum(tl.sqrt(part * part - level * 6.8027210884) - part, 0.0))
    for _ in tl.static_range(3):
        error = tl.where(tail < 0.5, tail - libdevice.erfc(y), tl.erf(y) - (1.0 - tail))
        step = error * 0.88622692545275801365 * tl.exp(y * y)
        y = y - step / (1.0 + y * step)
    return tl.where(tail == 0.0, float("inf"), y)


@op("libdevice.erfinv@1")
def erfinv(x):
    v = _wide(x)
    size = tl.abs(v)
    y = _erf_inverse((1.0 - v) * (1.0 + v), 1.0 - size)
    y = tl.where(size > 1.0, float("nan"), y)
    # Small arguments keep their digits.
    y = tl.where(size < 1e-9, size * 0.88622692545275801365, y)
    return tl.where(v != v, v, libdevice.copysign(y, v)).to(tl.float32)


def _erfc_inverse(v):
    tail = tl.where(v > 1.0, 2.0 - v, v)
    y = _erf_inverse(tail * (2.0 - tail), tail)
    y = tl.where(v > 1.0, -y, y)
    y = tl.where(tl.abs(v - 1.0) < 1e-9, (1.0 - v) * 0.88622692545275801365, y)
    return tl.where((v >= 0.0) & (v <= 2.0), y, float("nan"))


@op("libdevice.erfcinv@1")
def erfcinv(x):
    return _erfc_inverse(_wide(x)).to(tl.float32)


@op("libdevice.normcdfinv@1")
def normcdfinv(x):
    return (_erfc_inverse(2.0 * _wide(x)) * -1.4142135623730950488).to(tl.float32)


@op("libdevice.rcbrt@1")
def rcbrt(x):
    return (1.0 / libdevice.cbrt(_wide(x))).to(tl.float32)


@op("libdevice.remainder@1")
def remainder(x, y):
    # IEEE 754: the quotient is rounded to nearest even; every step is exact in fp64.
    v = _wide(x)
    size = tl.abs(_wide(y))
    rest = libdevice.fmod(tl.abs(v), size + size)
    once = rest - size
    twice = tl.where(once + once >= size, once - size, once)
    rest = tl.where(rest + rest > size, twice, rest)
    return tl.where(v < 0.0, -rest, rest).to(tl.float32)


def _length3(x, y, z):
    a = _wide(x)
    b = _wide(y)
    c = _wide(z)
    is_infinite = (tl.abs(a) == float("inf")) | (tl.abs(b) == float("inf")) | (tl.abs(c) == float("inf"))
    return tl.where(is_infinite, float("inf"), a * a + b * b + c * c)


@op("libdevice.norm3d@1")
def norm3d(x, y, z):
    return tl.sqrt(_length3(x, y, z)).to(tl.float32)


@op("libdevice.rnorm3d@1")
def rnorm3d(x, y, z):
    return (1.0 / tl.sqrt(_length3(x, y, z))).to(tl.float32)


def _length4(x, y, z, w):
    d = _wide(w)
    return tl.where(tl.abs(d) == float("inf"), float("inf"), _length3(x, y, z) + d * d)


@op("libdevice.norm4d@1")
def norm4d(x, y, z, w):
    return tl.sqrt(_length4(x, y, z, w)).to(tl.float32)


@op("libdevice.rnorm4d@1")
def rnorm4d(x, y, z, w):
    return (1.0 / tl.sqrt(_length4(x, y, z, w))).to(tl.float32)


@op("libdevice.erfcx@1")
def erfcx(x):
    v = _wide(x)
    low = tl.minimum(v, 20.0)
    small = tl.exp(low * low) * libdevice.erfc(low)
    high = tl.maximum(v, 20.0)
    r = 1.0 / (high * high)
    # 0.5641895835 = 1 / sqrt(pi); DLMF 7.12.1.
    series = 1.0 - r * (0.5 - r * (0.75 - r * (1.875 - r * 6.5625)))
    large = 0.56418958354775628695 / high * series
    result = tl.where(v < 20.0, small, large)
    return tl.where(v != v, v, result).to(tl.float32)


@op("libdevice.normcdf@1")
def normcdf(x):
    return (0.5 * libdevice.erfc(_wide(x) * -0.70710678118654752440)).to(tl.float32)


@op("libdevice.sinpi@1")
def sinpi(x):
    v = _wide(x)
    is_whole = tl.floor(v) == v
    result = tl.where(is_whole, v * 0.0, _sine_pi(v))
    return tl.where(tl.abs(v) == float("inf"), float("nan"), result).to(tl.float32)


@op("libdevice.cospi@1")
def cospi(x):
    v = tl.abs(_wide(x))
    r = v - 2.0 * libdevice.rint(v * 0.5)
    r = 0.5 - tl.abs(r)
    result = tl.sin(3.14159265358979323846 * r)
    return tl.where(v == float("inf"), float("nan"), result).to(tl.float32)


def _length(x, y):
    a = _wide(x)
    b = _wide(y)
    is_infinite = (tl.abs(a) == float("inf")) | (tl.abs(b) == float("inf"))
    return tl.where(is_infinite, float("inf"), tl.sqrt(a * a + b * b))


@op("libdevice.hypot@1")
def hypot(x, y):
    return _length(x, y).to(tl.float32)


@op("libdevice.rhypot@1")
def rhypot(x, y):
    return (1.0 / _length(x, y)).to(tl.float32)


@op("libdevice.fdim@1")
def fdim(x, y):
    a = tl.to_tensor(x)
    difference = a - y
    return tl.where(a <= y, 0.0, difference)


def _exponent(v):
    # Of fp64 numbers made from fp32, which are never subnormal.
    bits = v.to(tl.int64, bitcast=True)
    return ((bits >> 52) & 0x7FF).to(tl.int32) - 1023


@op("libdevice.ilogb@1")
def ilogb(x):
    v = _wide(x)
    result = tl.where(v == 0.0, -2147483648, _exponent(v))
    return tl.where((v != v), -2147483648, tl.where(tl.abs(v) == float("inf"), 2147483647, result))


@op("libdevice.logb@1")
def logb(x):
    v = _wide(x)
    result = _exponent(v).to(tl.float32)
    result = tl.where(v == 0.0, -float("inf"), result)
    result = tl.where(tl.abs(v) == float("inf"), float("inf"), result)
    return tl.where(v != v, v.to(tl.float32), result)


@op("libdevice.ldexp@1")
def ldexp(x, n):
    v = _wide(x)
    # fp32 holds exponents from -149 to 127: a shift beyond 300 changes nothing, and fp64 holds every other result.
    shift = tl.minimum(tl.maximum(tl.to_tensor(n).to(tl.int32), -300), 300)
    scale = ((shift + 1023).to(tl.int64) << 52).to(tl.float64, bitcast=True)
    return (v * scale).to(tl.float32)


@op("libdevice.scalbn@1")
def scalbn(x, n):
    return ldexp(x, n)


@op("libdevice.nextafter@1")
def nextafter(x, y):
    a = tl.to_tensor(x)
    b = tl.to_tensor(y)
    tl.static_assert(a.dtype == tl.float32 and b.dtype == tl.float32, "nextafter takes fp32")
    bits = a.to(tl.int32, bitcast=True)
    # Away from 0 the magnitude grows by one bit.
    grows = (a < b) == (a > 0.0)
    moved = (bits + tl.where(grows, 1, -1)).to(tl.float32, bitcast=True)
    tiny = tl.where(b > 0.0, 1, -2147483647).to(tl.float32, bitcast=True)
    result = tl.where(a == 0.0, tiny, moved)
    result = tl.where(a == b, b, result)
    return tl.where((a != a) | (b != b), a + b, result)
