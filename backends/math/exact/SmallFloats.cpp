//===- SmallFloats.cpp - Arithmetic that is done in f32 ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that LLVM has no code for on small floats, and questions about the
// class of a float as comparisons.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilewright::math {

static bool isSmallFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 32;
}

static bool isFloat16(Type type) { return getElementTypeOrSelf(type).isF16(); }

static bool isFloat8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

static Type withFloat32(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(f32)) : f32;
}

/// Operations that LLVM has no code for on small floats. The sign of f16 and
/// bf16 is a bit operation; some fp8 types have no negative zero.
static bool needsFloat32(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::RemFOp, arith::CmpFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp>(op) ||
         (isa<arith::NegFOp, ::mlir::math::AbsFOp>(op) &&
          isFloat8(op->getOperand(0).getType()));
}

/// Does arithmetic on small floats in f32, which rounds to the same result for
/// + - * / (twice the precision plus two bits). Without it LLVM would call
/// library functions on processors that lack the casts.
LogicalResult expandSmallFloat(RewriterBase &rewriter, Operation *op,
                               const SmallFloatOptions &options) {
  if (!needsFloat32(op) || !isSmallFloat(op->getOperand(0).getType()) ||
      (options.hasFloat16Arithmetic && isFloat16(op->getOperand(0).getType())))
    return failure();
  Location loc = op->getLoc();
  IRMapping wide;
  for (Value operand : op->getOperands())
    if (!wide.contains(operand))
      wide.map(operand,
               arith::ExtFOp::create(rewriter, loc,
                                     withFloat32(operand.getType()), operand));
  Operation *copy = rewriter.clone(*op, wide);
  Type narrow = op->getResult(0).getType();
  if (!isSmallFloat(narrow)) { // a comparison
    rewriter.replaceOp(op, copy->getResults());
    return success();
  }
  copy->getResult(0).setType(withFloat32(narrow));
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, narrow, copy->getResult(0));
  return success();
}

/// Questions about a float, as comparisons of its magnitude with infinity.
LogicalResult expandClassTest(RewriterBase &rewriter, Operation *op) {
  if (!isa<::mlir::math::IsNaNOp, ::mlir::math::IsInfOp,
           ::mlir::math::IsFiniteOp>(op))
    return failure();
  Value value = op->getOperand(0);
  Location loc = op->getLoc();
  if (isa<::mlir::math::IsNaNOp>(op)) {
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNO,
                                               value, value);
    return success();
  }
  Type type = value.getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr infinity = rewriter.getFloatAttr(
      element, llvm::APFloat::getInf(element.getFloatSemantics()));
  if (auto shaped = dyn_cast<ShapedType>(type))
    infinity = DenseElementsAttr::get(shaped, infinity);
  Value bound = arith::ConstantOp::create(rewriter, loc, infinity);
  Value magnitude = ::mlir::math::AbsFOp::create(rewriter, loc, value);
  rewriter.replaceOpWithNewOp<arith::CmpFOp>(op,
                                             isa<::mlir::math::IsInfOp>(op)
                                                 ? arith::CmpFPredicate::OEQ
                                                 : arith::CmpFPredicate::OLT,
                                             magnitude, bound);
  return success();
}

} // namespace tilewright::math
