//===- ErrorFunction.cpp - erf and erfc ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// erf in f32: an odd polynomial near zero and 1 - exp(-a Q(a)) beyond. erfc in
// f64: exp(-x^2), whose argument is exact, times a polynomial for the rest, so
// that the relative error stays small down to denormal results.
//
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/single/Formulas.h"

using namespace mlir;

namespace tilewright::math {

Expression erfSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.clampAbove(e.abs(x), 3.95);
  Expression tail = a * e.polynomial(a, coefficients::kErfTailF32);
  Expression large = 1.0 - expSingleInRange(-tail);
  Expression p = e.polynomial(a * a, coefficients::kErfF32);
  Expression y = e.select(a < 0.92, e.mulAdd(a, p, a), large);
  return e.copySign(y, x);
}

Expression erfcSingle(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.clampAbove(e.abs(x), 10.2);
  Expression d = e.toDouble(a);
  Expression z = d * d;
  Expression u = (d - 3.0) / (d + 3.0);
  Expression tail =
      expDouble(-z) * e.polynomial(u, coefficients::kErfcTail) / (d + d + 1.0);
  tail = e.select(x < 0.0, 2.0 - tail, tail);
  Expression small = 1.0 - e.toDouble(x) * e.polynomial(z, coefficients::kErf);
  return e.toSingle(e.select(a < 0.5, small, tail));
}

} // namespace tilewright::math
