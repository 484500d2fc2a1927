//===- FloatConversions.cpp - Casts of small floats by integers -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts from and to 8- and 16-bit floats with exactly one rounding,
// nearest-even or towards zero, saturating or not. Everything about a format
// (bias, largest number, infinity, NaN, negative zero) is read from its APFloat
// semantics.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"
#include "backends/math/expression/Expression.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilewright::math {

namespace {
/// What the conversions need to know of a small float format.
struct SmallFormat {
  unsigned width;
  unsigned mantissaBits;
  int bias;
  int64_t largest; // encodings
  int64_t notANumber;
  std::optional<int64_t> infinity;
  bool hasNegativeZero;

  /// The shift that aligns the mantissa with that of f32.
  unsigned shift() const { return 23 - mantissaBits; }
  int64_t signMask() const { return int64_t(1) << (width - 1); }
  /// What to add to an aligned exponent to get that of f32.
  int64_t rebias() const { return int64_t(127 - bias) << 23; }
};
} // namespace

static int64_t encodingOf(const APFloat &value) {
  return static_cast<int64_t>(value.bitcastToAPInt().getZExtValue());
}

/// The format of a float of 8 or 16 bits that has a NaN.
static std::optional<SmallFormat> formatOf(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return std::nullopt;
  unsigned width = floatType.getWidth();
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  if ((width != 8 && width != 16) || !APFloat::semanticsHasNaN(semantics) ||
      !APFloat::semanticsHasZero(semantics) ||
      !APFloat::semanticsHasSignedRepr(semantics))
    return std::nullopt;
  SmallFormat format;
  format.width = width;
  format.mantissaBits = APFloat::semanticsPrecision(semantics) - 1;
  format.bias = 1 - APFloat::semanticsMinExponent(semantics);
  format.largest = encodingOf(APFloat::getLargest(semantics));
  format.notANumber = encodingOf(APFloat::getNaN(semantics));
  if (APFloat::semanticsHasInf(semantics))
    format.infinity = encodingOf(APFloat::getInf(semantics));
  format.hasNegativeZero = APFloat::getZero(semantics, true).isNegative();
  return format;
}

/// Any small float to f32, exactly.
static Expression extendToSingle(Expression x, const SmallFormat &format) {
  Emitter &e = *x.emitter;
  Type f32 = e.builder.getF32Type();
  Expression u = e.zeroExtendBits(e.toBits(x), 32);
  if (format.bias == 127)
    return e.fromBits(u << format.shift(), f32);
  Expression sign = (u & format.signMask()) << (32 - format.width);
  Expression magnitude = u & (format.signMask() - 1);
  Expression aligned = magnitude << format.shift();
  Expression value = aligned + e.integer(32, format.rebias());
  // Denormals: an integer times the smallest one.
  double smallest = std::ldexp(1.0, 1 - format.bias - format.mantissaBits);
  Expression count = e.create<arith::SIToFPOp>(e.shaped(f32), magnitude.value);
  value = e.select(magnitude < std::ldexp(1.0, format.mantissaBits),
                   e.toBits(count * smallest), value);
  if (format.infinity)
    value = e.select(magnitude >= static_cast<double>(*format.infinity),
                     aligned | 0x7f800000, value);
  else if (format.hasNegativeZero)
    value = e.select(magnitude == static_cast<double>(format.notANumber),
                     e.integer(32, 0x7fc00000), value);
  else
    value = e.select(u == static_cast<double>(format.notANumber),
                     e.integer(32, 0x7fc00000), value);
  return e.fromBits(value | sign, f32);
}

/// The mantissa of a result below the smallest normal number: the magnitude in
/// units of the smallest denormal.
static Expression roundDenormal(Expression magnitude, const SmallFormat &format,
                                bool towardZero) {
  Emitter &e = *magnitude.emitter;
  Type f32 = e.builder.getF32Type();
  int lastBit = 1 - format.bias - static_cast<int>(format.mantissaBits);
  if (!towardZero) {
    // The f32 adder rounds at the wanted bit.
    Expression anchor = e.real(f32, std::ldexp(1.0, lastBit + 23));
    Expression sum = e.fromBits(magnitude, f32) + anchor;
    return e.toBits(sum) - e.toBits(anchor);
  }
  Expression exponent = e.shiftRightLogical(magnitude, e.integer(32, 23));
  Expression mantissa = (magnitude & 0x7fffff) | 0x800000;
  // The last mantissa bit of f32 weighs 2^(exponent - 150).
  Expression amount = e.integer(32, 150 + lastBit) - exponent;
  Expression limit = e.integer(32, 31);
  Expression inRange = e.create<arith::MinUIOp>(amount.value, limit.value);
  return e.shiftRightLogical(mantissa, inRange);
}

