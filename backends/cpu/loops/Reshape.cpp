//===- Reshape.cpp - Values read at other indices ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes, slices, splits and gathers map an index of the result to one of
// the source.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::cpu {

/// One index for several dimensions, row-major.
Index Emitter::linearise(ArrayRef<int64_t> shape, const Indices &at,
                         unsigned width) {
  Index result;
  int64_t stride = 1;
  bool hasLanes =
      llvm::any_of(at, [](const Index &index) { return bool(index.lanes); });
  Value lanes;
  for (const Index &index : at)
    result.level = std::max(result.level, index.level);
  // Computed where the level says, for users there: `at` may be a part of the
  // indices of what is being evaluated, which is deeper.
  OpBuilder::InsertionGuard guard(b);
  if (nest)
    enterLevel(result.level);
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    const Index &index = at[dim];
    if (shape[dim] == 1)
      continue;
    if (hasLanes) {
      Value term = lanesOf(index, width);
      if (stride != 1)
        term = b.createOrFold<arith::MulIOp>(term, splat(i64(stride), width));
      lanes = add(lanes, term);
    } else {
      result.base = add(result.base, multiply(index.base, stride));
      result.constant += index.constant * stride;
      result.step += index.step * stride;
    }
    stride *= shape[dim];
  }
  result.lanes = lanes;
  return result;
}

/// Reshapes that never divide an index. Other ones read the source's buffer.
Value Emitter::computeReshape(Operation *op, const Indices &at,
                              unsigned width) {
  Value source = op->getOperand(0);
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Indices inner;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (slice.hasZeroOffset() ? false : !slice.getOffsets().empty())
      return refuse(op, "TW4124: expected a slice at constant offsets",
                    laneType(type.getElementType(), width));
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    size_t next = 0;
    for (int64_t dim = 0; dim < sourceType.getRank(); ++dim) {
      Index index = dropped[dim] ? Index() : at[next++];
      int64_t stride = slice.getStaticStrides()[dim];
      int64_t offset = slice.getStaticOffsets()[dim];
      if (index.lanes) {
        index.lanes = arith::AddIOp::create(
            b, arith::MulIOp::create(b, index.lanes, splat(i64(stride), width)),
            splat(i64(offset), width));
      } else {
        index.base = multiply(index.base, stride);
        index.constant = index.constant * stride + offset;
        index.step *= stride;
      }
      inner.push_back(index);
    }
    return evaluate(source, inner, width);
  }
  if (isUnitReshape(op)) {
    size_t next = 0;
    for (int64_t extent : sourceType.getShape()) {
      if (extent == 1) {
        inner.push_back(Index());
        continue;
      }
      while (type.getDimSize(next) == 1)
        ++next;
      inner.push_back(at[next++]);
    }
    return evaluate(source, inner, width);
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (ReassociationIndices group : expand.getReassociationIndices()) {
      Indices part;
      SmallVector<int64_t> shape;
      for (int64_t dim : group) {
        part.push_back(at[dim]);
        shape.push_back(type.getDimSize(dim));
      }
      inner.push_back(linearise(shape, part, width));
    }
    return evaluate(source, inner, width);
  }
  return readBuffer(plan[source].buffer, type.getShape(), at, width,
                    type.getElementType());
}

Value Emitter::computeSplit(kernel::SplitOp op, Value value, const Indices &at,
                            unsigned width) {
  Indices inner = at;
  Index last;
  last.constant = value == op.getLhs() ? 0 : 1;
  inner.push_back(last);
  return evaluate(op.getSource(), inner, width);
}

/// Indices are clamped, so that no other memory is ever read.
Value Emitter::computeGatherInTile(kernel::GatherInTileOp op, const Indices &at,
                                   unsigned width) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  unsigned axis = op.getAxis();
  Value picked = evaluate(op.getIndices(), at, width);
  Type type = laneType(b.getI64Type(), width);
  if (picked.getType() != type)
    picked = arith::ExtSIOp::create(b, type, picked);
  picked = arith::MaxSIOp::create(b, picked, splat(i64(0), width));
  picked = arith::MinSIOp::create(
      b, picked, splat(i64(source.getDimSize(axis) - 1), width));
  Indices inner = at;
  Index index;
  index.level = nest->levels.size() - 1;
  (width == 1 ? index.base : index.lanes) = picked;
  inner[axis] = index;
  return readBuffer(plan[op.getSource()].buffer, source.getShape(), inner,
                    width, source.getElementType());
}

} // namespace tilewright::cpu
