//===- ReduceToKernel.cpp - Reductions as linalg.reduce or kernel.reduce ---*-
// C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operand combined by one op with an identity is linalg.reduce; anything
// else keeps its region in kernel.reduce.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// The only op of the combine region, if it takes both arguments and is
/// yielded.
static Operation *getSingleCombine(tile::ReduceOp op) {
  Block &body = op.getCombine().front();
  if (op.getOperands().size() != 1 || !llvm::hasNItems(body, 2))
    return nullptr;
  Operation &combine = body.front();
  if (combine.getNumOperands() != 2 || combine.getNumResults() != 1 ||
      body.getTerminator()->getOperand(0) != combine.getResult(0))
    return nullptr;
  Value left = body.getArgument(0), right = body.getArgument(1);
  bool takesBoth =
      (combine.getOperand(0) == left && combine.getOperand(1) == right) ||
      (combine.getOperand(0) == right && combine.getOperand(1) == left);
  return takesBoth ? &combine : nullptr;
}

/// The value x with combine(x, y) = y for every y, bit for bit: -0.0 for sums,
/// NaN for the minimum and maximum that ignore NaN.
static TypedAttr getIdentity(Operation *combine, Type type) {
  Builder builder(combine->getContext());
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto get = [&](const APFloat &value) -> TypedAttr {
      return builder.getFloatAttr(type, value);
    };
    if (!APFloat::semanticsHasInf(semantics) ||
        !APFloat::semanticsHasNaN(semantics))
      return {};
    return TypeSwitch<Operation *, TypedAttr>(combine)
        .Case<arith::AddFOp>(
            [&](auto) { return get(APFloat::getZero(semantics, true)); })
        .Case<arith::MulFOp>([&](auto) { return get(APFloat(semantics, 1)); })
        .Case<arith::MaxNumFOp, arith::MinNumFOp>(
            [&](auto) { return get(APFloat::getQNaN(semantics)); })
        .Case<arith::MaximumFOp>(
            [&](auto) { return get(APFloat::getInf(semantics, true)); })
        .Case<arith::MinimumFOp>(
            [&](auto) { return get(APFloat::getInf(semantics, false)); })
        .Default([](auto) { return TypedAttr(); });
  }
  auto intType = dyn_cast<IntegerType>(type);
  if (!intType)
    return {};
  unsigned width = intType.getWidth();
  auto get = [&](const APInt &value) -> TypedAttr {
    return builder.getIntegerAttr(type, value);
  };
  return TypeSwitch<Operation *, TypedAttr>(combine)
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return get(APInt::getZero(width)); })
      .Case<arith::MulIOp>([&](auto) { return get(APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return get(APInt::getAllOnes(width)); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return get(APInt::getSignedMinValue(width)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return get(APInt::getSignedMaxValue(width)); })
      .Default([](auto) { return TypedAttr(); });
}

namespace {
/// Result tensor from a single op with identity. A vector's scalar result has
/// no linalg form on tensors and is left to the next pattern.
struct ConvertSimpleReduce : OpConversionPattern<tile::ReduceOp> {
  ConvertSimpleReduce(const TypeConverter &converter, MLIRContext *context,
                      bool statedOrder)
      : OpConversionPattern(converter, context, /*benefit=*/2),
        statedOrder(statedOrder) {}

  LogicalResult
  matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Operation *combine = getSingleCombine(op);
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!combine || !type)
      return rewriter.notifyMatchFailure(op, "not one op on a result tensor");
    if (statedOrder && isa<arith::AddFOp, arith::MulFOp>(combine))
      return rewriter.notifyMatchFailure(op, "needs a stated order");
    TypedAttr identity = getIdentity(combine, type.getElementType());
    if (!identity)
      return rewriter.notifyMatchFailure(op, "combine op has no identity");
    Value init = arith::ConstantOp::create(
        rewriter, op.getLoc(), DenseElementsAttr::get(type, identity));
    auto reduce = linalg::ReduceOp::create(
        rewriter, op.getLoc(), adaptor.getOperands(), ValueRange{init},
        SmallVector<int64_t>{op.getAxis()},
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          IRMapping mapping;
          mapping.map(op.getCombine().getArguments(), arguments);
          Operation *copy = builder.clone(*combine, mapping);
          linalg::YieldOp::create(builder, loc, copy->getResults());
        });
    copyDiscardableAttributes(op, reduce);
    rewriter.replaceOp(op, reduce->getResults());
    return success();
  }

private:
  bool statedOrder;
};

struct ConvertReduce : OpConversionPattern<tile::ReduceOp> {
  ConvertReduce(const TypeConverter &converter, MLIRContext *context,
                bool statedOrder)
      : OpConversionPattern(converter, context), statedOrder(statedOrder) {}

  LogicalResult
  matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no Kernel form");
    auto reduce = kernel::ReduceOp::create(
        rewriter, op.getLoc(), types, adaptor.getOperands(), op.getAxisAttr(),
        kernel::ReduceOrderAttr::get(op.getContext(),
                                     statedOrder ? kernel::ReduceOrder::Stated
                                                 : kernel::ReduceOrder::Any));
    copyDiscardableAttributes(op, reduce);
    Region &region = reduce.getCombine();
    rewriter.inlineRegionBefore(op.getCombine(), region, region.end());
    if (failed(rewriter.convertRegionTypes(&region, *getTypeConverter())))
      return rewriter.notifyMatchFailure(op, "region has no Kernel form");
    rewriter.replaceOp(op, reduce->getResults());
    return success();
  }

private:
  bool statedOrder;
};
} // namespace

void lowering::populateTileToKernelReducePatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns,
    bool statedOrder) {
  patterns.add<ConvertReduce, ConvertSimpleReduce>(
      converter, patterns.getContext(), statedOrder);
}