/// f32 to a small float with one rounding; returns the encoding as an i32.
static Expression roundMagnitude(Expression magnitude,
                                 const SmallFormat &format, bool towardZero) {
  Emitter &e = *magnitude.emitter;
  Expression aligned = magnitude - e.integer(32, format.rebias());
  Expression shift = e.integer(32, format.shift());
  if (!towardZero) {
    // Half a unit less one, plus the last kept bit: ties go to even.
    Expression lastBit = e.shiftRightLogical(aligned, shift) & 1;
    int64_t half = (int64_t(1) << (format.shift() - 1)) - 1;
    aligned = aligned + e.integer(32, half) + lastBit;
  }
  Expression result = e.shiftRightLogical(aligned, shift);
  if (format.bias == 127)
    return result;
  double smallestNormal = static_cast<double>(format.rebias() + (1 << 23));
  return e.select(magnitude < smallestNormal,
                  roundDenormal(magnitude, format, towardZero), result);
}

static Expression truncateFromSingle(Expression x, Type type,
                                     const SmallFormat &format, bool towardZero,
                                     bool saturate) {
  Emitter &e = *x.emitter;
  Expression bits = e.toBits(x);
  Expression magnitude = bits & 0x7fffffff;
  Expression result = roundMagnitude(magnitude, format, towardZero);
  Expression largest = e.integer(32, format.largest);
  Expression overflow =
      e.integer(32, format.infinity.value_or(format.notANumber));
  if (saturate || towardZero)
    result = e.create<arith::MinUIOp>(result.value, largest.value);
  else
    result = e.select(result > largest, overflow, result);
  if (towardZero && !saturate)
    result = e.select(magnitude == double(0x7f800000), overflow, result);
  result = e.select(magnitude > double(0x7f800000),
                    e.integer(32, format.notANumber), result);
  Expression sign =
      e.shiftRightLogical(bits, e.integer(32, 32 - format.width)) &
      format.signMask();
  // Without negative zero, zero and NaN take no sign (NaN is its encoding).
  if (!format.hasNegativeZero)
    sign = e.select(result == 0.0, 0.0, sign);
  return e.fromBits(e.truncateBits(result | sign, format.width), type);
}

/// f64 to f32 towards zero, or to odd: an inexact result gets an odd last bit,
/// so that a second rounding to at most 22 bits is as good as a direct one.
static Expression truncateDouble(Expression x, bool toOdd) {
  Emitter &e = *x.emitter;
  Expression nearest = e.toSingle(x);
  Expression back = e.toDouble(nearest);
  Expression isAbove = e.abs(back) > e.abs(x);
  Expression bits = e.toBits(nearest);
  // Infinity steps back to the largest number, whose last bit is odd.
  bits = e.select(isAbove, bits - e.integer(32, 1), bits);
  if (toOdd) {
    Expression isInexact = e.compare(arith::CmpFPredicate::ONE, back, x);
    bits = e.select(isInexact, bits | 1, bits);
  }
  return e.fromBits(bits, e.builder.getF32Type());
}

static bool isNativeFormat(Type type, const FloatConversionOptions &options) {
  return (type.isF16() && options.hasNativeFloat16) ||
         (type.isBF16() && options.hasNativeBFloat16);
}

static LogicalResult expandExtension(RewriterBase &rewriter, arith::ExtFOp op,
                                     const FloatConversionOptions &options) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  Type to = getElementTypeOrSelf(op.getType());
  std::optional<SmallFormat> format = formatOf(from);
  if (!format || isNativeFormat(from, options))
    return rewriter.notifyMatchFailure(op, "the cast is native");
  Emitter e(rewriter, op.getLoc(), op.getType());
  Expression single = extendToSingle(e.wrap(op.getIn()), *format);
  // 8-bit to 16-bit is exact or, for f16, native or expanded in turn.
  std::optional<SmallFormat> target = formatOf(to);
  if (target && !isNativeFormat(to, options))
    single = truncateFromSingle(single, to, *target, false, false);
  rewriter.replaceOp(op, e.toFloat(single, to).value);
  return success();
}

/// Rounds an f32 or f64 value to a type of at most 32 bits.
static Expression roundTo(Expression x, Type to, bool towardZero, bool saturate,
                          const FloatConversionOptions &options) {
  Emitter &e = *x.emitter;
  if (x.elementType().isF64())
    x = truncateDouble(x, /*toOdd=*/!to.isF32() && !towardZero);
  std::optional<SmallFormat> format = formatOf(to);
  if (!format || (isNativeFormat(to, options) && !towardZero && !saturate))
    return e.toFloat(x, to);
  return truncateFromSingle(x, to, *format, towardZero, saturate);
}

static LogicalResult expandTruncation(RewriterBase &rewriter,
                                      arith::TruncFOp op,
                                      const FloatConversionOptions &options) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  Type to = getElementTypeOrSelf(op.getType());
  arith::RoundingMode mode =
      op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
  bool towardZero = mode == arith::RoundingMode::toward_zero;
  bool saturate = op->hasAttr(kSaturateAttrName);
  if (!towardZero && mode != arith::RoundingMode::to_nearest_even)
    return rewriter.notifyMatchFailure(op, "rounding mode has no expansion");
  bool isNearestSingle = to.isF32() && !towardZero;
  bool isNative =
      from.isF32() && isNativeFormat(to, options) && !towardZero && !saturate;
  if (isNearestSingle || isNative || (!to.isF32() && !formatOf(to)))
    return rewriter.notifyMatchFailure(op, "the cast is native");
  Emitter e(rewriter, op.getLoc(), op.getType());
  Expression x = e.wrap(op.getIn());
  if (std::optional<SmallFormat> format = formatOf(from))
    x = isNativeFormat(from, options) ? e.toSingle(x)
                                      : extendToSingle(x, *format);
  else if (!from.isF32() && !from.isF64())
    return rewriter.notifyMatchFailure(op, "source type has no expansion");
  rewriter.replaceOp(op, roundTo(x, to, towardZero, saturate, options).value);
  return success();
}

