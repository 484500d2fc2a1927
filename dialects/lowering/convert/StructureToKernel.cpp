//===- StructureToKernel.cpp - Functions, control flow, casts ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that only pass pointers or descriptors along.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/PopulatePatterns.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
/// Selects between descriptors component by component.
struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value condition = adaptor.getCondition().front();
    SmallVector<Value> components;
    for (auto [onTrue, onFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      components.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                                   condition, onTrue, onFalse));
    SmallVector<SmallVector<Value>> replacement{components};
    rewriter.replaceOpWithMultiple(op, std::move(replacement));
    return success();
  }
};

/// Removes the casts that raising put in front of its views.
struct ConvertCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getOperands().getTypes() != op->getResultTypes())
      return rewriter.notifyMatchFailure(op, "not a cast of a pointer");
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelStructurePatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertCast, ConvertSelect>(converter, patterns.getContext());
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  scf::populateSCFStructuralTypeConversions(converter, patterns);
}
