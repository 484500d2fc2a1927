//===- OptimizeConversions.cpp - Fewer moves between threads ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of conversions are one, and what costs nothing to compute is
// computed in the layout that is wanted.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/dialect/SimtOps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTOPTIMIZECONVERSIONSPASS
#include "backends/simt/transforms/Passes.h.inc"

/// The same constant, splat or range in another layout; null for the rest.
static Value rematerialise(OpBuilder &b, Operation *op, RankedTensorType type) {
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return tensor::SplatOp::create(b, op->getLoc(), splat.getInput(), type);
  if (auto range = dyn_cast<kernel::RangeOp>(op)) {
    Operation *copy = b.clone(*range);
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!value || !value.isSplat())
    return nullptr;
  return arith::ConstantOp::create(
      b, op->getLoc(),
      cast<TypedAttr>(Attribute(
          DenseElementsAttr::get(type, value.getSplatValue<Attribute>()))));
}

static LogicalResult simplify(RewriterBase &b, ConvertLayoutOp op) {
  while (auto inner = op.getSource().getDefiningOp<ConvertLayoutOp>())
    op.getSourceMutable().assign(inner.getSource());
  if (op.getSource().getType() == op.getType()) {
    b.replaceOp(op, op.getSource());
    return success();
  }
  Operation *producer = op.getSource().getDefiningOp();
  if (!producer)
    return failure();
  Value copy = rematerialise(b, producer, cast<RankedTensorType>(op.getType()));
  if (!copy)
    return failure();
  b.replaceOp(op, copy);
  return success();
}

namespace {
struct OptimizeConversionsPass
    : public impl::SimtOptimizeConversionsPassBase<OptimizeConversionsPass> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp op) { conversions.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ConvertLayoutOp op : conversions) {
      rewriter.setInsertionPoint(op);
      (void)simplify(rewriter, op);
    }
    eraseDead();
  }

private:
  /// Users come behind what they use.
  void eraseDead() {
    getOperation().walk<WalkOrder::PostOrder, mlir::ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace

} // namespace tilewright::simt
