//===- Power.cpp - Powers, roots and remainders on f64 ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pow and cbrt are exponentials of logarithms with twice the precision.
//===----------------------------------------------------------------------===//

#include "backends/math/double/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math::f64 {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

static Expression isInteger(Expression y) {
  return y.emitter->truncate(y) == y;
}

/// |x|^y for finite x and y; the rest is right where nothing has to be exact.
static Expression powMagnitude(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression isRegular = (a > 0.0) & (a < infinity);
  DoubleDouble log = logarithm(e.select(isRegular, a, 1.0));
  // Exponents of that size overflow whatever the base, unless it is 1.
  Expression inside = e.clampBelow(e.clampAbove(y, 0x1p70), -0x1p70);
  Expression magnitude = roundedExponential(log * inside);
  Expression isZero = (a == 0.0) == (y > 0.0);
  Expression extreme = e.select(isZero, 0.0, constantLike(x, infinity));
  extreme = e.select(y == 0.0, 1.0, extreme);
  return e.select(isRegular, magnitude, extreme);
}

/// C's pow: infinities, zeros and signs as in Annex F.
Expression pow(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  Expression magnitude = powMagnitude(x, y);
  Expression isEven = isInteger(y * 0.5);
  Expression result = e.select(isEven, magnitude, e.copySign(magnitude, x));
  // Not an integer: NaN for finite negative x, else the magnitude.
  Expression isNegative = (x < 0.0) & (x > -infinity);
  Expression fraction = e.select(isNegative, notANumber, magnitude);
  result = e.select(isInteger(y), result, fraction);
  result = e.select(e.isNaN(x), x, e.select(e.isNaN(y), y, result));
  Expression isOne = (y == 0.0) | (x == 1.0);
  Expression isMinusOneToInfinity = (x == -1.0) & (e.abs(y) == infinity);
  return e.select(isOne | isMinusOneToInfinity, 1.0, result);
}

Expression cbrt(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression isRegular = (a > 0.0) & (a < infinity);
  constexpr Constant2 third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  DoubleDouble log = logarithm(e.select(isRegular, a, 1.0));
  Expression root = roundedExponential(log * constantOf(x, third));
  return e.select(isRegular, e.copySign(root, x), x);
}

Expression rsqrt(Expression x) {
  Emitter &e = *x.emitter;
  return 1.0 / e.sqrt(x);
}

namespace {
/// A finite number but zero: magnitude = mantissa * 2^exponent.
struct Parts {
  Expression mantissa; ///< in [1, 2)
  Expression exponent; ///< i64
};
} // namespace

static Parts partsOf(Expression magnitude) {
  Emitter &e = *magnitude.emitter;
  Expression isDenormal = magnitude < 0x1p-1022;
  Expression bits =
      e.toBits(e.select(isDenormal, magnitude * 0x1p54, magnitude));
  Expression exponent = (bits >> 52) - e.integer(64, 1023);
  Expression lower = exponent - e.integer(64, 54);
  Expression mantissa = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
  return {e.fromBits(mantissa, magnitude.elementType()),
          e.select(isDenormal, lower, exponent)};
}

/// C's fmod: the mantissa of x times 2^n modulo that of y, n being the
/// difference of exponents, 50 bits of n a step. Quotients are below 2^51, so
/// that rests are exact; a quotient that was rounded up makes one negative.
Expression fmod(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  constexpr int bitsOfStep = 50, steps = 42; // 2098 bits at most
  auto [rest, high] = partsOf(e.abs(x));
  auto [divisor, low] = partsOf(e.abs(y));
  Expression left = high - low;
  Expression none = e.integer(64, 0), most = e.integer(64, bitsOfStep);
  rest = e.select(rest >= divisor, rest - divisor, rest);
  for (int step = 0; step < steps; ++step) {
    Expression bits =
        e.select(left > most, most, e.select(left > none, left, none));
    left = left - bits;
    Expression power =
        e.fromBits((bits + e.integer(64, 1023)) << 52, rest.elementType());
    Expression dividend = rest * power;
    Expression quotient = e.truncate(dividend / divisor);
    rest = fused(-quotient, divisor, dividend);
    rest = e.select(rest < 0.0, rest + divisor, rest);
  }
  Expression result = e.copySign(scaleBy(rest, low), x);
  result = e.select(e.abs(x) < e.abs(y), x, result);
  Expression isInvalid =
      (y == 0.0) | e.isNaN(y) |
      e.compare(arith::CmpFPredicate::UEQ, e.abs(x), constantLike(x, infinity));
  return e.select(isInvalid, notANumber, result);
}

} // namespace tilewright::math::f64
