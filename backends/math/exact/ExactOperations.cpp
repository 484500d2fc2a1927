//===- ExactOperations.cpp - Rounding, sqrt, fma and clamp ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These have one right result. Small floats compute them in a wider type that
// cannot change it; larger ones only where the target has no instruction.
//
//===----------------------------------------------------------------------===//

#include "backends/math/exact/ExactOperations.h"
#include "backends/math/single/Formulas.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::math {

using UnaryFormula = Expression (*)(Expression);

static UnaryFormula roundingFormula(Operation *op) {
  namespace m = ::mlir::math;
  return llvm::TypeSwitch<Operation *, UnaryFormula>(op)
      .Case([](m::FloorOp) { return floorByAddition; })
      .Case([](m::CeilOp) { return ceilByAddition; })
      .Case([](m::TruncOp) { return truncateByAddition; })
      .Case([](m::RoundOp) { return roundByAddition; })
      .Case([](m::RoundEvenOp) { return roundEvenByAddition; })
      .Default([](Operation *) { return nullptr; });
}

/// Does an operation whose f32 result, rounded again, is the right one for
/// small floats: rounding to integers is exact, and for a square root f32 has
/// twice the digits of f16 and two more.
static LogicalResult widen(RewriterBase &rewriter, Operation *op) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!type.isF16() && !type.isBF16())
    return rewriter.notifyMatchFailure(op, "native on the target");
  Emitter e(rewriter, op->getLoc(), op->getOperand(0).getType());
  Value wide = e.toSingle(e.wrap(op->getOperand(0))).value;
  Operation *copy = rewriter.clone(*op);
  copy->setOperand(0, wide);
  copy->getResult(0).setType(wide.getType());
  Expression result = e.wrap(copy->getResult(0));
  rewriter.replaceOp(op, e.toFloat(result, type).value);
  return success();
}

/// Rounding to integers where the target has no instruction for it.
static LogicalResult expandRounding(RewriterBase &rewriter, Operation *op,
                                    UnaryFormula formula,
                                    const FormulaOptions &options) {
  if (options.hasRounding)
    return widen(rewriter, op);
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  if (!type.isF64() && !isExpandedFloat(type))
    return rewriter.notifyMatchFailure(op, "type has no expansion");
  Emitter e(rewriter, op->getLoc(), op->getOperand(0).getType(), options);
  Expression x = e.wrap(op->getOperand(0));
  Expression y = formula(type.isF64() ? x : e.toSingle(x));
  rewriter.replaceOp(op, e.toFloat(y, type).value);
  return success();
}

/// NaN passes; the lower bound wins over the upper one.
static LogicalResult expandClamp(RewriterBase &rewriter,
                                 ::mlir::math::ClampFOp op) {
  Type type = getElementTypeOrSelf(op.getType());
  if (!type.isF64() && !isExpandedFloat(type))
    return rewriter.notifyMatchFailure(op, "type has no expansion");
  Emitter e(rewriter, op.getLoc(), op.getType());
  auto operand = [&](Value v) {
    return type.isF64() ? e.wrap(v) : e.toSingle(e.wrap(v));
  };
  Expression x = operand(op.getValue());
  Expression low = operand(op.getMin()), high = operand(op.getMax());
  Expression y = e.select(x > high, high, x);
  y = e.select(y < low, low, y);
  rewriter.replaceOp(op, e.toFloat(y, type).value);
  return success();
}

/// fma of small floats, which would be rounded twice in f32, and of f32 where
/// the target has none.
static LogicalResult expandFma(RewriterBase &rewriter, ::mlir::math::FmaOp op,
                               const FormulaOptions &options) {
  Type type = getElementTypeOrSelf(op.getType());
  if (!isExpandedFloat(type) || (type.isF32() && options.hasFma))
    return rewriter.notifyMatchFailure(op, "native on the target");
  Emitter e(rewriter, op.getLoc(), op.getType(), options);
  auto operand = [&](Value v) { return e.toDouble(e.wrap(v)); };
  Expression y = fusedToOddDouble(operand(op.getA()), operand(op.getB()),
                                  operand(op.getC()));
  rewriter.replaceOp(op, e.toFloat(y, type).value);
  return success();
}

LogicalResult expandExactOperation(RewriterBase &rewriter, Operation *op,
                                   const FormulaOptions &options) {
  if (UnaryFormula formula = roundingFormula(op))
    return expandRounding(rewriter, op, formula, options);
  if (isa<::mlir::math::SqrtOp>(op))
    return widen(rewriter, op);
  if (auto clamp = dyn_cast<::mlir::math::ClampFOp>(op))
    return expandClamp(rewriter, clamp);
  if (auto fma = dyn_cast<::mlir::math::FmaOp>(op))
    return expandFma(rewriter, fma, options);
  return failure();
}

} // namespace tilewright::math
