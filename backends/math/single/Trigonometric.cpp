//===- Trigonometric.cpp - sin, cos and tan ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument is divided by pi/2 in f64 with as many bits of 2/pi as its
// exponent calls for (after Payne and Hanek), so that every f32 up to FLT_MAX
// is reduced exactly enough; polynomials on [-pi/4, pi/4] do the rest.
//
//===----------------------------------------------------------------------===//

#include "backends/math/coefficients/Coefficients.h"
#include "backends/math/single/Formulas.h"

using namespace mlir;

namespace tilewright::math {

static constexpr double halfPi = 0x1.921fb54442d18p+0;
/// Below it one short reduction is exact enough.
static constexpr double smallLimit = 0x1p24;

/// x modulo 4 in [-2, 2], exact; NaN for infinity.
static Expression moduloFour(Expression x) {
  Emitter &e = *x.emitter;
  Expression rounded;
  e.roundToInteger(x, 0.25, rounded);
  return e.mulAdd(rounded, -4.0, x);
}

/// The three pieces of 2/pi that matter for |x|: higher bits only contribute
/// multiples of 4 quarter turns, and products with the first two are exact.
static std::array<Expression, 3> selectTwoOverPi(Expression magnitude) {
  Emitter &e = *magnitude.emitter;
  const double limits[] = {0, 0, 0x1p48, 0x1p72, 0x1p96, 0x1p112};
  std::array<Expression, 3> pieces;
  for (unsigned piece = 0; piece < 3; ++piece)
    pieces[piece] =
        e.real(e.builder.getF64Type(), coefficients::kTwoOverPi[0][piece]);
  for (unsigned row = 2; row < 6; ++row) {
    Expression isLarger = magnitude >= limits[row];
    for (unsigned piece = 0; piece < 3; ++piece)
      pieces[piece] = e.select(isLarger, coefficients::kTwoOverPi[row][piece],
                               pieces[piece]);
  }
  return pieces;
}

namespace {
/// x = (quadrant + fraction) * pi/2 with |fraction| <= 1/2, in f64; `quadrant`
/// holds the integer modulo 4 in its low two bits.
struct Reduced {
  Expression fraction, quadrant;
};
} // namespace

/// For |x| < 2^24: the product with the first piece of 2/pi is exact and small.
static Reduced reduceSmall(Expression x) {
  Emitter &e = *x.emitter;
  Expression d = e.toDouble(x), rounded;
  Expression t = d * coefficients::kTwoOverPi[0][0];
  Expression bits = e.roundToInteger(t, 1.0, rounded);
  return {e.mulAdd(d, 0x1.c9c882a53f84fp-29, t - rounded),
          e.truncateBits(bits, 32)};
}

/// Small arguments get the result of reduceSmall to the bit, so that an element
/// does not depend on its neighbours, nor on whether the target branches.
static Reduced reduceAny(Expression x) {
  Emitter &e = *x.emitter;
  Expression d = e.toDouble(x), rounded;
  std::array<Expression, 3> pieces = selectTwoOverPi(e.abs(x));
  Expression high = moduloFour(d * pieces[0]);
  Expression middle = moduloFour(d * pieces[1]);
  Expression low = d * pieces[2];
  Expression bits = e.roundToInteger(high + (middle + low), 1.0, rounded);
  Expression fraction = ((high - rounded) + middle) + low;
  Expression isSmall = e.abs(x) < smallLimit;
  Reduced small = reduceSmall(x);
  return {e.select(isSmall, small.fraction, fraction),
          e.select(isSmall, small.quadrant, e.truncateBits(bits, 32))};
}

static Reduced reduceQuadrant(Expression x) {
  Emitter &e = *x.emitter;
  if (e.options.isFast)
    return reduceSmall(x);
  if (!e.canBranch())
    return reduceAny(x);
  auto through = [&](Reduced (*reduce)(Expression)) {
    return [=] {
      Reduced reduced = reduce(x);
      return SmallVector<Expression>{reduced.fraction, reduced.quadrant};
    };
  };
  Type types[] = {e.shaped(e.builder.getF64Type()), e.bits(32)};
  SmallVector<Expression> results = e.branchIfAny(
      e.abs(x) >= smallLimit, types, through(reduceAny), through(reduceSmall));
  return {results[0], results[1]};
}

static Expression sinReduced(Expression r, ArrayRef<double> coefficients) {
  Emitter &e = *r.emitter;
  Expression z = r * r;
  return e.mulAdd(r * z, e.polynomial(z, coefficients), r);
}

static Expression cosReduced(Expression r, ArrayRef<double> coefficients) {
  Emitter &e = *r.emitter;
  Expression z = r * r;
  Expression head = e.mulAdd(z, -0.5, constantLike(z, 1.0));
  return e.mulAdd(z * z, e.polynomial(z, coefficients), head);
}

static Expression isOdd(Expression quadrant) { return (quadrant & 1) != 0.0; }

/// sin((quadrant * pi / 2) + r) from the sine and cosine of r.
static Expression turn(Expression quadrant, Expression sine,
                       Expression cosine) {
  Emitter &e = *sine.emitter;
  Expression y = e.select(isOdd(quadrant), cosine, sine);
  Expression sign = (quadrant & 2) << 30;
  return e.fromBits(e.toBits(y) ^ sign, y.elementType());
}

std::pair<Expression, Expression> sinCosSingle(Expression x) {
  Emitter &e = *x.emitter;
  auto [fraction, quadrant] = reduceQuadrant(x);
  Expression r = e.toSingle(fraction * halfPi);
  Expression sine = sinReduced(r, coefficients::kSinF32);
  Expression cosine = cosReduced(r, coefficients::kCosF32);
  Expression sinOfX = turn(quadrant, sine, cosine);
  // Keeps the sign of zero.
  sinOfX = e.select(e.abs(x) < 0x1p-12, x, sinOfX);
  Expression next = quadrant + e.integer(32, 1);
  return {sinOfX, turn(next, sine, cosine)};
}

Expression sinSingle(Expression x) { return sinCosSingle(x).first; }

Expression cosSingle(Expression x) { return sinCosSingle(x).second; }

Expression tanSingle(Expression x) {
  Emitter &e = *x.emitter;
  auto [fraction, quadrant] = reduceQuadrant(x);
  Expression r = fraction * halfPi;
  Expression sine = sinReduced(r, coefficients::kSin);
  Expression cosine = cosReduced(r, coefficients::kCos);
  Expression odd = isOdd(quadrant);
  Expression y = e.select(odd, -cosine, sine) / e.select(odd, sine, cosine);
  return e.select(e.abs(x) < 0x1p-12, x, e.toSingle(y));
}

} // namespace tilewright::math
