//===- Exponential.cpp - exp on f64 and what is made of it ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cody and Waite's reduction by ln 2 in three parts, then Taylor's series, of
// which the terms up to r^4 have twice the precision.
//===----------------------------------------------------------------------===//

#include "backends/math/double/Formulas.h"

using namespace mlir;

namespace tilewright::math::f64 {

/// ln 2 in parts: products of the first with integers of 11 bits are exact.
static constexpr double ln2Parts[] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45,
                                      0x1.f97b57a079a19p-103};
/// 1 / n! from n = 5 on.
static constexpr double inverseFactorials[] = {1.0 / 120,
                                               1.0 / 720,
                                               1.0 / 5040,
                                               1.0 / 40320,
                                               1.0 / 362880,
                                               1.0 / 3628800,
                                               1.0 / 39916800,
                                               1.0 / 479001600,
                                               1.0 / 6227020800,
                                               1.0 / 87178291200,
                                               1.0 / 1307674368000,
                                               1.0 / 20922789888000,
                                               1.0 / 355687428096000};

/// e^r - 1 for |r| <= 0.35, relatively to 2^-64.
static DoubleDouble expm1Reduced(DoubleDouble r) {
  Emitter &e = *r.high.emitter;
  Expression tail = r.high * e.polynomial(r.high, inverseFactorials);
  constexpr Constant2 sixth = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
  constexpr Constant2 twentyFourth = {0x1.5555555555555p-5,
                                      0x1.5555555555555p-59};
  DoubleDouble series = constantOf(r.high, twentyFourth) + tail;
  series = constantOf(r.high, sixth) + r * series;
  series = constantOf(r.high, {0.5, 0}) + r * series;
  return r + (r * r) * series;
}

Exponential exponential(DoubleDouble x) {
  Emitter &e = *x.high.emitter;
  Expression n;
  Expression bits = e.roundToInteger(x.high, kLog2OfE.high, n);
  DoubleDouble middle = product(-n, constantLike(n, ln2Parts[1]));
  Expression first = fused(-n, constantLike(n, ln2Parts[0]), x.high);
  DoubleDouble r = sum(first, middle.high);
  Expression low = fused(-n, constantLike(n, ln2Parts[2]), middle.low + x.low);
  r = quickSum(r.high, r.low + low);
  // The low bits hold the integer: sign-extended from 12 of them.
  return {expm1Reduced(r), (bits << 52) >> 52};
}

Expression scaleBy(Expression y, Expression k) {
  Emitter &e = *y.emitter;
  auto power = [&](Expression exponent) {
    return e.fromBits((exponent + e.integer(64, 1023)) << 52, y.elementType());
  };
  Expression half = k >> 1;
  return (y * power(half)) * power(k - half);
}

static DoubleDouble onePlus(DoubleDouble x) {
  return x + constantLike(x.high, 1.0);
}

Expression roundedExponential(DoubleDouble x) {
  Emitter &e = *x.high.emitter;
  Expression isInside = e.abs(x.high) < 1000.0;
  Expression limit = e.copySign(constantLike(x.high, 1000.0), x.high);
  DoubleDouble inside = {e.select(isInside, x.high, limit),
                         e.select(isInside, x.low, 0.0)};
  auto [rest, exponent] = exponential(inside);
  return scaleBy(rounded(onePlus(rest)), exponent);
}

/// NaN stays, whatever a formula makes of it.
static Expression keepNaN(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  return e.select(e.isNaN(x), x, y);
}

/// e^(x * factor), the product with twice the precision.
static Expression power(Expression x, Constant2 factor) {
  Emitter &e = *x.emitter;
  Expression inside = e.clampBelow(e.clampAbove(x, 1100.0), -1100.0);
  return keepNaN(x, roundedExponential(constantOf(x, factor) * inside));
}

Expression exp(Expression x) {
  return keepNaN(x, roundedExponential(widened(x)));
}

Expression exp2(Expression x) { return power(x, kLn2); }

Expression exp10(Expression x) { return power(x, kLn10); }

/// e^x - 1 for |x| <= 40: 2^k (1 + r) - 1 = 2^k r + (2^k - 1).
static DoubleDouble expm1Inside(DoubleDouble x) {
  Emitter &e = *x.high.emitter;
  auto [rest, exponent] = exponential(x);
  Expression power =
      e.fromBits((exponent + e.integer(64, 1023)) << 52, x.high.elementType());
  DoubleDouble less = sum(power, constantLike(power, -1.0));
  return DoubleDouble{rest.high * power, rest.low * power} + less;
}

static Expression clampTo(Expression x, double limit) {
  return x.emitter->clampBelow(x.emitter->clampAbove(x, limit), -limit);
}

Expression expm1(Expression x) {
  Emitter &e = *x.emitter;
  Expression small = rounded(expm1Inside(widened(clampTo(x, 40.0))));
  Expression y = e.select(x > 39.0, exp(x), small);
  return e.select(e.abs(x) < 0x1p-54, x, keepNaN(x, y));
}

/// e^x / 2 without the overflow of e^x.
static Expression halfExponential(Expression x) {
  Emitter &e = *x.emitter;
  auto [rest, exponent] = exponential(widened(e.clampAbove(x, 1000.0)));
  return scaleBy(rounded(onePlus(rest)), exponent + e.integer(64, -1));
}

Expression sinh(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  DoubleDouble t = expm1Inside(widened(e.clampAbove(a, 40.0)));
  Expression small = rounded(t + t / onePlus(t)) * 0.5;
  Expression y = e.select(a > 39.0, halfExponential(a), small);
  y = e.select(a < 0x1p-30, a, y);
  return keepNaN(x, e.copySign(y, x));
}

Expression cosh(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  DoubleDouble t = onePlus(expm1Inside(widened(e.clampAbove(a, 40.0))));
  DoubleDouble inverse = constantOf(x, {1, 0}) / t;
  Expression small = rounded(t + inverse) * 0.5;
  return keepNaN(x, e.select(a > 39.0, halfExponential(a), small));
}

/// (e^2x - 1) / (e^2x + 1).
Expression tanh(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression inside = e.clampAbove(a, 20.0);
  DoubleDouble t = expm1Inside(widened(inside + inside));
  Expression y = rounded(t / (t + constantLike(x, 2.0)));
  y = e.select(a < 0x1p-30, a, y);
  return keepNaN(x, e.copySign(y, x));
}

} // namespace tilewright::math::f64
