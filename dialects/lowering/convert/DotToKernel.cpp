//===- DotToKernel.cpp - Matrix products as linalg ops ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of two or three dimensions with the accumulator as init. Precision
// is meaning, so it travels as attributes that VerifyKernelIR requires.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
struct ConvertDot : OpConversionPattern<tile::DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange inputs{adaptor.getOperands().take_front(2)};
    Value acc = adaptor.getAcc();
    Operation *product;
    if (cast<RankedTensorType>(acc.getType()).getRank() == 2)
      product = linalg::MatmulOp::create(rewriter, op.getLoc(),
                                         TypeRange{acc.getType()}, inputs, acc);
    else
      product = linalg::BatchMatmulOp::create(
          rewriter, op.getLoc(), TypeRange{acc.getType()}, inputs, acc);
    copyDiscardableAttributes(op, product);
    product->setAttr("kernel.precision",
                     rewriter.getStringAttr(
                         kernel::stringifyDotPrecision(op.getPrecision())));
    product->setAttr("kernel.max_imprecise_acc", op.getMaxImpreciseAccAttr());
    rewriter.replaceOp(op, product->getResults());
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelDotPatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertDot>(converter, patterns.getContext());
}
