//===- DoubleDouble.cpp - Numbers of twice the precision --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is one of the classic sequences of exact operations.
//===----------------------------------------------------------------------===//

#include "backends/math/double/DoubleDouble.h"

using namespace mlir;

namespace tilewright::math {

Expression fused(Expression a, Expression b, Expression c) {
  return a.emitter->create<::mlir::math::FmaOp>(a.value, b.value, c.value);
}

DoubleDouble widened(Expression x) { return {x, constantLike(x, 0.0)}; }

DoubleDouble constantOf(Expression like, Constant2 value) {
  return {constantLike(like, value.high), constantLike(like, value.low)};
}

DoubleDouble quickSum(Expression a, Expression b) {
  Expression total = a + b;
  return {total, b - (total - a)};
}

DoubleDouble sum(Expression a, Expression b) {
  Expression total = a + b;
  Expression part = total - a;
  return {total, (a - (total - part)) + (b - part)};
}

DoubleDouble product(Expression a, Expression b) {
  Expression high = a * b;
  return {high, fused(a, b, -high)};
}

DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = sum(a.high, b.high), low = sum(a.low, b.low);
  high = quickSum(high.high, high.low + low.high);
  return quickSum(high.high, high.low + low.low);
}

DoubleDouble operator+(DoubleDouble a, Expression b) {
  DoubleDouble high = sum(a.high, b);
  return quickSum(high.high, high.low + a.low);
}

DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = product(a.high, b.high);
  Expression cross = fused(a.high, b.low, a.low * b.high);
  return quickSum(high.high, high.low + cross);
}

DoubleDouble operator*(DoubleDouble a, Expression b) {
  DoubleDouble high = product(a.high, b);
  return quickSum(high.high, fused(a.low, b, high.low));
}

DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  Expression first = a.high / b.high;
  // a - first * b, whose leading part is exact.
  Expression rest = fused(-first, b.high, a.high);
  rest = rest + (a.low - first * b.low);
  return quickSum(first, rest / b.high);
}

DoubleDouble scaled(DoubleDouble a, double factor) {
  return {a.high * factor, a.low * factor};
}

/// One step of Newton's from the rounded root; zero has no quotient.
DoubleDouble squareRoot(DoubleDouble a) {
  Emitter &e = *a.high.emitter;
  Expression root = e.sqrt(a.high);
  Expression rest = fused(-root, root, a.high) + a.low;
  Expression correction = rest / (root + root);
  return quickSum(root, e.select(root > 0.0, correction, 0.0));
}

DoubleDouble select(Expression condition, DoubleDouble yes, DoubleDouble no) {
  Emitter &e = *condition.emitter;
  return {e.select(condition, yes.high, no.high),
          e.select(condition, yes.low, no.low)};
}

} // namespace tilewright::math