/// An integer as a float that is exact, or rounded to odd beyond 53 bits.
static Expression integerToOddDouble(Expression x, bool isSigned) {
  Emitter &e = *x.emitter;
  if (x.elementType().getIntOrFloatBitWidth() > 53) {
    Expression lost = (x & 0x7ff) != 0.0;
    Expression kept = x & ~int64_t(0x7ff);
    Expression odd = e.select(lost, kept | 0x800, kept);
    Expression high =
        isSigned ? x >> 53 : e.shiftRightLogical(x, e.integer(64, 53));
    Expression isSmall =
        isSigned ? ((high == 0.0) | (high == -1.0)) : (high == 0.0);
    x = e.select(isSmall, x, odd);
  }
  Type type = e.shaped(e.builder.getF64Type());
  return isSigned ? e.create<arith::SIToFPOp>(type, x.value)
                  : e.create<arith::UIToFPOp>(type, x.value);
}

/// Integers to small floats: LLVM would round to f32 first.
static LogicalResult expandFromInteger(RewriterBase &rewriter, Operation *op,
                                       bool isSigned,
                                       const FloatConversionOptions &options) {
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  Value in = op->getOperand(0);
  unsigned width = getElementTypeOrSelf(in.getType()).getIntOrFloatBitWidth();
  if (!formatOf(to) || width > 64)
    return rewriter.notifyMatchFailure(op, "the cast is native");
  Emitter e(rewriter, op->getLoc(), in.getType());
  Expression x = e.wrap(in), wide;
  Type f32 = e.shaped(rewriter.getF32Type());
  if (width > 24)
    wide = integerToOddDouble(x, isSigned);
  else
    wide = isSigned ? e.create<arith::SIToFPOp>(f32, in)
                    : e.create<arith::UIToFPOp>(f32, in);
  bool saturate = op->hasAttr(kSaturateAttrName);
  rewriter.replaceOp(op, roundTo(wide, to, false, saturate, options).value);
  return success();
}

/// Small floats to integers, through f32, which holds them all.
template <typename OpTy>
static LogicalResult expandToInteger(RewriterBase &rewriter, OpTy op,
                                     const FloatConversionOptions &options) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  std::optional<SmallFormat> format = formatOf(from);
  if (!format || isNativeFormat(from, options))
    return rewriter.notifyMatchFailure(op, "the cast is native");
  Emitter e(rewriter, op.getLoc(), op.getIn().getType());
  Expression x = extendToSingle(e.wrap(op.getIn()), *format);
  Operation *cast = OpTy::create(rewriter, op.getLoc(), op.getType(), x.value);
  cast->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, cast);
  return success();
}

LogicalResult expandFloatConversion(RewriterBase &rewriter, Operation *op,
                                    const FloatConversionOptions &options) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ExtFOp cast) {
        return expandExtension(rewriter, cast, options);
      })
      .Case([&](arith::TruncFOp cast) {
        return expandTruncation(rewriter, cast, options);
      })
      .Case([&](arith::SIToFPOp cast) {
        return expandFromInteger(rewriter, cast, true, options);
      })
      .Case([&](arith::UIToFPOp cast) {
        return expandFromInteger(rewriter, cast, false, options);
      })
      .Case([&](arith::FPToSIOp cast) {
        return expandToInteger(rewriter, cast, options);
      })
      .Case([&](arith::FPToUIOp cast) {
        return expandToInteger(rewriter, cast, options);
      })
      .Default([](Operation *) { return failure(); });
}

namespace {
template <typename OpTy>
struct ExpandConversionPattern : public OpRewritePattern<OpTy> {
  ExpandConversionPattern(MLIRContext *context,
                          const FloatConversionOptions &options)
      : OpRewritePattern<OpTy>(context), options(options) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return expandFloatConversion(rewriter, op, options);
  }

  FloatConversionOptions options;
};
} // namespace

void populateFloatConversionPatterns(RewritePatternSet &patterns,
                                     const FloatConversionOptions &options) {
  patterns.add<ExpandConversionPattern<arith::ExtFOp>,
               ExpandConversionPattern<arith::TruncFOp>,
               ExpandConversionPattern<arith::SIToFPOp>,
               ExpandConversionPattern<arith::UIToFPOp>,
               ExpandConversionPattern<arith::FPToSIOp>,
               ExpandConversionPattern<arith::FPToUIOp>>(patterns.getContext(),
                                                         options);
}

} // namespace tilewright::math
