//===- AtomicToKernel.cpp - Atomics that have no scalar base ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics keep kind, order and scope; tensors of pointers are the base.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
struct ConvertAtomicRMW : OpConversionPattern<tile::AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (isa<kernel::PointerType>(getElementTypeOrSelf(type)))
      return rewriter.notifyMatchFailure(op, "element is a pointer");
    auto atomic = kernel::AtomicRMWOp::create(
        rewriter, op.getLoc(), type, op.getKindAttr(), op.getSemanticsAttr(),
        op.getScopeAttr(), adaptor.getValue(), adaptor.getPtr(), Value(),
        adaptor.getMask());
    copyDiscardableAttributes(op, atomic);
    rewriter.replaceOp(op, atomic);
    return success();
  }
};

struct ConvertAtomicCAS : OpConversionPattern<tile::AtomicCASOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::AtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (isa<kernel::PointerType>(getElementTypeOrSelf(type)))
      return rewriter.notifyMatchFailure(op, "element is a pointer");
    auto atomic = kernel::AtomicCASOp::create(
        rewriter, op.getLoc(), type, op.getSemanticsAttr(), op.getScopeAttr(),
        adaptor.getCompare(), adaptor.getValue(), adaptor.getPtr(), Value());
    copyDiscardableAttributes(op, atomic);
    rewriter.replaceOp(op, atomic);
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelAtomicPatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertAtomicCAS, ConvertAtomicRMW>(converter,
                                                   patterns.getContext());
}
