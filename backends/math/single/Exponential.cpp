//===- Exponential.cpp - exp and the functions made of it ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, exp2, exp10, expm1, sinh, cosh and tanh. Reduction by Cody and Waite:
// the nearest multiple of ln 2 is subtracted in two parts, a polynomial gives
// the exponential of the rest and the exponent bits give the power of two.
//
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/single/Formulas.h"

using namespace mlir;

namespace tilewright::math {

static constexpr double log2OfE = 0x1.71547652b82fep+0;
static constexpr double ln2 = 0x1.62e42fefa39efp-1;
// ln 2 in two parts; products of the first with small integers are exact.
static constexpr double ln2HighSingle = 0x1.63p-1;
static constexpr double ln2LowSingle = -0x1.bd0106p-13;

/// y * 2^k for k in [-252, 254] by two factors, so that a denormal result is
/// rounded once; `k` holds the integer in its low 9 bits.
static Expression scaleSingle(Expression y, Expression k) {
  Emitter &e = *y.emitter;
  Expression half = (k >> 1) << 23;
  Expression one = e.integer(32, 0x3f800000);
  Expression first = e.fromBits(half + one, y.elementType());
  Expression second = e.fromBits((k << 23) - half + one, y.elementType());
  return (y * first) * second;
}

/// exp(r) - 1 for |r| <= ln2 / 2 with a small relative error.
static Expression expm1Reduced(Expression r, ArrayRef<double> coefficients) {
  Emitter &e = *r.emitter;
  return e.mulAdd(r * r, e.polynomial(r, coefficients), r);
}

static constexpr double log2OfEHigh = 0x1.7154p+0; // 15 bits
static constexpr double log2OfELow = 0x1.d94ae0bf85ddfp-18;

/// exp(x) / 2^k; `k` holds the integer in its low bits.
static Expression reduceSingle(Expression x, Expression &k) {
  Emitter &e = *x.emitter;
  Expression rounded;
  k = e.roundToInteger(x, log2OfE, rounded);
  if (e.options.hasExp2) {
    Expression f = e.mulAdd(x, log2OfEHigh, -rounded);
    f = e.mulAdd(x, log2OfELow, f);
    return e.create<::mlir::math::Exp2Op>(f.value);
  }
  Expression r = e.mulAdd(rounded, -ln2HighSingle, x);
  r = e.mulAdd(rounded, -ln2LowSingle, r);
  return expm1Reduced(r, coefficients::kExpF32) + 1.0;
}

Expression expSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression k;
  x = e.clampBelow(e.clampAbove(x, 89.0), -104.0);
  Expression y = reduceSingle(x, k);
  return scaleSingle(y, k);
}

Expression expSingleInRange(Expression x) {
  Emitter &e = *x.emitter;
  Expression k;
  Expression y = reduceSingle(x, k);
  Expression scale = (k << 23) + e.integer(32, 0x3f800000);
  return y * e.fromBits(scale, y.elementType());
}

Expression exp2Single(Expression x) {
  Emitter &e = *x.emitter;
  Expression rounded;
  x = e.clampBelow(e.clampAbove(x, 129.0), -151.0);
  Expression k = e.roundToInteger(x, 1.0, rounded);
  Expression r = x - rounded;
  Expression y = e.polynomial(r, coefficients::kExp2F32);
  return scaleSingle(e.mulAdd(r, y, constantLike(r, 1.0)), k);
}

/// expm1 of the reduced argument, and 2^k, in f64.
static Expression reduceDouble(Expression x, Expression &scale) {
  Emitter &e = *x.emitter;
  Expression rounded;
  Expression k = e.roundToInteger(x, log2OfE, rounded);
  Expression r = e.mulAdd(rounded, -ln2, x);
  scale = e.fromBits((k << 52) + e.integer(64, 0x3ff0000000000000),
                     x.elementType());
  return expm1Reduced(r, coefficients::kExp);
}

Expression expDouble(Expression x) {
  Expression scale;
  Expression y = reduceDouble(x, scale);
  return (y + 1.0) * scale;
}

static Expression expm1Double(Expression x) {
  Expression scale;
  Expression y = reduceDouble(x, scale);
  return x.emitter->mulAdd(scale, y, scale - 1.0);
}

Expression exp10Single(Expression x) {
  Emitter &e = *x.emitter;
  Expression d = e.toDouble(e.clampBelow(e.clampAbove(x, 40.0), -50.0));
  return e.toSingle(expDouble(d * 0x1.26bb1bbb55516p+1));
}

Expression expm1Single(Expression x) {
  Emitter &e = *x.emitter;
  Expression d = e.toDouble(e.clampBelow(e.clampAbove(x, 90.0), -50.0));
  return e.select(x == 0.0, x, e.toSingle(expm1Double(d)));
}

Expression sinhSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression t = expm1Double(e.toDouble(e.clampAbove(e.abs(x), 100.0)));
  Expression y = (t + t / (t + 1.0)) * 0.5;
  return e.copySign(e.toSingle(y), x);
}

Expression coshSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression t = expDouble(e.toDouble(e.clampAbove(e.abs(x), 100.0)));
  return e.toSingle((t + 1.0 / t) * 0.5);
}

/// 1 - 2 / (exp(2 |x|) + 1), and an odd polynomial where that would cancel.
Expression tanhSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.clampAbove(e.abs(x), 10.0);
  Expression t = expSingleInRange(a + a);
  Expression large = 1.0 - 2.0 / (t + 1.0);
  Expression z = a * a;
  Expression p = z * e.polynomial(z, coefficients::kTanhF32);
  Expression y = e.select(a < 0.6, e.mulAdd(a, p, a), large);
  return e.copySign(y, x);
}

} // namespace tilewright::math
