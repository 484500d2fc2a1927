//===- Rounding.cpp - Rounding to integers and fma without them -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For targets without the instructions (x86-64 before SSE4.1 or FMA), and for
// the fma of small floats. Adding and subtracting 2^(p-1) rounds to an integer.
//
//===----------------------------------------------------------------------===//

#include "backends/math/single/Formulas.h"

using namespace mlir;

namespace tilewright::math {

/// |x| rounded to an integer, ties to even; NaN and infinity stay.
static Expression roundMagnitude(Expression x) {
  Emitter &e = *x.emitter;
  double magic = x.elementType().isF64() ? 0x1p52 : 0x1p23;
  Expression a = e.abs(x);
  return e.select(a < magic, (a + magic) - magic, a);
}

Expression roundEvenByAddition(Expression x) {
  return x.emitter->copySign(roundMagnitude(x), x);
}

Expression truncateByAddition(Expression x) {
  Emitter &e = *x.emitter;
  Expression rounded = roundMagnitude(x);
  Expression isAbove = rounded > e.abs(x);
  return e.copySign(e.select(isAbove, rounded - 1.0, rounded), x);
}

Expression floorByAddition(Expression x) {
  Emitter &e = *x.emitter;
  Expression rounded = roundEvenByAddition(x);
  return e.copySign(e.select(rounded > x, rounded - 1.0, rounded), x);
}

Expression ceilByAddition(Expression x) {
  Emitter &e = *x.emitter;
  Expression rounded = roundEvenByAddition(x);
  return e.copySign(e.select(rounded < x, rounded + 1.0, rounded), x);
}

/// Ties away from zero.
Expression roundByAddition(Expression x) {
  Emitter &e = *x.emitter;
  Expression whole = e.abs(truncateByAddition(x));
  Expression fraction = e.abs(x) - whole;
  Expression y = e.select(fraction >= 0.5, whole + 1.0, whole);
  return e.copySign(y, x);
}

/// The product is exact; the sum's error is found exactly (Knuth's TwoSum) and
/// moves an even result to the odd neighbour on its side.
Expression fusedToOddDouble(Expression a, Expression b, Expression c) {
  Emitter &e = *a.emitter;
  Expression product = a * b;
  Expression sum = product + c;
  Expression part = sum - product;
  Expression error = (product - (sum - part)) + (c - part);
  Expression bits = e.toBits(sum);
  Expression isEven = (bits & 1) == 0.0;
  Expression isInexact =
      e.compare(arith::CmpFPredicate::ONE, error, constantLike(error, 0.0));
  // The encoding grows with the magnitude.
  Expression isOutward = (e.toBits(error) ^ bits) >= 0.0;
  Expression step = e.select(isOutward, 1.0, e.integer(64, -1));
  Expression moved = e.select(isEven & isInexact, bits + step, bits);
  return e.fromBits(moved, sum.elementType());
}

} // namespace tilewright::math
