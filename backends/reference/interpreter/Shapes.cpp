//===- Shapes.cpp - Moving elements without changing them -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcasts, transposes, reshapes, slices, joins, in-tile gathers, ranges.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Indexing.h"
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilewright::reference {

/// Sets the op's result to elements of its first operand: `pick` gives the
/// source's element number for a result's position.
template <typename Pick>
static bool rearrange(Interpreter &at, Operation *op, const Pick &pick) {
  const Tile &source = at.get(op->getOperand(0));
  Tile result = makeTile(op->getResult(0).getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = source.bits[pick(positionOf(i, result.shape), source)];
  at.set(op->getResult(0), std::move(result));
  return true;
}

static bool splat(Interpreter &at, Operation *op) {
  return rearrange(at, op, [](const Position &, const Tile &) { return 0; });
}

/// Elements nobody has written are zero.
static bool empty(Interpreter &at, Operation *op) {
  at.set(op->getResult(0), makeTile(op->getResult(0).getType()));
  return true;
}

static bool broadcast(Interpreter &at, Operation *op) {
  ArrayRef<int64_t> added = cast<linalg::BroadcastOp>(op).getDimensions();
  return rearrange(at, op, [&](const Position &to, const Tile &source) {
    Position from;
    for (size_t d = 0; d < to.size(); ++d)
      if (!llvm::is_contained(added, int64_t(d)))
        from.push_back(to[d]);
    return numberOf(from, source.shape);
  });
}

static bool transpose(Interpreter &at, Operation *op) {
  ArrayRef<int64_t> order = cast<linalg::TransposeOp>(op).getPermutation();
  return rearrange(at, op, [&](const Position &to, const Tile &source) {
    Position from(to.size());
    for (size_t d = 0; d < to.size(); ++d)
      from[order[d]] = to[d];
    return numberOf(from, source.shape);
  });
}

/// Row-major order is kept.
static bool reshape(Interpreter &at, Operation *op) {
  Tile result = makeTile(op->getResult(0).getType());
  result.bits = at.get(op->getOperand(0)).bits;
  at.set(op->getResult(0), std::move(result));
  return true;
}

static bool slice(Interpreter &at, Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  auto constants = [&](ArrayRef<OpFoldResult> list) {
    Position numbers;
    for (OpFoldResult entry : list)
      numbers.push_back(isa<Attribute>(entry) ? *getConstantIntValue(entry)
                                              : at.scalar(cast<Value>(entry)));
    return numbers;
  };
  Position offsets = constants(slice.getMixedOffsets());
  Position strides = constants(slice.getMixedStrides());
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  return rearrange(at, op, [&](const Position &to, const Tile &source) {
    Position from(sizes.size());
    for (size_t d = 0, next = 0; d < sizes.size(); ++d)
      from[d] = offsets[d] + (dropped[d] ? 0 : to[next++] * strides[d]);
    return numberOf(from, source.shape);
  });
}

static bool range(Interpreter &at, Operation *op) {
  auto range = cast<kernel::RangeOp>(op);
  Tile result = makeTile(range.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = uint32_t(int32_t(range.getStart()) + i);
  at.set(range.getResult(), std::move(result));
  return true;
}

static bool join(Interpreter &at, Operation *op) {
  const Tile &lhs = at.get(op->getOperand(0)), &rhs = at.get(op->getOperand(1));
  Tile result = makeTile(op->getResult(0).getType());
  for (int64_t i = 0; i < lhs.size(); ++i) {
    result.bits[2 * i] = lhs.bits[i];
    result.bits[2 * i + 1] = rhs.bits[i];
  }
  at.set(op->getResult(0), std::move(result));
  return true;
}

static bool split(Interpreter &at, Operation *op) {
  const Tile source = at.get(op->getOperand(0));
  for (unsigned half = 0; half < 2; ++half) {
    Tile result = makeTile(op->getResult(half).getType());
    for (int64_t i = 0; i < result.size(); ++i)
      result.bits[i] = source.bits[2 * i + half];
    at.set(op->getResult(half), std::move(result));
  }
  return true;
}

static bool concatenate(Interpreter &at, Operation *op) {
  const Tile &lhs = at.get(op->getOperand(0)), &rhs = at.get(op->getOperand(1));
  Tile result = makeTile(op->getResult(0).getType());
  llvm::copy(rhs.bits, llvm::copy(lhs.bits, result.bits.begin()));
  at.set(op->getResult(0), std::move(result));
  return true;
}

/// Indices out of range are clamped.
static bool gatherInTile(Interpreter &at, Operation *op) {
  auto gather = cast<kernel::GatherInTileOp>(op);
  const Tile &indices = at.get(gather.getIndices());
  unsigned axis = gather.getAxis(), width = widthOf(indices.element);
  int64_t extent = at.get(gather->getOperand(0)).shape[axis];
  for (uint64_t bits : indices.bits) {
    int64_t index = signExtend(bits, width);
    if (at.environment.checks.bounds && (index < 0 || index >= extent))
      return at.fail(op, kOutOfBounds,
                     "expected an index from 0 to " + Twine(extent - 1) +
                         " along axis " + Twine(axis) +
                         " of the tile that is gathered from, got " +
                         Twine(index));
  }
  return rearrange(at, op, [&](Position to, const Tile &source) {
    int64_t index =
        signExtend(indices.bits[numberOf(to, indices.shape)], width);
    to[axis] = std::clamp<int64_t>(index, 0, source.shape[axis] - 1);
    return numberOf(to, source.shape);
  });
}

static bool histogram(Interpreter &at, Operation *op) {
  auto count = cast<kernel::HistogramOp>(op);
  const Tile &source = at.get(count.getSource());
  const Tile *mask = count.getMask() ? &at.get(count.getMask()) : nullptr;
  Tile result = makeTile(count.getType());
  for (int64_t i = 0; i < source.size(); ++i) {
    int64_t bin = signExtend(source.bits[i], widthOf(source.element));
    if ((!mask || mask->bits[i]) && bin >= 0 && bin < result.size())
      ++result.bits[bin];
  }
  at.set(count.getResult(), std::move(result));
  return true;
}

void addShapes(Semantics &semantics) {
  auto &rows = semantics.operations;
  rows["tensor.splat"] = splat;
  rows["tensor.empty"] = empty;
  rows["tensor.collapse_shape"] = reshape;
  rows["tensor.expand_shape"] = reshape;
  rows["tensor.extract_slice"] = slice;
  rows["linalg.fill"] = splat;
  rows["linalg.broadcast"] = broadcast;
  rows["linalg.transpose"] = transpose;
  rows["kernel.range"] = range;
  rows["kernel.join"] = join;
  rows["kernel.split"] = split;
  rows["kernel.cat"] = concatenate;
  rows["kernel.gather_in_tile"] = gatherInTile;
  rows["kernel.histogram"] = histogram;
}

} // namespace tilewright::reference
