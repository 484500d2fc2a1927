//===- ShapeToKernel.cpp - Shape ops as linalg and tensor ops ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splat, broadcast, reshape and transpose. Extents are static, so every reshape
// is a collapse, an expansion or both.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// All dimensions of a shape in one group; none for rank 0.
static SmallVector<ReassociationIndices> groupAll(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  if (rank > 0)
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
  return groups;
}

/// Drops the unit dimensions that a broadcast repeats.
static Value dropDimensions(OpBuilder &builder, Location loc, Value source,
                            ArrayRef<int64_t> dropped) {
  if (dropped.empty())
    return source;
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  ReassociationIndices pending;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (llvm::is_contained(dropped, dim)) {
      (groups.empty() ? pending : groups.back()).push_back(dim);
      continue;
    }
    groups.push_back(pending);
    groups.back().push_back(dim);
    pending.clear();
    shape.push_back(type.getDimSize(dim));
  }
  auto result = RankedTensorType::get(shape, type.getElementType());
  return tensor::CollapseShapeOp::create(builder, loc, result, source, groups);
}

static Value createEmpty(OpBuilder &builder, Location loc, Type type) {
  auto tensorType = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(builder, loc, tensorType.getShape(),
                                 tensorType.getElementType());
}

namespace {
struct ConvertSplat : OpConversionPattern<tile::SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, adaptor.getSource(), type);
    return success();
  }
};

struct ConvertBroadcast : OpConversionPattern<tile::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    ArrayRef<int64_t> from = op.getSource().getType().getShape();
    ArrayRef<int64_t> to = op.getType().getShape();
    SmallVector<int64_t> repeated;
    for (auto [dim, extents] : llvm::enumerate(llvm::zip_equal(from, to)))
      if (std::get<0>(extents) != std::get<1>(extents))
        repeated.push_back(dim);
    if (repeated.empty()) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    Value source =
        dropDimensions(rewriter, op.getLoc(), adaptor.getSource(), repeated);
    Value init = createEmpty(rewriter, op.getLoc(), type);
    auto result = linalg::BroadcastOp::create(rewriter, op.getLoc(), source,
                                              init, repeated);
    copyDiscardableAttributes(op, result);
    rewriter.replaceOp(op, result->getResults());
    return success();
  }
};

struct ConvertReshape : OpConversionPattern<tile::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    auto from = cast<RankedTensorType>(source.getType());
    auto to =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    if (from == to) {
      rewriter.replaceOp(op, source);
      return success();
    }
    auto groups = from.getRank() == to.getRank()
                      ? std::nullopt
                      : getReassociationIndicesForReshape(from, to);
    if (groups && from.getRank() > to.getRank()) {
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, to, source,
                                                           *groups);
      return success();
    }
    if (!groups) {
      auto flat =
          RankedTensorType::get({from.getNumElements()}, from.getElementType());
      if (from.getRank() != 1)
        source = tensor::CollapseShapeOp::create(
            rewriter, op.getLoc(), flat, source, groupAll(from.getRank()));
      groups = groupAll(to.getRank());
    }
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, to, source, *groups);
    return success();
  }
};

struct ConvertTranspose : OpConversionPattern<tile::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value init = createEmpty(rewriter, op.getLoc(), type);
    auto result = linalg::TransposeOp::create(
        rewriter, op.getLoc(), adaptor.getSource(), init, op.getOrder());
    copyDiscardableAttributes(op, result);
    rewriter.replaceOp(op, result->getResults());
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelShapePatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<ConvertBroadcast, ConvertReshape, ConvertSplat, ConvertTranspose>(
          converter, patterns.getContext());
}
