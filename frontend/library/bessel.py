# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bessel functions of libdevice, computed in fp64 so that one rounding decides the fp32 result. Formulas: DLMF 10."""
import tilewright.language as tl
from tilewright.language.extra import libdevice


def _hankel(v, order: tl.constexpr):
    # For v >= 20 the two sums of Hankel's expansion (10.17.3), with the amplitude, and sine and cosine of v.
    inverse = 0.125 / v
    square = inverse * inverse
    p = 1.0
    r = 1.0
    for k in tl.static_range(11, 0, -1):
        p = 1.0 - square * p * ((4 * order - (4 * k - 3) ** 2) * (4 * order - (4 * k - 1) ** 2) / ((2 * k - 1) * (2 * k)))
        r = 1.0 - square * r * ((4 * order - (4 * k - 1) ** 2) * (4 * order - (4 * k + 1) ** 2) / ((2 * k) * (2 * k + 1)))
    r = r * (4 * order - 1) * inverse
    return p, r, 0.56418958354775628695 / tl.sqrt(v), tl.sin(v), tl.cos(v)


def _first_kind(v, order: tl.constexpr):
    # J0 or J1 for v >= 0. Below 1 the power series (10.2.2), up to 20 Miller's backward recurrence (3.6), then Hankel's.
    small = tl.minimum(v, 1.0)
    q = -0.25 * small * small
    series = 1.0
    for k in tl.static_range(9, 0, -1):
        series = 1.0 + q * series / (k * (k + order))
    if order == 1:
        series = series * small * 0.5

    middle = tl.minimum(tl.maximum(v, 1.0), 20.0)
    twice = 2.0 / middle
    above = middle * 0.0
    current = above + 1e-150
    norm = above
    for n in tl.static_range(60, 0, -1):
        below = n * twice * current - above
        above = current
        current = below
        if n % 2 == 1:
            norm = norm + 2.0 * current
    recurrence = (current if order == 0 else above) / (norm - current)

    p, r, amplitude, sine, cosine = _hankel(tl.maximum(v, 20.0), order)
    if order == 0:
        wave = p * (cosine + sine) - r * (sine - cosine)
    else:
        wave = p * (sine - cosine) + r * (sine + cosine)
    result = tl.where(v < 1.0, series, tl.where(v < 20.0, recurrence, wave * amplitude))
    result = tl.where(v == float("inf"), 0.0, result)
    return tl.where(v != v, v, result)


