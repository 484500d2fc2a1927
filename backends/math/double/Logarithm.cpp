//===- Logarithm.cpp - log on f64 and what is made of it --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log(m) = 2 artanh((m - 1) / (m + 1)), whose series starts with twice the
// precision.
//===----------------------------------------------------------------------===//

#include "backends/math/double/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math::f64 {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
/// sqrt(1/2) as bits: mantissas are taken from here on.
static constexpr int64_t lowestMantissa = 0x3fe6a09e667f3bcd;
/// 1 / (2n + 1) from n = 3 on.
static constexpr double oddInverses[] = {
    1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17,
    1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27, 1.0 / 29};

/// 2 artanh(s) for |s| <= 0.172, relatively to 2^-70.
static DoubleDouble artanhTwice(DoubleDouble s) {
  Emitter &e = *s.high.emitter;
  constexpr Constant2 third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  constexpr Constant2 fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
  DoubleDouble z = s * s;
  Expression tail = z.high * e.polynomial(z.high, oddInverses);
  DoubleDouble series = constantOf(s.high, fifth) + tail;
  series = constantOf(s.high, third) + z * series;
  DoubleDouble half = s + (s * z) * series;
  return scaled(half, 2);
}

namespace {
/// x = 2^exponent * mantissa with a mantissa in [sqrt(1/2), sqrt(2)).
struct Split {
  Expression exponent; ///< integral f64
  Expression factor;   ///< 2^-exponent
};
} // namespace

/// Of a positive normal number below 2^1023.
static Split split(Expression x) {
  Emitter &e = *x.emitter;
  Expression k = (e.toBits(x) - e.integer(64, lowestMantissa)) >> 52;
  Expression factor =
      e.fromBits((e.integer(64, 1023) - k) << 52, x.elementType());
  return {e.smallIntegerToFloat(k), factor};
}

static DoubleDouble timesLn2(Expression exponent) {
  return constantOf(exponent, kLn2) * exponent;
}

/// log of a number near x by its mantissa m: `difference` is m - 1.
static DoubleDouble logarithmOf(DoubleDouble difference, Expression exponent) {
  DoubleDouble above = difference + constantLike(exponent, 2.0);
  return timesLn2(exponent) + artanhTwice(difference / above);
}

DoubleDouble logarithm(Expression x) {
  Emitter &e = *x.emitter;
  // Denormals and the largest numbers: into the middle.
  Expression isSmall = x < 0x1p-500, isLarge = x > 0x1p500;
  Expression scale = e.select(isSmall, 0x1p600,
                              e.select(isLarge, 0x1p-600, constantLike(x, 1)));
  Expression moved =
      e.select(isSmall, -600.0, e.select(isLarge, 600.0, constantLike(x, 0)));
  Expression middle = x * scale;
  auto [exponent, factor] = split(middle);
  Expression mantissa = middle * factor;
  return logarithmOf(widened(mantissa - 1.0), exponent + moved);
}

/// Near 1 the argument itself is m - 1.
DoubleDouble logarithmOfOnePlus(DoubleDouble x) {
  Emitter &e = *x.high.emitter;
  DoubleDouble one = x + constantLike(x.high, 1.0);
  Expression isLarge = one.high > 0x1p500;
  Expression scale = e.select(isLarge, 0x1p-600, constantLike(x.high, 1));
  one = one * scale;
  auto [exponent, factor] = split(one.high);
  DoubleDouble less = DoubleDouble{one.high * factor, one.low * factor} +
                      constantLike(x.high, -1.0);
  exponent = exponent + e.select(isLarge, 600.0, constantLike(x.high, 0));
  return logarithmOf(select(exponent == 0.0, x, less), exponent);
}

/// The results of a logarithm that its series does not give.
static Expression selectSpecialValues(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  y = e.select(x < infinity, y, x);
  Expression pole = constantLike(x, -infinity);
  return e.select(x <= 0.0, e.select(x == 0.0, pole, notANumber), y);
}

Expression log(Expression x) {
  return selectSpecialValues(x, rounded(logarithm(x)));
}

static Expression logarithmTo(Expression x, Constant2 factor) {
  return selectSpecialValues(x, rounded(logarithm(x) * constantOf(x, factor)));
}

Expression log2(Expression x) { return logarithmTo(x, kLog2OfE); }

Expression log10(Expression x) { return logarithmTo(x, kLog10OfE); }

Expression log1p(Expression x) {
  Emitter &e = *x.emitter;
  Expression y = rounded(logarithmOfOnePlus(widened(x)));
  y = e.select(x < infinity, y, x);
  Expression pole = constantLike(x, -infinity);
  y = e.select(x <= -1.0, e.select(x == -1.0, pole, notANumber), y);
  return e.select(e.abs(x) < 0x1p-54, x, y);
}

/// log(1 + a + a^2 / (1 + sqrt(1 + a^2))), and log(2 a) where that is enough.
Expression asinh(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression inside = e.clampAbove(a, 0x1p40);
  DoubleDouble square = product(inside, inside);
  Expression one = constantLike(x, 1.0);
  DoubleDouble below = squareRoot(square + one) + one;
  Expression small = rounded(logarithmOfOnePlus(square / below + inside));
  DoubleDouble large = logarithm(a) + constantOf(x, kLn2);
  Expression y = e.select(a > 0x1p39, rounded(large), small);
  y = e.select((a < 0x1p-30) | (a == infinity) | e.isNaN(x), a, y);
  return e.copySign(y, x);
}

/// log(1 + t + sqrt(t (t + 2))) with t = x - 1.
Expression acosh(Expression x) {
  Emitter &e = *x.emitter;
  DoubleDouble t = sum(e.clampAbove(x, 0x1p40), constantLike(x, -1.0));
  DoubleDouble root = squareRoot(t * (t + constantLike(x, 2.0)));
  Expression small = rounded(logarithmOfOnePlus(t + root));
  Expression large = rounded(logarithm(x) + constantOf(x, kLn2));
  Expression y = e.select(x > 0x1p39, large, small);
  y = e.select(x < infinity, y, x);
  return e.select(x < 1.0, notANumber, y);
}

/// log(1 + 2 a / (1 - a)) / 2.
Expression atanh(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  DoubleDouble below = sum(constantLike(x, 1.0), -a);
  DoubleDouble quotient = widened(a + a) / below;
  Expression y = rounded(logarithmOfOnePlus(quotient)) * 0.5;
  y = e.select(a == 1.0, infinity, y);
  y = e.select(a > 1.0, notANumber, y);
  y = e.select((a < 0x1p-30) | e.isNaN(x), a, y);
  return e.copySign(y, x);
}

} // namespace tilewright::math::f64
