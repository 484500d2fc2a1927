//===- ErrorFunction.cpp - erf and erfc on f64 ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taylor's series of erf below 1/2; beyond, erfc as exp(-x^2) / (1 + 2 x) times
// a polynomial in (x - 3.75) / (x + 3.75).
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/double/Formulas.h"

using namespace mlir;

namespace tilewright::math::f64 {

/// 2 / sqrt(pi).
static constexpr Constant2 twoOverRootPi = {0x1.20dd750429b6dp+0,
                                            0x1.1ae3a914fed80p-56};
/// (-1)^n / (n! (2n + 1)) from n = 1 on.
static constexpr double series[] = {
    -1.0 / 3,           1.0 / 10,       -1.0 / 42,        1.0 / 216,
    -1.0 / 1320,        1.0 / 9360,     -1.0 / 75600,     1.0 / 685440,
    -1.0 / 6894720,     1.0 / 76204800, -1.0 / 918086400, 1.0 / 11975040000,
    -1.0 / 168129561600};

/// erf(x) for |x| <= 1/2: x (1 + z p(z)) 2 / sqrt(pi).
static DoubleDouble lowErf(Expression x) {
  Emitter &e = *x.emitter;
  Expression z = x * x;
  DoubleDouble inner =
      quickSum(constantLike(x, 1.0), z * e.polynomial(z, series));
  return (inner * constantOf(x, twoOverRootPi)) * x;
}

/// erfc(x) for x >= 1/2; 0 from 28 on.
static Expression highErfc(Expression x) {
  Emitter &e = *x.emitter;
  Expression inside = e.clampAbove(x, 28.0);
  Expression w = (inside - 3.75) / (inside + 3.75);
  ArrayRef<double> all = coefficients::kErfcTailF64;
  DoubleDouble scaled =
      quickSum(constantLike(x, all[0]), w * e.polynomial(w, all.drop_front()));
  DoubleDouble square = product(inside, inside);
  auto [rest, exponent] = exponential(-square);
  DoubleDouble power = rest + constantLike(x, 1.0);
  DoubleDouble below = sum(inside + inside, constantLike(x, 1.0));
  DoubleDouble result = power * scaled / below;
  return scaleBy(rounded(result), exponent);
}

Expression erf(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  Expression low = rounded(lowErf(e.clampAbove(a, 0.5)));
  Expression high = 1.0 - highErfc(e.select(a < 0.5, 0.5, a));
  Expression y = e.copySign(e.select(a < 0.5, low, high), x);
  return e.select(e.isNaN(x), x, y);
}

Expression erfc(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  DoubleDouble low = lowErf(e.clampAbove(e.clampBelow(x, -0.5), 0.5));
  Expression high = highErfc(e.select(a < 0.5, 0.5, a));
  Expression tail = e.select(x < 0.0, 2.0 - high, high);
  Expression middle = rounded(-low + constantLike(x, 1.0));
  return e.select(e.isNaN(x), x, e.select(a < 0.5, middle, tail));
}

} // namespace tilewright::math::f64
