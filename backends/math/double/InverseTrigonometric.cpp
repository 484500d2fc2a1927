//===- InverseTrigonometric.cpp - asin, acos and atan on f64 ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All are the angle of a point: atan(c) of the nearest of a few slopes c, plus
// the small angle that is left, atan((y - c x) / (x + c y)).
//===----------------------------------------------------------------------===//

#include "backends/math/double/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math::f64 {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr unsigned slopes = 8; ///< c = 0, 1/8, ..., 1

/// atan(i / 8).
static constexpr Constant2 angles[slopes + 1] = {
    {0x0p+0, 0x0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};
/// (atan(u) - u) / u^3 in u^2.
static constexpr double arcTangent[] = {-1.0 / 3,  1.0 / 5,  -1.0 / 7, 1.0 / 9,
                                        -1.0 / 11, 1.0 / 13, -1.0 / 15};

/// The angle of (x, y) in [0, pi / 4], where 0 <= y <= x and x > 0.
static DoubleDouble lowAngle(DoubleDouble y, DoubleDouble x) {
  Emitter &e = *x.high.emitter;
  Expression place;
  e.roundToInteger(y.high / x.high, slopes, place);
  DoubleDouble base = constantOf(x.high, angles[0]);
  for (unsigned i = 1; i <= slopes; ++i)
    base = select(place >= double(i), constantOf(x.high, angles[i]), base);
  Expression slope = place * (1.0 / slopes);
  DoubleDouble u = (y - x * slope) / (x + y * slope);
  Expression z = u.high * u.high;
  Expression series = (u.high * z) * e.polynomial(z, arcTangent);
  DoubleDouble rest = quickSum(u.high, u.low + series);
  return base + rest;
}

/// The angle of (x, y) with y >= 0, rounded.
static Expression angle(DoubleDouble y, DoubleDouble x) {
  Expression isNegative = x.high < 0.0;
  x = select(isNegative, -x, x);
  Expression isSteep = y.high > x.high;
  DoubleDouble low = lowAngle(select(isSteep, x, y), select(isSteep, y, x));
  DoubleDouble half = constantOf(x.high, kHalfPi);
  low = select(isSteep, half - low, low);
  return rounded(select(isNegative, scaled(half, 2) - low, low));
}

Expression atan(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.clampAbove(e.abs(x), 0x1p100);
  Expression y = angle(widened(a), constantOf(x, {1, 0}));
  y = e.select((a < 0x1p-30) | e.isNaN(x), a, y);
  return e.copySign(y, x);
}

/// sqrt(1 - x^2), NaN outside [-1, 1].
static DoubleDouble otherLeg(Expression x) {
  return squareRoot(-product(x, x) + constantLike(x, 1.0));
}

Expression asin(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression y = angle(widened(a), otherLeg(x));
  return e.copySign(e.select(a < 0x1p-30, a, y), x);
}

Expression acos(Expression x) { return angle(otherLeg(x), widened(x)); }

/// Infinities by numbers whose ratio says the same.
static Expression finite(Expression x, Expression other) {
  Emitter &e = *x.emitter;
  Expression isInfinite = e.abs(x) == infinity;
  Expression shrunk = e.select(e.abs(other) == infinity, 0.0, x);
  return e.select(isInfinite, e.copySign(constantLike(x, 1.0), x), shrunk);
}

Expression atan2(Expression y, Expression x) {
  Emitter &e = *x.emitter;
  Expression v = e.abs(finite(y, x)), u = finite(x, y);
  Expression largest = e.select(e.abs(u) > v, e.abs(u), v);
  Expression scale =
      e.select(largest > 0x1p400, 0x1p-600,
               e.select(largest < 0x1p-400, 0x1p600, constantLike(x, 1)));
  Expression isOnAxis = v == 0.0;
  v = v * scale;
  u = u * scale;
  Expression result = angle(widened(v), widened(u));
  // Small angles are quotients, down to denormals.
  Expression isFlat = (u > 0.0) & (v < u * 0x1p-30);
  result = e.select(isFlat, e.abs(finite(y, x)) / e.abs(finite(x, y)), result);
  // On the axis: 0 or pi, by the sign bit of x.
  Expression sign = e.copySign(constantLike(x, 1.0), x);
  Expression onAxis =
      e.select(sign < 0.0, 2 * kHalfPi.high, constantLike(x, 0.0));
  result = e.select(isOnAxis, onAxis, result);
  Expression isNaN = e.isNaN(x) | e.isNaN(y);
  return e.select(isNaN, x + y, e.copySign(result, y));
}

} // namespace tilewright::math::f64
