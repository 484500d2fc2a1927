# Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of libdevice on bits and integers, and arithmetic with a stated rounding direction."""
import tilewright.language as tl
from tilewright.language.extra import libdevice


def int_as_float(x):
    return tl.to_tensor(x).to(tl.int32).to(tl.float32, bitcast=True)


def uint_as_float(x):
    return tl.to_tensor(x).to(tl.uint32).to(tl.float32, bitcast=True)


def float_as_int(x):
    return tl.to_tensor(x).to(tl.int32, bitcast=True)


def float_as_uint(x):
    return tl.to_tensor(x).to(tl.uint32, bitcast=True)


def longlong_as_double(x):
    return tl.to_tensor(x).to(tl.int64).to(tl.float64, bitcast=True)


def double_as_longlong(x):
    return tl.to_tensor(x).to(tl.int64, bitcast=True)


def double2loint(x):
    return tl.to_tensor(x).to(tl.int64, bitcast=True).to(tl.int32)


def double2hiint(x):
    return (tl.to_tensor(x).to(tl.int64, bitcast=True) >> 32).to(tl.int32)


def hiloint2double(high, low):
    top = tl.to_tensor(high).to(tl.int32).to(tl.int64) << 32
    return (top | tl.to_tensor(low).to(tl.uint32).to(tl.int64)).to(tl.float64, bitcast=True)


def brev(x):
    value = tl.to_tensor(x)
    bits: tl.constexpr = value.dtype.primitive_bitwidth
    tl.static_assert(bits == 32 or bits == 64, "brev takes integers of 32 or 64 bits")
    v = value.to(tl.core.get_int_dtype(bits, False), bitcast=True)
    mask: tl.constexpr = 2 ** bits - 1
    v = ((v >> 1) & (0x5555555555555555 & mask)) | ((v & (0x5555555555555555 & mask)) << 1)
    v = ((v >> 2) & (0x3333333333333333 & mask)) | ((v & (0x3333333333333333 & mask)) << 2)
    v = ((v >> 4) & (0x0F0F0F0F0F0F0F0F & mask)) | ((v & (0x0F0F0F0F0F0F0F0F & mask)) << 4)
    v = ((v >> 8) & (0x00FF00FF00FF00FF & mask)) | ((v & (0x00FF00FF00FF00FF & mask)) << 8)
    if bits == 64:
        v = ((v >> 16) & 0x0000FFFF0000FFFF) | ((v & 0x0000FFFF0000FFFF) << 16)
    half: tl.constexpr = bits // 2
    v = (v >> half) | (v << half)
    return v.to(value.dtype, bitcast=True)


def byte_perm(x, y, s):
    # Byte i of the result is byte (s >> 4 i) & 7 of the eight bytes of x and y.
    low = tl.to_tensor(x).to(tl.uint32).to(tl.uint64)
    both = low | (tl.to_tensor(y).to(tl.uint32).to(tl.uint64) << 32)
    choice = tl.to_tensor(s).to(tl.uint32)
    result = choice * 0
    for i in tl.static_range(4):
        index = (choice >> (4 * i)) & 7
        byte = (both >> (index * 8).to(tl.uint64)).to(tl.uint32) & 0xFF
        result = result | (byte << (8 * i))
    return result.to(tl.int32, bitcast=True)


def mulhi(x, y):
    a = tl.to_tensor(x)
    b = tl.to_tensor(y)
    if a.dtype.is_int_unsigned():
        return tl.umulhi(a, b)
    if a.dtype.primitive_bitwidth == 32:
        return ((a.to(tl.int64) * b.to(tl.int64)) >> 32).to(tl.int32)
    high = tl.umulhi(a.to(tl.uint64, bitcast=True), b.to(tl.uint64, bitcast=True)).to(tl.int64, bitcast=True)
    return high - tl.where(a < 0, b, 0) - tl.where(b < 0, a, 0)


def mul24(x, y):
    a = tl.to_tensor(x)
    b = tl.to_tensor(y)
    if a.dtype.is_int_unsigned():
        return (a & 0xFFFFFF) * (b & 0xFFFFFF)
    return ((a << 8) >> 8) * ((b << 8) >> 8)


def sad(x, y, z):
    a = tl.to_tensor(x)
    b = tl.to_tensor(y)
    difference = tl.where(a > b, a - b, b - a)
    total = difference.to(tl.uint32, bitcast=True) + tl.to_tensor(z).to(tl.uint32)
    return total.to(a.dtype, bitcast=True)


def hadd(x, y):
    return (x & y) + ((x ^ y) >> 1)


def rhadd(x, y):
    return (x | y) - ((x ^ y) >> 1)


def saturatef(x):
    v = tl.to_tensor(x)
    return tl.where(v > 0.0, tl.minimum(v, 1.0), 0.0)


def llround(x):
    return libdevice.round(x).to(tl.int64)


def _step(value, upwards: tl.constexpr):
    # The next number of fp32 or fp64, for finite values.
    is_double: tl.constexpr = value.dtype == tl.float64
    bits = value.to(tl.int64 if is_double else tl.int32, bitcast=True)
    grows = (value > 0.0) == upwards
    moved = (bits + tl.where(grows, 1, -1)).to(value.dtype, bitcast=True)
    size: tl.constexpr = 5e-324 if is_double else 1e-45
    smallest = tl.full([], size if upwards else -size, value.dtype)
    return tl.where(value == 0.0, smallest, moved)


def _directed(high, low, mode: tl.constexpr):
    # fp32 of the exact number high + low (fp64, |low| at most half a unit of high): to zero, down or up.
    return _directed_from(high.to(tl.float32), high, low, mode)


