//===- Trigonometric.cpp - sin, cos and tan on f64 --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Payne and Hanek's reduction in integers for every argument: of x times 2/pi,
// 192 bits from the weight 2 downwards, of which the first two are the
// quadrant.
//===----------------------------------------------------------------------===//

#include "backends/math/double/Formulas.h"

#include <limits>

using namespace mlir;

namespace tilewright::math::f64 {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
static constexpr double quarterPi = 0x1.921fb54442d18p-1;

/// 64 zeros, then the bits of 2/pi behind the point.
static constexpr uint64_t twoOverPi[] = {0,
                                         0xa2f9836e4e441529,
                                         0xfc2757d1f534ddc0,
                                         0xdb6295993c439041,
                                         0xfe5163abdebbc561,
                                         0xb7246e3a424dd2e0,
                                         0x06492eea09d1921c,
                                         0xfe1deb1cb129a73e,
                                         0xe88235f52ebb4484,
                                         0xe99c7026b45f7e41,
                                         0x3991d639835339f4,
                                         0x9c845f8bbdf9283b,
                                         0x1ff897ffde05980f,
                                         0xef2f118b5a0a6d1f,
                                         0x6d367ecf27cb09b7,
                                         0x4f463f669e5fea2d,
                                         0x7527bac7ebe5f17b,
                                         0x3d0739f78a5292ea,
                                         0x6bfb5fb11f8d5d08,
                                         0x56033046fc7b6bab};
static constexpr unsigned limbs = 6; ///< of 32 bits, the lowest first
static constexpr int64_t limbMask = 0xffffffff;

using Limbs = SmallVector<Expression, limbs>;

static Expression shiftLeft(Expression x, Expression amount) {
  return x.emitter->create<arith::ShLIOp>(x.value, amount.value);
}

static Expression shiftRight(Expression x, int64_t amount) {
  Emitter &e = *x.emitter;
  return e.shiftRightLogical(x, e.integer(64, amount));
}

/// Words [index, index + count) of the table, by halving steps.
static SmallVector<Expression> selectWords(Expression index, unsigned count) {
  Emitter &e = *index.emitter;
  SmallVector<Expression> words;
  for (uint64_t word : twoOverPi)
    words.push_back(e.integer(64, int64_t(word)));
  Expression none = e.integer(64, 0);
  for (unsigned step = 16; step > 0; step /= 2) {
    Expression isSet = (index & step) != 0.0;
    unsigned needed =
        std::min<unsigned>(count + step - 1, std::size(twoOverPi));
    for (unsigned i = 0; i < needed; ++i)
      words[i] = e.select(
          isSet, i + step < words.size() ? words[i + step] : none, words[i]);
    words.resize(needed);
  }
  return words;
}

/// The 192 bits of 2/pi that matter for an exponent: x = M * 2^exponent.
static Limbs windowOf(Expression exponent) {
  Emitter &e = *exponent.emitter;
  Expression first = exponent + e.integer(64, 62);
  SmallVector<Expression> words = selectWords(first >> 6, limbs / 2 + 1);
  Expression shift = first & 63;
  Expression back = e.integer(64, 63) - shift;
  Limbs window(limbs);
  for (unsigned i = 0; i < limbs / 2; ++i) {
    Expression next = e.shiftRightLogical(shiftRight(words[i + 1], 1), back);
    Expression word = shiftLeft(words[i], shift) | next;
    window[limbs - 1 - 2 * i] = shiftRight(word, 32);
    window[limbs - 2 - 2 * i] = word & limbMask;
  }
  return window;
}

/// window * mantissa modulo 2^192, the mantissa having 53 bits.
static Limbs multiply(const Limbs &window, Expression mantissa) {
  Emitter &e = *mantissa.emitter;
  Expression none = e.integer(64, 0);
  auto times = [&](Expression factor) {
    Limbs result;
    Expression carry = none;
    for (Expression limb : window) {
      Expression total = limb * factor + carry;
      result.push_back(total & limbMask);
      carry = shiftRight(total, 32);
    }
    return result;
  };
  Limbs low = times(mantissa & limbMask),
        high = times(shiftRight(mantissa, 32));
  Expression carry = none;
  for (unsigned i = 1; i < limbs; ++i) {
    Expression total = low[i] + high[i - 1] + carry;
    low[i] = total & limbMask;
    carry = shiftRight(total, 32);
  }
  return low;
}

namespace {
struct Reduced {
  DoubleDouble angle;  ///< in [-pi/4, pi/4]
  Expression quadrant; ///< i64, of which two bits count
};
} // namespace

/// The fraction behind the quadrant's two bits as a signed number of quadrants.
static DoubleDouble fractionOf(const Limbs &bits) {
  Emitter &e = *bits[0].emitter;
  auto limb = [&](unsigned i) {
    Expression lower = i ? shiftRight(bits[i - 1], 30) : e.integer(64, 0);
    return (bits[i] << 2 | lower) & limbMask;
  };
  auto part = [&](Expression limb, double weight) {
    return e.smallIntegerToFloat(limb) * weight;
  };
  Expression top = (limb(5) << 32) >> 32;
  DoubleDouble total = sum(part(top, 0x1p-32), part(limb(4), 0x1p-64));
  total = total + part(limb(3), 0x1p-96);
  total = total + part(limb(2), 0x1p-128);
  return total + part(limb(1), 0x1p-160);
}

/// Of a finite magnitude.
static Reduced reduce(Expression magnitude) {
  Emitter &e = *magnitude.emitter;
  Expression bits = e.toBits(magnitude);
  Expression isSmall = magnitude < quarterPi;
  Expression biased = e.select(isSmall, e.integer(64, 1023), bits >> 52);
  Expression mantissa = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  Limbs product = multiply(windowOf(biased - e.integer(64, 1075)), mantissa);
  DoubleDouble fraction = fractionOf(product);
  DoubleDouble angle = fraction * constantOf(magnitude, kHalfPi);
  Expression top = product[limbs - 1];
  // Rounded to the nearest quadrant: the bit behind the two.
  Expression quadrant = shiftRight(top + e.integer(64, 1 << 29), 30);
  return {select(isSmall, widened(magnitude), angle),
          e.select(isSmall, e.integer(64, 0), quadrant)};
}

/// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4, Taylor's in r^2.
static constexpr double sineSeries[] = {-1.0 / 6,
                                        1.0 / 120,
                                        -1.0 / 5040,
                                        1.0 / 362880,
                                        -1.0 / 39916800,
                                        1.0 / 6227020800,
                                        -1.0 / 1307674368000,
                                        1.0 / 355687428096000};
static constexpr double cosineSeries[] = {1.0 / 24,
                                          -1.0 / 720,
                                          1.0 / 40320,
                                          -1.0 / 3628800,
                                          1.0 / 479001600,
                                          -1.0 / 87178291200,
                                          1.0 / 20922789888000,
                                          -1.0 / 6402373705728000};

static DoubleDouble sineOf(DoubleDouble r) {
  Emitter &e = *r.high.emitter;
  Expression z = r.high * r.high;
  Expression slope = e.mulAdd(z, -0.5, constantLike(z, 1.0));
  Expression series = (r.high * z) * e.polynomial(z, sineSeries);
  return quickSum(r.high, e.mulAdd(r.low, slope, series));
}

static DoubleDouble cosineOf(DoubleDouble r) {
  Emitter &e = *r.high.emitter;
  Expression z = r.high * r.high;
  DoubleDouble head = quickSum(constantLike(z, 1.0), z * -0.5);
  Expression series = (z * z) * e.polynomial(z, cosineSeries);
  return quickSum(head.high, head.low + (series - r.high * r.low));
}

static Expression isOdd(Expression quadrant) { return (quadrant & 1) != 0.0; }

static Expression negateIf(Expression condition, Expression x) {
  return x.emitter->select(condition, -x, x);
}

/// NaN for infinities and NaN.
static Expression finish(Expression x, Expression y) {
  Emitter &e = *x.emitter;
  return e.select(e.abs(x) < infinity, y, notANumber);
}

static Expression finiteMagnitude(Expression x) {
  Emitter &e = *x.emitter;
  Expression a = e.abs(x);
  return e.select(a < infinity, a, 0.0);
}

std::pair<Expression, Expression> sinCos(Expression x) {
  Emitter &e = *x.emitter;
  Reduced reduced = reduce(finiteMagnitude(x));
  Expression sine = rounded(sineOf(reduced.angle));
  Expression cosine = rounded(cosineOf(reduced.angle));
  Expression odd = isOdd(reduced.quadrant);
  Expression s = e.select(odd, cosine, sine);
  Expression c = e.select(odd, sine, cosine);
  Expression isLower = (reduced.quadrant & 2) != 0.0;
  Expression next = reduced.quadrant + e.integer(64, 1);
  s = negateIf(isLower, s);
  c = negateIf((next & 2) != 0.0, c);
  Expression sign = e.copySign(constantLike(x, 1.0), x);
  return {finish(x, s * sign), finish(x, c)};
}

Expression sin(Expression x) { return sinCos(x).first; }

Expression cos(Expression x) { return sinCos(x).second; }

Expression tan(Expression x) {
  Emitter &e = *x.emitter;
  Reduced reduced = reduce(finiteMagnitude(x));
  DoubleDouble sine = sineOf(reduced.angle), cosine = cosineOf(reduced.angle);
  Expression odd = isOdd(reduced.quadrant);
  Expression y =
      rounded(select(odd, -cosine, sine) / select(odd, sine, cosine));
  return finish(x, y * e.copySign(constantLike(x, 1.0), x));
}

} // namespace tilewright::math::f64
