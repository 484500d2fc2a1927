//===- TileFolds.cpp - Folds and canonical forms ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape changes of constants and splats, and pointer arithmetic that is known.
// Constants are scalars and splats only, so folding never grows one.
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::tile;

/// The splat constant `value` with the extents of `type`, null for others.
static Attribute resizeSplat(Attribute value, ShapedType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  return splat ? splat.resizeSplat(type) : DenseElementsAttr();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute source = adaptor.getSource();
  if (isa_and_present<IntegerAttr, FloatAttr>(source))
    return SplatElementsAttr::get(getType(), source);
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getOrder(), llvm::seq<int64_t>(0, getOrder().size())))
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

OpFoldResult PtrCastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<PtrCastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

/// broadcast, reshape and transpose of a splat are splats.
template <typename Op>
static LogicalResult moveSplatOut(Op op, PatternRewriter &rewriter) {
  auto splat = op.getSource().template getDefiningOp<SplatOp>();
  if (!splat)
    return rewriter.notifyMatchFailure(op, "the operand is not a splat");
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
  return success();
}

/// reshape(reshape(x)) = reshape(x), unless only the inner one may reorder.
static LogicalResult mergeReshapes(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<ReshapeOp>();
  if (!inner || inner.getAllowReorder() != op.getAllowReorder())
    return rewriter.notifyMatchFailure(op,
                                       "no reshape of the same kind inside");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSource(),
                                         op.getAllowReorder());
  return success();
}

/// broadcast(broadcast(x)) = broadcast(x).
static LogicalResult mergeBroadcasts(BroadcastOp op,
                                     PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<BroadcastOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no broadcast inside");
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSource());
  return success();
}

/// transpose(transpose(x)) = transpose(x) by the composed permutation.
static LogicalResult mergeTransposes(TransposeOp op,
                                     PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<TransposeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no transpose inside");
  SmallVector<int64_t> order;
  for (int64_t dimension : op.getOrder())
    order.push_back(inner.getOrder()[dimension]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getSource(),
                                           order);
  return success();
}

/// addptr(addptr(p, a), b) = addptr(p, a + b) for constants whose sum fits the
/// offset type; a wrapped sum would be another address.
static LogicalResult mergeOffsets(AddPtrOp op, PatternRewriter &rewriter) {
  auto inner = op.getPtr().getDefiningOp<AddPtrOp>();
  Type type = op.getOffset().getType();
  if (!inner || inner.getOffset().getType() != type)
    return rewriter.notifyMatchFailure(op, "no addptr of this offset type");
  APInt outerOffset, innerOffset;
  if (!matchPattern(op.getOffset(), m_ConstantInt(&outerOffset)) ||
      !matchPattern(inner.getOffset(), m_ConstantInt(&innerOffset)))
    return rewriter.notifyMatchFailure(op, "offsets are not constant");
  bool overflows = false;
  APInt sum = innerOffset.sadd_ov(outerOffset, overflows);
  if (overflows)
    return rewriter.notifyMatchFailure(op, "the sum of the offsets wraps");
  TypedAttr offset = rewriter.getIntegerAttr(getElementTypeOrSelf(type), sum);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    offset = SplatElementsAttr::get(tensor, offset);
  Value merged = arith::ConstantOp::create(rewriter, op.getLoc(), offset);
  rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getPtr(),
                                        merged);
  return success();
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(moveSplatOut<BroadcastOp>).add(mergeBroadcasts);
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *) {
  patterns.add(moveSplatOut<ReshapeOp>).add(mergeReshapes);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(moveSplatOut<TransposeOp>).add(mergeTransposes);
}

void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(mergeOffsets);
}