def _directed_from(near, high, low, mode: tl.constexpr):
    # The same in the type of `near`, which is high rounded to it.
    back = near.to(tl.float64)
    is_above = (back > high) | ((back == high) & (low < 0.0))
    is_below = (back < high) | ((back == high) & (low > 0.0))
    down = tl.where(is_above, _step(near, False), near)
    up = tl.where(is_below, _step(near, True), near)
    if mode == "rz":
        result = tl.where(high > 0.0, down, up)
    elif mode == "rd":
        result = down
    else:
        result = up
    # A quotient of infinity, or NaN, is no matter of rounding.
    return tl.where((tl.abs(high) == float("inf")) | (high != high), near, result)


def _sum(x, y, z, mode: tl.constexpr):
    # x * y + z of fp32: the product is exact in fp64, the error of the sum follows Knuth.
    a = libdevice._wide(x) * libdevice._wide(y)
    b = libdevice._wide(z)
    total = a + b
    part = total - a
    return _directed(total, (a - (total - part)) + (b - part), mode)


def _quotient(x, y, mode: tl.constexpr):
    a = libdevice._wide(x)
    b = libdevice._wide(y)
    quotient = tl.div_rn(a, b)
    rest = tl.fma(-quotient, b, a)
    return _directed(quotient, tl.where(b < 0.0, -rest, rest), mode)


def _root(x, mode: tl.constexpr):
    v = libdevice._wide(x)
    root = tl.sqrt_rn(v)
    return _directed(root, tl.fma(-root, root, v), mode)


def fma_rz(x, y, z):
    return _sum(x, y, z, "rz")


def fma_rd(x, y, z):
    return _sum(x, y, z, "rd")


def fma_ru(x, y, z):
    return _sum(x, y, z, "ru")


def add_rz(x, y):
    return _sum(x, 1.0, y, "rz")


def add_rd(x, y):
    return _sum(x, 1.0, y, "rd")


def add_ru(x, y):
    return _sum(x, 1.0, y, "ru")


def sub_rz(x, y):
    return _sum(y, -1.0, x, "rz")


def sub_rd(x, y):
    return _sum(y, -1.0, x, "rd")


def sub_ru(x, y):
    return _sum(y, -1.0, x, "ru")


def mul_rz(x, y):
    return _directed(libdevice._wide(x) * libdevice._wide(y), 0.0, "rz")


def mul_rd(x, y):
    return _directed(libdevice._wide(x) * libdevice._wide(y), 0.0, "rd")


def mul_ru(x, y):
    return _directed(libdevice._wide(x) * libdevice._wide(y), 0.0, "ru")


def div_rz(x, y):
    return _quotient(x, y, "rz")


def div_rd(x, y):
    return _quotient(x, y, "rd")


def div_ru(x, y):
    return _quotient(x, y, "ru")


def rcp_rz(x):
    return _quotient(1.0, x, "rz")


def rcp_rd(x):
    return _quotient(1.0, x, "rd")


def rcp_ru(x):
    return _quotient(1.0, x, "ru")


def sqrt_rz(x):
    return _root(x, "rz")


def sqrt_rd(x):
    return _root(x, "rd")


def sqrt_ru(x):
    return _root(x, "ru")


def _from_integer(x, mode: tl.constexpr, result: tl.constexpr = tl.float32):
    # 64-bit integers are a sum of their fp64 and the rest of at most 11 bits.
    value = tl.to_tensor(x)
    high = value.to(tl.float64)
    back = high.to(value.dtype)
    rest = (value - back).to(tl.int64).to(tl.float64)
    # Beyond the largest integer the conversion back has saturated.
    beyond: tl.constexpr = 2.0 ** (value.dtype.primitive_bitwidth - (0 if value.dtype.is_int_unsigned() else 1))
    return _directed_from(high.to(result), high, tl.where(high == beyond, rest - 1.0, rest), mode)


def int2float_rz(x):
    return _from_integer(x, "rz")


def int2float_rd(x):
    return _from_integer(x, "rd")


def int2float_ru(x):
    return _from_integer(x, "ru")


def uint2float_rz(x):
    return _from_integer(x, "rz")


def uint2float_rd(x):
    return _from_integer(x, "rd")


def uint2float_ru(x):
    return _from_integer(x, "ru")


def ll2float_rz(x):
    return _from_integer(x, "rz")


def ll2float_rd(x):
    return _from_integer(x, "rd")


def ll2float_ru(x):
    return _from_integer(x, "ru")


def ull2float_rz(x):
    return _from_integer(x, "rz")


def ull2float_rd(x):
    return _from_integer(x, "rd")


def ull2float_ru(x):
    return _from_integer(x, "ru")


def ll2double_rz(x):
    return _from_integer(x, "rz", tl.float64)


def ll2double_rd(x):
    return _from_integer(x, "rd", tl.float64)


def ll2double_ru(x):
    return _from_integer(x, "ru", tl.float64)


def ull2double_rz(x):
    return _from_integer(x, "rz", tl.float64)


def ull2double_rd(x):
    return _from_integer(x, "rd", tl.float64)


def ull2double_ru(x):
    return _from_integer(x, "ru", tl.float64)


def double2float_rz(x):
    return _directed(tl.to_tensor(x), 0.0, "rz")


def double2float_rd(x):
    return _directed(tl.to_tensor(x), 0.0, "rd")


def double2float_ru(x):
    return _directed(tl.to_tensor(x), 0.0, "ru")