def _second_kind(v, order: tl.constexpr):
    # Y0 or Y1 for v > 0. Up to 20 a Neumann series (10.8.3, 10.23.17) over the backward recurrence, then Hankel's.
    tiny = v < 0.0009765625
    middle = tl.minimum(tl.maximum(v, 0.0009765625), 20.0)
    twice = 2.0 / middle
    above = middle * 0.0
    current = above + 1e-150
    norm = above
    total = above
    for n in tl.static_range(60, 0, -1):
        below = n * twice * current - above
        above = current
        current = below
        index: tl.constexpr = n - 1
        if index % 2 == 0 and index > 0:
            norm = norm + 2.0 * current
        if order == 0 and index % 2 == 0 and index > 0:
            total = total + current * (2.0 * (-1) ** (index // 2) / (index // 2))
        if order == 1 and index % 2 == 1 and index > 1:
            k: tl.constexpr = (index - 1) // 2
            total = total + current * ((-1) ** k * (2 * k + 1) / (k * (k + 1)))
    scale = 1.0 / (norm + current)
    j0 = current * scale
    level = tl.log(middle * 0.5) + 0.57721566490153286061
    if order == 0:
        series = (level * j0 - total * scale) * 0.63661977236758134308
        q = 0.25 * v * v
        low = ((tl.log(v * 0.5) + 0.57721566490153286061) * (1.0 - q) + q) * 0.63661977236758134308
    else:
        j1 = above * scale
        series = ((level - 1.0) * j1 - total * scale - j0 / middle) * 0.63661977236758134308
        low = (v * 0.5 * (tl.log(v * 0.5) + 0.07721566490153286061) - 1.0 / v) * 0.63661977236758134308

    p, r, amplitude, sine, cosine = _hankel(tl.maximum(v, 20.0), order)
    if order == 0:
        wave = p * (sine - cosine) + r * (sine + cosine)
    else:
        wave = r * (sine - cosine) - p * (sine + cosine)
    result = tl.where(tiny, low, tl.where(v < 20.0, series, wave * amplitude))
    result = tl.where(v == float("inf"), 0.0, result)
    result = tl.where(v == 0.0, -float("inf"), result)
    return tl.where(v >= 0.0, result, float("nan"))


@op("libdevice.j0@1")
def j0(x):
    return _first_kind(tl.abs(libdevice._wide(x)), 0).to(tl.float32)


@op("libdevice.j1@1")
def j1(x):
    v = libdevice._wide(x)
    result = _first_kind(tl.abs(v), 1)
    return tl.where(v < 0.0, -result, result).to(tl.float32)


@op("libdevice.y0@1")
def y0(x):
    return _second_kind(libdevice._wide(x), 0).to(tl.float32)


@op("libdevice.y1@1")
def y1(x):
    return _second_kind(libdevice._wide(x), 1).to(tl.float32)


def _largest(n):
    # The largest order of a tile, to bound the loops over orders.
    count = tl.to_tensor(n)
    if len(count.shape) > 0:
        return tl.max(count, None)
    return count


@op("libdevice.jn@1")
def jn(n, x):
    # Upwards from J0 and J1 where the argument exceeds the order, else Miller's recurrence downwards.
    v = libdevice._wide(x)
    size = tl.abs(v)
    order = tl.abs(tl.to_tensor(n).to(tl.int32)) + (size * 0.0 == 1.0).to(tl.int32)
    size = size + order.to(tl.float64) * 0.0
    last = _largest(order)
    previous = _first_kind(size, 0)
    current = _first_kind(size, 1)
    up = tl.where(order == 0, previous, current)
    divisor = tl.where(size == 0.0, 1.0, size)
    for k in range(1, last):
        following = (2.0 * k) / divisor * current - previous
        previous = current
        current = following
        up = tl.where(order == k + 1, current, up)

    inner = tl.minimum(divisor, order.to(tl.float64) + 1.0)
    above = inner * 0.0
    at = above + 1e-250
    norm = above
    down = above
    start = last + 60 + last // 2
    for i in range(start):
        k = start - i
        below = (2.0 * k) / inner * at - above
        above = at
        at = below
        down = tl.where(order == k - 1, at, down)
        norm = norm + tl.where(k % 2 == 1, 2.0, 0.0) * at
        rescale = tl.where(tl.abs(at) > 1e150, 1e-150, 1.0)
        above = above * rescale
        at = at * rescale
        norm = norm * rescale
        down = down * rescale
    down = down / (norm - at)
    result = tl.where(size > order.to(tl.float64), up, down)
    result = tl.where(size == 0.0, tl.where(order == 0, 1.0, 0.0), result)
    result = tl.where(size == float("inf"), 0.0, result)
    is_odd = order % 2 != 0
    flips = is_odd & ((v < 0.0) != (tl.to_tensor(n) < 0))
    result = tl.where(flips, -result, result)
    return tl.where(v != v, v, result).to(tl.float32)


@op("libdevice.yn@1")
def yn(n, x):
    v = libdevice._wide(x)
    order = tl.abs(tl.to_tensor(n).to(tl.int32)) + (v * 0.0 == 1.0).to(tl.int32)
    v = v + order.to(tl.float64) * 0.0
    previous = _second_kind(v, 0)
    current = _second_kind(v, 1)
    result = tl.where(order == 0, previous, current)
    for k in range(1, _largest(order)):
        # Once infinite it stays so; the difference of two infinities would be NaN.
        following = (2.0 * k) / v * current - previous
        following = tl.where(current == -float("inf"), current, following)
        previous = current
        current = following
        result = tl.where(order == k + 1, current, result)
    flips = (order % 2 != 0) & (tl.to_tensor(n) < 0)
    return tl.where(flips, -result, result).to(tl.float32)


def _modified(v, order: tl.constexpr):
    # I0 or I1 for v >= 0: the power series (10.25.2), all terms positive, then the expansion 10.40.1.
    small = tl.minimum(v, 20.0)
    q = 0.25 * small * small
    series = 1.0
    for k in tl.static_range(48, 0, -1):
        series = 1.0 + q * series / (k * (k + order))
    if order == 1:
        series = series * small * 0.5
    large = tl.maximum(v, 20.0)
    inverse = 0.125 / large
    tail = 1.0
    for k in tl.static_range(14, 0, -1):
        tail = 1.0 - inverse * tail * ((4 * order - (2 * k - 1) ** 2) / k)
    # Half of the exponential at a time, so that it overflows no earlier than the result.
    half = tl.exp(large * 0.5)
    result = half * (tail * 0.39894228040143267794 / tl.sqrt(large)) * half
    return tl.where(v < 20.0, series, tl.where(v == float("inf"), v, result))


@op("libdevice.cyl_bessel_i0@1")
def cyl_bessel_i0(x):
    v = libdevice._wide(x)
    return tl.where(v != v, v, _modified(tl.abs(v), 0)).to(tl.float32)


@op("libdevice.cyl_bessel_i1@1")
def cyl_bessel_i1(x):
    v = libdevice._wide(x)
    result = _modified(tl.abs(v), 1)
    result = tl.where(v < 0.0, -result, result)
    return tl.where(v != v, v, result).to(tl.float32)
