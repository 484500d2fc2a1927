//===- InverseTrigonometric.cpp - asin, acos, atan, atan2 ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All in f64, on the usual identities that bring the argument near zero.
//
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/single/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math {

static constexpr double pi = 0x1.921fb54442d18p+1;
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// asin(a), or asin(sqrt((1 - a) / 2)) where a > 1/2: there
/// asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
static Expression asinReduced(Expression a, Expression isLarge) {
  Emitter &e = *a.emitter;
  Expression half = 0.5 - a * 0.5;
  Expression z = e.select(isLarge, half, a * a);
  Expression w = e.select(isLarge, e.sqrt(half), a);
  return e.mulAdd(w * z, e.polynomial(z, coefficients::kAsin), w);
}

Expression asinSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.toDouble(e.abs(x));
  Expression isLarge = a > 0.5;
  Expression y = asinReduced(a, isLarge);
  y = e.select(isLarge, pi / 2 - (y + y), y);
  return e.copySign(e.toSingle(y), x);
}

Expression acosSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression d = e.toDouble(x);
  Expression a = e.abs(d);
  Expression isLarge = a > 0.5;
  Expression y = asinReduced(a, isLarge);
  Expression large = e.select(d < 0.0, pi - (y + y), y + y);
  return e.toSingle(e.select(isLarge, large, pi / 2 - e.copySign(y, d)));
}

/// atan(small / large) for 0 <= small <= large, both zero included.
static Expression atanRatio(Expression small, Expression large) {
  Emitter &e = *small.emitter;
  // Above tan(pi/8) the angle is measured from pi/4.
  Expression isSteep = small > large * 0x1.a827999fcef32p-2;
  Expression numerator = e.select(isSteep, small - large, small);
  Expression denominator = e.select(isSteep, small + large, large);
  // Zero by zero is zero, but NaN stays.
  denominator = e.select(denominator == 0.0, 1.0, denominator);
  Expression q = numerator / denominator;
  Expression z = q * q;
  Expression y = e.mulAdd(q * z, e.polynomial(z, coefficients::kAtan), q);
  return y + e.select(isSteep, pi / 4, constantLike(y, 0.0));
}

Expression atanSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.toDouble(e.abs(x));
  Expression isLarge = a > 1.0;
  Expression y =
      atanRatio(e.select(isLarge, 1.0, a), e.select(isLarge, a, 1.0));
  y = e.select(isLarge, pi / 2 - y, y);
  return e.copySign(e.toSingle(y), x);
}

Expression atan2Single(Expression y, Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.toDouble(e.abs(y)), b = e.toDouble(e.abs(x));
  Expression isSteep = a > b;
  Expression small = e.select(isSteep, b, a), large = e.select(isSteep, a, b);
  Expression bothInfinite = (a == infinity) & (b == infinity);
  Expression angle = atanRatio(e.select(bothInfinite, 1.0, small),
                               e.select(bothInfinite, 1.0, large));
  angle = e.select(isSteep, pi / 2 - angle, angle);
  Expression isLeft = e.toBits(x) < 0.0;
  angle = e.select(isLeft, pi - angle, angle);
  return e.copySign(e.toSingle(angle), y);
}

} // namespace tilewright::math
