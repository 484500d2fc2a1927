//===- Exchanges.cpp - Which operations move elements -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by allocation and by emission, so that both agree.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Exchanges.h"

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/layout/TensorLayouts.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilewright::simt {

static TensorShape shapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return TensorShape(shape.begin(), shape.end());
}

/// Whether several threads hold the same elements and somebody wants them.
static bool isReplicatedAndRead(Value result) {
  LayoutAttr attribute = layoutOf(result.getType());
  if (!attribute || result.use_empty())
    return false;
  LinearLayout layout = attribute.getLayout();
  return layout.freeBits(laneDim) || layout.freeBits(warpDim);
}

bool needsExchange(Operation *op) {
  if (auto split = dyn_cast<kernel::SplitOp>(op))
    return !isa<RankedTensorType>(split.getLhs().getType());
  if (isa<kernel::AtomicRMWOp, kernel::AtomicCASOp>(op))
    return isReplicatedAndRead(op->getResult(0));
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return isa<tensor::ExtractSliceOp>(op);
  LayoutAttr from = layoutOf(reshape.getSource().getType());
  LayoutAttr to = layoutOf(reshape.getResult().getType());
  if (!from || !to)
    return false;
  std::optional<LinearLayout> moved =
      reshapeLayout(from.getLayout(), shapeOf(reshape.getSource()),
                    shapeOf(reshape.getResult()));
  return !moved || *moved != to.getLayout();
}

/// Every thread of a program has to see one answer: others may write between
/// two reads.
bool needsScalarBroadcast(Operation *op) {
  if (op->getNumResults() != 1 ||
      isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    return load.getIsVolatile();
  if (auto gather = dyn_cast<kernel::GatherOp>(op))
    return gather.getIsVolatile();
  if (isa<kernel::ClockOp>(op))
    return true;
  return isa<kernel::AtomicRMWOp, kernel::AtomicCASOp>(op) &&
         !op->getResult(0).use_empty();
}

} // namespace tilewright::simt
