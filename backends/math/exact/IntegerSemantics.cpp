//===- IntegerSemantics.cpp - Total integer operations ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives divisions, shifts and float-to-int casts the results of the language
// where LLVM leaves them undefined: x / 0 = -1, x % 0 = x, INT_MIN / -1 =
// INT_MIN, INT_MIN % -1 = 0, shifts by the width or more give 0 or the sign,
// casts saturate and turn NaN into 0. Nothing is added where constants show
// that no guard is needed.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"
#include "backends/math/expression/Expression.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilewright::math {

static unsigned widthOf(Type element) {
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

/// An integer constant like `x`, which may be of index type.
static Expression integerLike(Expression x, int64_t value) {
  unsigned width = widthOf(x.elementType());
  return x.emitter->integer(
      x.elementType(),
      APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(width));
}

/// Whether every element of a constant satisfies the predicate.
static bool isConstantWith(Value value,
                           llvm::function_ref<bool(const APInt &)> predicate) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return predicate(integer.getValue());
  auto elements = dyn_cast<DenseIntElementsAttr>(attr);
  if (!elements)
    return false;
  if (elements.isSplat())
    return predicate(elements.getSplatValue<APInt>());
  return llvm::all_of(elements.getValues<APInt>(), predicate);
}

static Expression equals(Expression x, int64_t value) {
  return x.emitter->compare(arith::CmpIPredicate::eq, x, integerLike(x, value));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

namespace {
struct DivisionKind {
  bool isSigned;
  bool isRemainder;
};
} // namespace

/// One-bit division without a divide: x / 0 is all ones and 0 / 1 = 0, 1 / 1 =
/// 1 in both signednesses (-1 / -1 wraps to -1).
static Expression divideBits(Expression x, Expression y, bool isRemainder) {
  Emitter &e = *x.emitter;
  if (isRemainder)
    return e.select(y, integerLike(x, 0), x);
  return e.select(y, x, integerLike(x, -1));
}

/// Truncating quotient of safe operands through floats. With p mantissa bits
/// and operands below 2^(p - 1), a quotient that is no integer differs from the
/// next one by more than its rounding error, so truncation is exact.
static Expression divideThroughFloat(Expression x, Expression y,
                                     bool isSigned) {
  Emitter &e = *x.emitter;
  unsigned width = widthOf(x.elementType());
  unsigned wideWidth = width <= 16 ? 32 : 64;
  Type element =
      width <= 16 ? Type(e.builder.getF32Type()) : Type(e.builder.getF64Type());
  Type floatType = e.shaped(element);
  auto toFloat = [&](Expression v) {
    // Signed conversions are the ones that vector units have.
    v = isSigned ? e.extendBits(v, 32) : e.zeroExtendBits(v, wideWidth);
    return e.create<arith::SIToFPOp>(floatType, v.value);
  };
  Expression quotient = toFloat(x) / toFloat(y);
  unsigned resultWidth = isSigned ? 32 : wideWidth;
  Expression result =
      e.create<arith::FPToSIOp>(e.bits(resultWidth), quotient.value);
  result.value.getDefiningOp()->setAttr(kTotalAttrName,
                                        e.builder.getUnitAttr());
  return e.truncateBits(result, width);
}

template <typename OpTy>
static Expression safeOperation(Expression x, Expression y) {
  Expression result = x.emitter->create<OpTy>(x.value, y.value);
  result.value.getDefiningOp()->setAttr(kTotalAttrName,
                                        x.emitter->builder.getUnitAttr());
  return result;
}

/// Divides where the divisor is known to be safe.
static Expression divideSafely(Expression x, Expression y, DivisionKind kind,
                               bool throughFloat) {
  if (throughFloat) {
    Expression quotient = divideThroughFloat(x, y, kind.isSigned);
    return kind.isRemainder ? x - quotient * y : quotient;
  }
  if (kind.isSigned)
    return kind.isRemainder ? safeOperation<arith::RemSIOp>(x, y)
                            : safeOperation<arith::DivSIOp>(x, y);
  return kind.isRemainder ? safeOperation<arith::RemUIOp>(x, y)
                          : safeOperation<arith::DivUIOp>(x, y);
}

/// Zero and, if signed, -1 divisors are replaced by 1; their results are
/// selected afterwards.
static Expression divideTotally(Expression x, Expression y, DivisionKind kind,
                                bool throughFloat) {
  Emitter &e = *x.emitter;
  Expression isZero = equals(y, 0), isUnsafe = isZero;
  Expression isMinusOne;
  if (kind.isSigned) {
    isMinusOne = equals(y, -1);
    isUnsafe = isZero | isMinusOne;
  }
  Expression divisor = e.select(isUnsafe, integerLike(y, 1), y);
  Expression result = divideSafely(x, divisor, kind, throughFloat);
  // x % 1 = x % -1 = 0 already; x / -1 = -x wraps at INT_MIN.
  if (kind.isSigned && !kind.isRemainder)
    result = e.select(isMinusOne, integerLike(x, 0) - x, result);
  return e.select(isZero, kind.isRemainder ? x : integerLike(x, -1), result);
}

static bool isSafeDivisor(Value divisor, bool isSigned) {
  return isConstantWith(divisor, [&](const APInt &value) {
    return !value.isZero() && !(isSigned && value.isAllOnes());
  });
}

static LogicalResult expandDivision(RewriterBase &rewriter, Operation *op,
                                    DivisionKind kind,
                                    const IntegerSemanticsOptions &options) {
  Value divisor = op->getOperand(1);
  Type element = getElementTypeOrSelf(divisor.getType());
  unsigned width = widthOf(element);
  if (width > 1 && isSafeDivisor(divisor, kind.isSigned))
    return rewriter.notifyMatchFailure(op, "the divisor is a safe constant");
  Emitter e(rewriter, op->getLoc(), divisor.getType());
  Expression x = e.wrap(op->getOperand(0)), y = e.wrap(divisor);
  bool throughFloat = options.divideVectorsThroughFloat && width <= 32 &&
                      isa<VectorType>(divisor.getType());
  Expression result = width == 1 ? divideBits(x, y, kind.isRemainder)
                                 : divideTotally(x, y, kind, throughFloat);
  rewriter.replaceOp(op, result.value);
  return success();
}

/// Floor and ceiling: the truncating quotient, one step further where the
/// remainder is not zero and lies on the other side. By zero they are -1 too.
template <typename OpTy>
static LogicalResult expandRoundedDivision(RewriterBase &rewriter, OpTy op,
                                           const IntegerSemanticsOptions &o) {
  Emitter e(rewriter, op.getLoc(), op.getType());
  Expression x = e.wrap(op.getLhs()), y = e.wrap(op.getRhs());
  if (widthOf(x.elementType()) == 1) {
    rewriter.replaceOp(op, divideBits(x, y, /*isRemainder=*/false).value);
    return success();
  }
  constexpr bool isSigned = !std::is_same_v<OpTy, arith::CeilDivUIOp>;
  constexpr bool isFloor = std::is_same_v<OpTy, arith::FloorDivSIOp>;
  bool throughFloat = o.divideVectorsThroughFloat &&
                      widthOf(x.elementType()) <= 32 &&
                      isa<VectorType>(op.getType());
  Expression quotient =
      divideTotally(x, y, {isSigned, /*isRemainder=*/false}, throughFloat);
  Expression rest = x - quotient * y;
  auto predicate =
      isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult;
  Expression adjust =
      e.compare(arith::CmpIPredicate::ne, rest, integerLike(x, 0));
  if (isSigned) {
    Expression differ = e.compare(predicate, rest ^ y, integerLike(x, 0));
    if (!isFloor)
      differ =
          e.compare(arith::CmpIPredicate::sge, rest ^ y, integerLike(x, 0));
    adjust = adjust & differ;
  }
  adjust = adjust & e.compare(arith::CmpIPredicate::ne, y, integerLike(y, 0));
  Expression step = integerLike(x, isFloor ? -1 : 1);
  rewriter.replaceOp(op, e.select(adjust, quotient + step, quotient).value);
  return success();
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// shl and shru give 0 beyond the width; shrs stops at width - 1.
template <typename OpTy>
static LogicalResult expandShift(RewriterBase &rewriter, OpTy op) {
  Type element = getElementTypeOrSelf(op.getType());
  unsigned width = widthOf(element);
  if (isConstantWith(op.getRhs(),
                     [&](const APInt &value) { return value.ult(width); }))
    return rewriter.notifyMatchFailure(op, "the amount is a safe constant");
  Emitter e(rewriter, op.getLoc(), op.getType());
  Expression x = e.wrap(op.getLhs()), amount = e.wrap(op.getRhs());
  if (std::is_same_v<OpTy, arith::ShRSIOp>) {
    Expression last = integerLike(x, width - 1);
    amount = e.create<arith::MinUIOp>(amount.value, last.value);
    rewriter.replaceOp(op, safeOperation<OpTy>(x, amount).value);
    return success();
  }
  Expression inRange =
      e.compare(arith::CmpIPredicate::ult, amount, integerLike(amount, width));
  // The shift may be poison, but is not selected then.
  Expression shifted = safeOperation<OpTy>(x, amount);
  rewriter.replaceOp(op, e.select(inRange, shifted, integerLike(x, 0)).value);
  return success();
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

/// Compares with the powers of two that bound the integer type, which every
/// format of 32 bits or more holds exactly, and selects the bounds.
template <typename OpTy>
static LogicalResult expandFloatToInteger(RewriterBase &rewriter, OpTy op) {
  constexpr bool isSigned = std::is_same_v<OpTy, arith::FPToSIOp>;
  Type element = getElementTypeOrSelf(op.getType());
  if (widthOf(element) > 64)
    return rewriter.notifyMatchFailure(op, "integer wider than 64 bits");
  unsigned width = widthOf(element);
  Emitter e(rewriter, op.getLoc(), op.getIn().getType());
  Expression x = e.wrap(op.getIn());
  if (x.elementType().getIntOrFloatBitWidth() < 32)
    x = e.toSingle(x);
  // Narrow integers are reached through i32, as vector units convert.
  unsigned castWidth = std::max(width, 32u);
  bool castIsSigned = isSigned || width < 32;
  Type castType = e.bits(castWidth);
  Expression result = castIsSigned
                          ? e.create<arith::FPToSIOp>(castType, x.value)
                          : e.create<arith::FPToUIOp>(castType, x.value);
  result.value.getDefiningOp()->setAttr(kTotalAttrName, rewriter.getUnitAttr());
  result = e.truncateBits(result, width);
  APInt largest =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt smallest =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  Expression isAbove = x >= std::ldexp(1.0, isSigned ? width - 1 : width);
  result = e.select(isAbove, e.integer(element, largest), result);
  if (isSigned) {
    Expression isBelow = x < -std::ldexp(1.0, width - 1);
    result = e.select(isBelow, e.integer(element, smallest), result);
    result = e.select(e.isNaN(x), 0.0, result);
  } else {
    // One comparison that is also true for NaN.
    Expression isBelow =
        e.compare(arith::CmpFPredicate::ULE, x, constantLike(x, 0.0));
    result = e.select(isBelow, 0.0, result);
  }
  rewriter.replaceOp(op, result.value);
  return success();
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

LogicalResult expandIntegerSemantics(RewriterBase &rewriter, Operation *op,
                                     const IntegerSemanticsOptions &options) {
  if (op->hasAttr(kTotalAttrName))
    return failure();
  auto divide = [&](bool isSigned, bool isRemainder) {
    return expandDivision(rewriter, op, {isSigned, isRemainder}, options);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::DivSIOp) { return divide(true, false); })
      .Case([&](arith::DivUIOp) { return divide(false, false); })
      .Case([&](arith::RemSIOp) { return divide(true, true); })
      .Case([&](arith::RemUIOp) { return divide(false, true); })
      .Case<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto division) {
            return expandRoundedDivision(rewriter, division, options);
          })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(
          [&](auto shift) { return expandShift(rewriter, shift); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](auto cast) { return expandFloatToInteger(rewriter, cast); })
      .Default([](Operation *) { return failure(); });
}

namespace {
template <typename OpTy>
struct ExpandIntegerPattern : public OpRewritePattern<OpTy> {
  ExpandIntegerPattern(MLIRContext *context,
                       const IntegerSemanticsOptions &options)
      : OpRewritePattern<OpTy>(context), options(options) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return expandIntegerSemantics(rewriter, op, options);
  }

  IntegerSemanticsOptions options;
};

template <typename... OpTys>
void addPatterns(RewritePatternSet &patterns,
                 const IntegerSemanticsOptions &options) {
  patterns.add<ExpandIntegerPattern<OpTys>...>(patterns.getContext(), options);
}
} // namespace

void populateIntegerSemanticsPatterns(RewritePatternSet &patterns,
                                      const IntegerSemanticsOptions &options) {
  addPatterns<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
              arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp, arith::FPToSIOp,
              arith::FPToUIOp>(patterns, options);
}

} // namespace tilewright::math
