//===- Logarithm.cpp - log and the functions made of it ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log, log2, log10, log1p, asinh, acosh and atanh. The argument is split into a
// power of two and m in [sqrt(1/2), sqrt(2)); log(m) is a polynomial in m - 1
// (f32) or in (m - 1) / (m + 1) (f64).
//
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/single/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math {

static constexpr double ln2 = 0x1.62e42fefa39efp-1;
static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// The results of a logarithm that do not come from its polynomial.
static Expression selectSpecialValues(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  y = e.select(x < infinity, y, x);
  Expression pole = constantLike(x, -infinity);
  Expression special = e.select(x == 0.0, pole, notANumber);
  return e.select(x <= 0.0, special, y);
}

/// x = 2^exponent * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), x positive.
static Expression splitSingle(Expression x, Expression &exponent) {
  Emitter &e = *x.emitter;
  Expression isTiny = x < 0x1p-126;
  Expression offset = e.select(isTiny, -23.0, constantLike(x, 0.0));
  Expression bits = e.toBits(e.select(isTiny, x * 0x1p23, x));
  Expression k = (bits - e.integer(32, 0x3f3504f3)) >> 23;
  exponent = e.smallIntegerToFloat(k) + offset;
  return e.fromBits(bits - (k << 23), x.elementType()) - 1.0;
}

Expression logSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression exponent;
  Expression f = splitSingle(x, exponent);
  Expression z = f * f;
  Expression p = f * e.polynomial(f, coefficients::kLogF32);
  Expression t = z * (p + -0.5);
  // ln 2 in two parts; the product with the first one is exact.
  t = e.mulAdd(exponent, -0x1.bd0106p-13, t);
  Expression y = e.mulAdd(exponent, 0x1.63p-1, f + t);
  return selectSpecialValues(x, y);
}

Expression log2Single(Expression x) {
  Emitter &e = *x.emitter;
  Expression exponent;
  Expression f = splitSingle(x, exponent);
  Expression t = (f * f) * e.polynomial(f, coefficients::kLog2F32);
  // log2(e) in two parts.
  t = e.mulAdd(f, 0x1.4ae0cp-26, t);
  t = e.mulAdd(f, 0x1.715476p+0, t);
  return selectSpecialValues(x, exponent + t);
}

/// log(x) for positive normal x; `difference`, when given, is a more exact
/// value of x - 1 and is used where x is near 1.
static Expression logPositive(Expression x, Expression *difference) {
  Emitter &e = *x.emitter;
  Expression bits = e.toBits(x);
  Expression k = (bits - e.integer(64, 0x3fe6a09e667f3bcd)) >> 52;
  Expression f = e.fromBits(bits - (k << 52), x.elementType()) - 1.0;
  if (difference)
    f = e.select(k == 0.0, *difference, f);
  Expression s = f / (f + 2.0);
  Expression z = s * s;
  Expression y = e.mulAdd(s * z, e.polynomial(z, coefficients::kLog), s + s);
  return e.mulAdd(e.smallIntegerToFloat(k), ln2, y);
}

Expression logDouble(Expression x) {
  return selectSpecialValues(x, logPositive(x, nullptr));
}

static Expression log1pDouble(Expression x) {
  Expression sum = x + 1.0;
  return selectSpecialValues(sum, logPositive(sum, &x));
}

Expression log10Single(Expression x) {
  Emitter &e = *x.emitter;
  return e.toSingle(logDouble(e.toDouble(x)) * 0x1.bcb7b1526e50ep-2);
}

Expression log1pSingle(Expression x) {
  Emitter &e = *x.emitter;
  return e.select(x == 0.0, x, e.toSingle(log1pDouble(e.toDouble(x))));
}

/// log1p(a + a^2 / (1 + sqrt(1 + a^2))), a = |x|; nothing cancels.
Expression asinhSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.toDouble(e.abs(x));
  Expression z = a * a;
  // For an infinite a the quotient would be NaN; it is below a anyway.
  Expression q = z / (e.sqrt(z + 1.0) + 1.0);
  Expression y = log1pDouble(a + e.select(a < infinity, q, a));
  return e.copySign(e.toSingle(y), x);
}

/// log1p(t + sqrt(t (t + 2))), t = x - 1, exact in f64.
Expression acoshSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression t = e.toDouble(x) - 1.0;
  Expression y = log1pDouble(t + e.sqrt(t * (t + 2.0)));
  return e.toSingle(e.select(t < 0.0, notANumber, y));
}

Expression atanhSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.toDouble(e.abs(x));
  Expression y = log1pDouble((a + a) / (1.0 - a)) * 0.5;
  return e.copySign(e.toSingle(y), x);
}

} // namespace tilewright::math
