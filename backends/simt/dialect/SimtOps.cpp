//===- SimtOps.cpp - Verifiers of the simt dialect --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints C1..Cn of SimtOps.td.
//===----------------------------------------------------------------------===//
#include "backends/simt/dialect/SimtOps.h"

#include "backends/simt/layout/ExchangeLayout.h"
#include "backends/simt/layout/MatrixAtom.h"
#include "backends/simt/layout/TensorLayouts.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::simt;

#define GET_OP_CLASSES
#include "backends/simt/dialect/SimtOps.cpp.inc"

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

LogicalResult ConvertLayoutOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (from.getShape() == to.getShape() &&
      from.getElementType() == to.getElementType())
    return success();
  return emitOpError("C1: expected types that differ in layout only, got ")
         << from << " and " << to;
}

LogicalResult BroadcastOp::verify() {
  SmallVector<int64_t> kept;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(getResult())))
    if (!llvm::is_contained(getDimensions(), int64_t(dim)))
      kept.push_back(extent);
  if (ArrayRef(kept) != shapeOf(getSource()))
    return emitOpError("C1: expected an operand of shape [")
           << kept << "], got " << getSource().getType();
  LayoutAttr from = layoutOf(getSource().getType());
  LayoutAttr to = layoutOf(getResult().getType());
  if (!from || !to)
    return success();
  LinearLayout repeated = to.getLayout();
  for (int64_t dim : llvm::reverse(getDimensions()))
    repeated = sliceOutputs(repeated, dim);
  if (planMove(from.getLayout(), repeated).crossing != Crossing::Registers)
    return emitOpError("C2: expected each thread to hold the elements that it "
                       "repeats, got ")
           << from << " for " << to;
  return success();
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSource()), to = shapeOf(getResult());
  ArrayRef<int64_t> permutation = getPermutation();
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  bool isPermutation = permutation.size() == from.size();
  for (auto [index, dim] : llvm::enumerate(sorted))
    isPermutation &= dim == int64_t(index);
  if (!isPermutation || from.size() != to.size())
    return emitOpError("C1: expected a permutation of ")
           << from.size() << " dimensions, got [" << permutation << "]";
  for (auto [dim, source] : llvm::enumerate(permutation))
    if (to[dim] != from[source])
      return emitOpError("C1: expected extent ")
             << from[source] << " in dimension " << dim << ", got " << to[dim];
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (from.getNumElements() == to.getNumElements() &&
      from.getElementType() == to.getElementType())
    return success();
  return emitOpError("C1: expected as many elements of one type, got ")
         << from << " and " << to;
}

/// Extents and elements of a product with factors.
static LogicalResult verifyScaled(DotOp op) {
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  ArrayRef<int64_t> result = shapeOf(op.getResult());
  bool isMatch = lhs.size() == 2 && rhs.size() == 2 && result.size() == 2 &&
                 op.getScales().size() == 2 &&
                 shapeOf(op.getScales()[0]).size() == 2;
  if (isMatch) {
    int64_t depth = shapeOf(op.getScales()[0])[1] * kScaleRun;
    auto isDepth = [&](int64_t extent, Value operand) {
      bool mayPack = getElementTypeOrSelf(operand).isInteger(8);
      return extent == depth || (mayPack && extent * 2 == depth);
    };
    isMatch = isDepth(lhs[1], op.getLhs()) && isDepth(rhs[0], op.getRhs()) &&
              lhs[0] == result[0] && rhs[1] == result[1];
    for (auto [scale, rows] : llvm::zip(op.getScales(), result))
      isMatch &= shapeOf(scale) == ArrayRef<int64_t>{rows, depth / kScaleRun} &&
                 getElementTypeOrSelf(scale).isInteger(8);
  }
  if (isMatch)
    return success();
  return op.emitOpError("C2: expected [M, K], [K, N], [M, N] and scales of "
                        "[M, K / 32] and [N, K / 32] of i8, got ")
         << op.getOperandTypes();
}

LogicalResult DotOp::verify() {
  if (!getScales().empty())
    return verifyScaled(*this);
  ArrayRef<int64_t> lhs = shapeOf(getLhs()), rhs = shapeOf(getRhs());
  ArrayRef<int64_t> result = shapeOf(getResult());
  size_t rank = result.size();
  bool isMatch = rank >= 2 && lhs.size() == rank && rhs.size() == rank;
  if (isMatch)
    isMatch = lhs[rank - 1] == rhs[rank - 2] &&
              lhs[rank - 2] == result[rank - 2] &&
              rhs[rank - 1] == result[rank - 1] &&
              lhs.drop_back(2) == rhs.drop_back(2) &&
              lhs.drop_back(2) == result.drop_back(2);
  if (isMatch)
    return success();
  return emitOpError("C1: expected [.., M, K], [.., K, N] and [.., M, N], got ")
         << getLhs().getType() << ", " << getRhs().getType() << " and "
         << getResult().getType();
}

/// What loads, stores and copies share.
static LogicalResult checkBuffer(Operation *op, MemDescType memory,
                                 ArrayRef<int64_t> shape, Type element,
                                 StringRef constraint) {
  if (memory.getShape() == shape && memory.getElementType() == element)
    return success();
  return op->emitOpError(constraint)
         << ": expected the buffer's shape and elements, got " << memory
         << " and [" << shape << "] of " << element;
}

LogicalResult RotateOp::verify() {
  if (int32_t(getCount()) > 0)
    return success();
  return emitOpError("C1: expected a positive number of buffers, got ")
         << int32_t(getCount());
}

LogicalResult LocalLoadOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  return checkBuffer(*this, getMemory().getType(), type.getShape(),
                     type.getElementType(), "C1");
}

LogicalResult LocalStoreOp::verify() {
  auto type = cast<RankedTensorType>(getValue().getType());
  return checkBuffer(*this, getMemory().getType(), type.getShape(),
                     type.getElementType(), "C1");
}

LogicalResult AsyncCopyOp::verify() {
  auto view = dyn_cast<tilewright::kernel::ViewType>(getView().getType());
  MemDescType memory = getMemory().getType();
  if (!view || view.getRank() != memory.getShape().size() ||
      view.getElementType() != memory.getElementType())
    return emitOpError("C2: expected a view like the buffer, got ")
           << getView().getType() << " and " << memory;
  size_t rank = view.getRank();
  if (getOffsets().size() == rank && getLo().size() == rank &&
      getHi().size() == rank && getBoundary().size() == rank)
    return success();
  return emitOpError("C1: expected ")
         << rank << " offsets, bounds and boundary modes";
}

LogicalResult PartitionOp::verify() {
  size_t count = getPartitions().size();
  auto isPositive = [](int32_t value) { return value > 0; };
  if (getWarps().size() == count && getRegisters().size() == count &&
      llvm::all_of(getWarps(), isPositive) &&
      llvm::all_of(getRegisters(), isPositive))
    return success();
  return emitOpError("C1: expected ")
         << count << " positive numbers of warps and of registers, got "
         << getWarps().size() << " and " << getRegisters().size();
}
