//===- MinMax.cpp - Minimum and maximum of floats ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith.maximumf and minimumf propagate NaN, maxnumf and minnumf ignore it;
// both order -0 below +0 here, as maximum and maximumNumber of IEEE 754-2019 do
// (LLVM's maxnum may return either zero). Small floats go through f32.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"
#include "backends/math/expression/Expression.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::math {

/// The larger of two numbers. Equal ones have equal bits but for the sign of
/// zero, which `and` settles for maxima and `or` for minima.
static Expression orderNumbers(Expression a, Expression b, bool isMaximum) {
  Emitter &e = *a.emitter;
  Expression x = e.toBits(a), y = e.toBits(b);
  Expression tie = e.fromBits(isMaximum ? x & y : x | y, a.elementType());
  Expression larger = e.select(isMaximum ? a > b : a < b, a, b);
  return e.select(a == b, tie, larger);
}

static LogicalResult expand(RewriterBase &rewriter, Operation *op,
                            bool isMaximum, bool ignoresNaN) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  bool isSmall = type.isF16() || type.isBF16();
  if (!isSmall && !type.isF32() && !type.isF64())
    return rewriter.notifyMatchFailure(op, "type has no expansion");
  Emitter e(rewriter, op->getLoc(), op->getResult(0).getType());
  Expression a = e.wrap(op->getOperand(0)), b = e.wrap(op->getOperand(1));
  if (isSmall)
    a = e.toSingle(a), b = e.toSingle(b);
  // The comparison is false for NaN and gives b: right if a is ignored or b is
  // the NaN to propagate; the other case is selected.
  Expression result = orderNumbers(a, b, isMaximum);
  result = e.select(e.isNaN(ignoresNaN ? b : a), a, result);
  rewriter.replaceOp(op, e.toFloat(result, type).value);
  return success();
}

LogicalResult expandMinMax(RewriterBase &rewriter, Operation *op) {
  auto run = [&](bool isMaximum, bool ignoresNaN) {
    return expand(rewriter, op, isMaximum, ignoresNaN);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::MaximumFOp) { return run(true, false); })
      .Case([&](arith::MinimumFOp) { return run(false, false); })
      .Case([&](arith::MaxNumFOp) { return run(true, true); })
      .Case([&](arith::MinNumFOp) { return run(false, true); })
      .Default([](Operation *) { return failure(); });
}

namespace {
template <typename OpTy>
struct ExpandMinMaxPattern : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return expandMinMax(rewriter, op);
  }
};
} // namespace

void populateMinMaxPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandMinMaxPattern<arith::MaximumFOp>,
               ExpandMinMaxPattern<arith::MinimumFOp>,
               ExpandMinMaxPattern<arith::MaxNumFOp>,
               ExpandMinMaxPattern<arith::MinNumFOp>>(patterns.getContext());
}

} // namespace tilewright::math
