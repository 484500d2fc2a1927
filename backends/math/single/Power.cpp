//===- Power.cpp - pow, cbrt, rsqrt and fmod ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers are exp(y log|x|) in f64, whose error is far below one ulp of f32,
// with the signs and special cases of IEEE 754 (pow).
//
//===----------------------------------------------------------------------===//

#include "backends/math/single/Formulas.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright::math {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// |x|^y in f64; pow(1, y) and pow(x, 0) are 1 even for NaN.
static Expression powMagnitude(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  Expression exponent = y * logDouble(e.abs(x));
  exponent = e.clampBelow(e.clampAbove(exponent, 150.0), -150.0);
  return expDouble(exponent);
}

/// Whether a float is an integer, and whether an odd one.
static Expression isInteger(Expression y) {
  Emitter &e = *y.emitter;
  return e.truncate(y) == y;
}

Expression powSingle(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  Expression magnitude = e.toSingle(powMagnitude(e.toDouble(x), e.toDouble(y)));
  Expression integral = isInteger(y);
  Expression isEven = isInteger(y * 0.5);
  Expression signedResult = e.copySign(magnitude, x);
  Expression result = e.select(isEven, magnitude, signedResult);
  // Not an integer: NaN for finite negative x, else the magnitude.
  Expression isNegative = (x < 0.0) & (x > -infinity);
  Expression fraction = e.select(isNegative, notANumber, magnitude);
  result = e.select(integral, result, fraction);
  result = e.select(e.isNaN(x), x, e.select(e.isNaN(y), y, result));
  Expression isOne = (y == 0.0) | (x == 1.0);
  Expression isMinusOneToInfinity = (x == -1.0) & (e.abs(y) == infinity);
  return e.select(isOne | isMinusOneToInfinity, 1.0, result);
}

Expression powIntegerSingle(Expression x, Expression n) {
  Emitter &e = *x.emitter;
  Expression y =
      e.create<arith::SIToFPOp>(e.shaped(e.builder.getF64Type()), n.value);
  Expression magnitude = e.toSingle(powMagnitude(e.toDouble(x), y));
  Expression isEven = (n & 1) == 0.0;
  Expression result = e.select(isEven, magnitude, e.copySign(magnitude, x));
  return e.select((n == 0.0) | (x == 1.0), 1.0, result);
}

Expression cbrtSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression third = constantLike(e.toDouble(x), 1.0 / 3.0);
  Expression magnitude = powMagnitude(e.toDouble(x), third);
  // log(0) and log(infinity) saturate in powMagnitude; keep them exact.
  Expression y = e.copySign(e.toSingle(magnitude), x);
  Expression isExact = (x == 0.0) | (e.abs(x) == infinity);
  return e.select(isExact, x, y);
}

Expression rsqrtSingle(Expression x) { return 1.0 / x.emitter->sqrt(x); }

/// Long division in base 2^28: each step subtracts a multiple of
/// |y| * 2^(28 i) that is exact in f64. The quotient may be one too large after
/// rounding, which the next line takes back.
Expression fmodSingle(Expression x, Expression y, unsigned steps) {
  Emitter &e = *x.emitter;
  Expression rest = e.toDouble(e.abs(x)), divisor = e.toDouble(e.abs(y));
  for (unsigned i = steps; i-- > 0;) {
    Expression scaled = divisor * std::ldexp(1.0, 28 * i);
    Expression quotient = e.truncate(rest / scaled);
    rest = rest - quotient * scaled;
    rest = e.select(rest < 0.0, rest + scaled, rest);
  }
  Expression result = e.copySign(e.toSingle(rest), x);
  result = e.select(e.abs(y) == infinity, x, result);
  Expression isInvalid =
      (y == 0.0) | e.isNaN(y) |
      e.compare(arith::CmpFPredicate::UEQ, e.abs(x), constantLike(x, infinity));
  return e.select(isInvalid, notANumber, result);
}

} // namespace tilewright::math
