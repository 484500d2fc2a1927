# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Philox-4x32: counter-based random numbers, as in Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"."""
import tilewright.language as tl


def _philox_impl64(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr):
    # Philox-4x64 of the same paper.
    for _ in tl.static_range(n_rounds):
        high_a = tl.umulhi(0xD2E7470EE14C6C93, c0)
        high_b = tl.umulhi(0xCA5A826395121157, c2)
        low_a = 0xD2E7470EE14C6C93 * c0
        low_b = 0xCA5A826395121157 * c2
        c0 = high_b ^ c1 ^ k0
        c1 = low_b
        c2 = high_a ^ c3 ^ k1
        c3 = low_a
        k0 = k0 + 0x9E3779B97F4A7C15
        k1 = k1 + 0xBB67AE8584CAA73B
    return c0, c1, c2, c3


def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = 10):
    if c0.dtype.primitive_bitwidth == 64:
        return _philox_impl64(c0, c1, c2, c3, k0, k1, n_rounds)
    for _ in tl.static_range(n_rounds):
        high_a = tl.umulhi(0xD2511F53, c0)
        high_b = tl.umulhi(0xCD9E8D57, c2)
        low_a = 0xD2511F53 * c0
        low_b = 0xCD9E8D57 * c2
        c0 = high_b ^ c1 ^ k0
        c1 = low_b
        c2 = high_a ^ c3 ^ k1
        c3 = low_a
        k0 = k0 + 0x9E3779B9
        k1 = k1 + 0xBB67AE85
    return c0, c1, c2, c3


@op("philox@1")
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = 10):
    wide_seed = tl.to_tensor(seed).to(tl.uint64)
    if tl.to_tensor(c0).dtype.primitive_bitwidth == 64:
        # 64-bit counters take the whole seed as the low half of the key.
        return philox_impl(tl.to_tensor(c0).to(tl.uint64), tl.to_tensor(c1).to(tl.uint64), tl.to_tensor(c2).to(tl.uint64),
                           tl.to_tensor(c3).to(tl.uint64), wide_seed, wide_seed * 0, n_rounds)
    low = wide_seed.to(tl.uint32)
    high = (wide_seed >> 32).to(tl.uint32)
    a = tl.to_tensor(c0).to(tl.uint32, bitcast=tl.to_tensor(c0).dtype.primitive_bitwidth == 32)
    b = tl.to_tensor(c1).to(tl.uint32, bitcast=tl.to_tensor(c1).dtype.primitive_bitwidth == 32)
    c = tl.to_tensor(c2).to(tl.uint32, bitcast=tl.to_tensor(c2).dtype.primitive_bitwidth == 32)
    d = tl.to_tensor(c3).to(tl.uint32, bitcast=tl.to_tensor(c3).dtype.primitive_bitwidth == 32)
    return philox_impl(a, b, c, d, low, high, n_rounds)


@op("randint4x@1")
def randint4x(seed, offset, n_rounds: tl.constexpr = 10):
    counter = tl.to_tensor(offset)
    zero = counter * 0
    if counter.dtype.primitive_bitwidth > 32:
        return philox(seed, counter.to(tl.uint32), (counter.to(tl.uint64) >> 32).to(tl.uint32), zero, zero, n_rounds)
    return philox(seed, counter, zero, zero, zero, n_rounds)


@op("randint@1")
def randint(seed, offset, n_rounds: tl.constexpr = 10):
    a, b, c, d = randint4x(seed, offset, n_rounds)
    return a


def uint_to_uniform_float(x):
    # Folds the sign, then scales to [0, 1).
    if x.dtype.primitive_bitwidth == 64:
        signed = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    else:
        signed = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    folded = tl.where(signed < 0, -signed - 1, signed)
    return folded * scale


@op("rand@1")
def rand(seed, offset, n_rounds: tl.constexpr = 10):
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@op("rand4x@1")
def rand4x(seed, offset, n_rounds: tl.constexpr = 10):
    a, b, c, d = randint4x(seed, offset, n_rounds)
    return uint_to_uniform_float(a), uint_to_uniform_float(b), uint_to_uniform_float(c), uint_to_uniform_float(d)


def pair_uniform_to_normal(u1, u2):
    # Box-Muller; the bound keeps the logarithm finite.
    bounded = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = tl.sqrt(-2.0 * tl.log(bounded))
    return radius * tl.cos(angle), radius * tl.sin(angle)


@op("randn@1")
def randn(seed, offset, n_rounds: tl.constexpr = 10):
    a, b, c, d = randint4x(seed, offset, n_rounds)
    first, second = pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b))
    return first


@op("randn4x@1")
def randn4x(seed, offset, n_rounds: tl.constexpr = 10):
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4
