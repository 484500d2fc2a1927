//===- Bounds.cpp - Positions and masks of box accesses ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an index of a tile to positions in a view: bounds become one compare of
// lane numbers with a clamped count, wrapping one division a chunk.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilewright::cpu {

Value Emitter::both(Value a, Value c) {
  if (!a || !c)
    return a ? a : c;
  return b.createOrFold<arith::AndIOp>(a, c);
}

/// Where lane 0 is in one dimension of the view, and how the others follow.
Emitter::Position Emitter::positionOf(const BoxAccess &access, unsigned dim,
                                      const Indices &at, unsigned width) {
  Position position;
  position.uniform = scalar(access.offsets[dim]);
  const Index &index = at[dim];
  if (access.indexDim && *access.indexDim == dim) {
    unsigned wanted = index.isUniform() ? 1 : width;
    Value picked = evaluate(access.index, {index}, wanted);
    Type type = laneType(b.getI64Type(), wanted);
    if (picked.getType() != type)
      picked = arith::ExtSIOp::create(b, type, picked);
    if (wanted == 1)
      position.uniform = add(position.uniform, picked);
    else
      position.lanes = add(splat(position.uniform, width), picked);
    return position;
  }
  if (index.lanes) {
    position.lanes = add(splat(position.uniform, width), index.lanes);
    return position;
  }
  if (index.base || index.constant)
    position.uniform = add(position.uniform, baseOf(index));
  position.step = index.step;
  return position;
}

/// Lanes l with `lo <= first + l * step < hi`.
Value Emitter::rangeMask(Value first, Value lo, Value hi, int64_t step,
                         unsigned width, bool checksLo) {
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value c) {
    return b.createOrFold<arith::CmpIOp>(predicate, a, c);
  };
  if (step == 0 || width == 1) {
    Value mask = compare(arith::CmpIPredicate::slt, first, hi);
    return checksLo ? both(mask, compare(arith::CmpIPredicate::sge, first, lo))
                    : mask;
  }
  // Distances are clamped into i32, where a compare covers twice the lanes.
  int64_t limit = std::abs(step) * width;
  auto clamp = [&](Value bound) {
    Value distance = b.createOrFold<arith::SubIOp>(bound, first);
    distance = b.createOrFold<arith::MinSIOp>(distance, i64(limit));
    distance = b.createOrFold<arith::MaxSIOp>(distance, i64(-limit));
    return splat(b.createOrFold<arith::TruncIOp>(b.getI32Type(), distance),
                 width);
  };
  Value lanes = iota(32, step, width);
  Value mask = compare(arith::CmpIPredicate::slt, lanes, clamp(hi));
  return checksLo
             ? both(mask, compare(arith::CmpIPredicate::sge, lanes, clamp(lo)))
             : mask;
}

/// The lanes that may touch memory; null when all may.
Value Emitter::boundsMask(const BoxAccess &access, ArrayRef<Position> positions,
                          unsigned width) {
  Value uniform, lanes;
  for (auto [dim, position] : llvm::enumerate(positions)) {
    if (access.boundary[dim] != int32_t(kernel::BoundaryMode::Checked))
      continue;
    Value oldLo = access.lo[dim], oldOffset = access.offsets[dim];
    bool isIndexed = access.indexDim && *access.indexDim == int64_t(dim);
    bool checksLo = isIndexed || !matchPattern(oldLo, m_Zero()) ||
                    !isNonNegative(oldOffset);
    Value lo = scalar(oldLo), hi = scalar(access.hi[dim]);
    if (position.lanes) {
      Value mask = rangeMask(position.lanes, splat(lo, width), splat(hi, width),
                             0, width, checksLo);
      lanes = both(lanes, mask);
      continue;
    }
    Value mask =
        rangeMask(position.uniform, lo, hi, position.step, width, checksLo);
    Value &target = position.step == 0 || width == 1 ? uniform : lanes;
    target = both(target, mask);
  }
  if (uniform && width > 1)
    uniform = splat(uniform, width);
  return both(uniform, lanes);
}

/// In the fast version of a chunk: the bounds become conditions of the branch.
/// False when they depend on something computed within it.
bool Emitter::addToGuard(const BoxAccess &access, const Indices &at,
                         unsigned width, SmallVectorImpl<Position> &positions) {
  BoundsGuard *guard = nest->guard;
  if (!guard || b.getInsertionBlock() != guard->branch.thenBlock() ||
      access.indexDim)
    return false;
  for (const Index &index : at) {
    Operation *op = index.base ? index.base.getDefiningOp() : nullptr;
    if (index.lanes || index.step < 0 ||
        (op && guard->branch->isProperAncestor(op)))
      return false;
  }
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPoint(guard->branch);
  for (unsigned dim = 0; dim < at.size(); ++dim) {
    positions.push_back(positionOf(access, dim, at, width));
    Position &position = positions.back();
    if (access.boundary[dim] == int32_t(kernel::BoundaryMode::Wrap)) {
      Value size = views[access.view].sizes[dim];
      position.uniform = wrap(position.uniform, size);
      position.isWrapped = true;
      if (position.step == 0 || width == 1)
        continue;
      Value last =
          add(position.uniform, i64(position.step * (int64_t(width) - 1)));
      guard->condition = both(
          guard->condition,
          b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, last, size));
      continue;
    }
    if (access.boundary[dim] != int32_t(kernel::BoundaryMode::Checked))
      continue;
    bool checksLo = !matchPattern(access.lo[dim], m_Zero()) ||
                    !isNonNegative(access.offsets[dim]);
    int64_t span = position.step * (int64_t(width) - 1);
    Value last = span ? add(position.uniform, i64(span)) : position.uniform;
    Value isInside = b.createOrFold<arith::CmpIOp>(
        arith::CmpIPredicate::slt, last, scalar(access.hi[dim]));
    if (checksLo)
      isInside = both(isInside, b.createOrFold<arith::CmpIOp>(
                                    arith::CmpIPredicate::sge, position.uniform,
                                    scalar(access.lo[dim])));
    guard->condition = both(guard->condition, isInside);
  }
  return true;
}

/// `position mod size`, in [0, size).
Value Emitter::wrap(Value position, Value size) {
  Value rest = arith::RemSIOp::create(b, position, size);
  Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, rest,
                                        zero(rest.getType()));
  return arith::SelectOp::create(b, isBelow,
                                 arith::AddIOp::create(b, rest, size), rest);
}

/// Consecutive lanes wrap at most once unless the size is less than a chunk:
/// one division serves them all.
Value Emitter::wrapLanes(const Position &position, Value size, unsigned width) {
  Value sizes = splat(size, width);
  if (position.lanes)
    return wrap(position.lanes, sizes);
  Value first = wrap(position.uniform, size);
  Value lanes = arith::AddIOp::create(b, splat(first, width),
                                      iota(64, position.step, width));
  Value isLong =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, size,
                            i64(std::abs(position.step) * int64_t(width)));
  auto branch = scf::IfOp::create(b, TypeRange{lanes.getType()}, isLong,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value isPast =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, lanes, sizes);
  Value once = arith::SelectOp::create(
      b, isPast, arith::SubIOp::create(b, lanes, sizes), lanes);
  scf::YieldOp::create(b, once);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, wrap(lanes, sizes));
  return branch.getResult(0);
}

Address Emitter::resolve(const BoxAccess &access, const Indices &at,
                         unsigned width) {
  const ViewInfo &view = views[access.view];
  auto viewType = cast<kernel::ViewType>(access.view.getType());
  unsigned rank = viewType.getRank();
  Type element = viewType.getElementType();
  SmallVector<Position> positions;
  Address address;
  if (!addToGuard(access, at, width, positions)) {
    for (unsigned dim = 0; dim < rank; ++dim)
      positions.push_back(positionOf(access, dim, at, width));
    address.mask = boundsMask(access, positions, width);
  }
  if (access.mask)
    address.mask = both(evaluate(access.mask, at, width), address.mask);

  Value uniform = view.offset, lanes;
  bool isConsecutive = true;
  for (auto [dim, position] : llvm::enumerate(positions)) {
    Value stride = view.strides[dim];
    bool hasUnitStride = matchPattern(stride, m_One());
    if (access.boundary[dim] == int32_t(kernel::BoundaryMode::Wrap) &&
        !position.isWrapped) {
      Value size = view.sizes[dim];
      if (position.lanes || (position.step && width > 1))
        position.lanes = wrapLanes(position, size, width);
      else
        position.uniform = wrap(position.uniform, size);
    }
    if (position.lanes) {
      lanes = add(lanes, hasUnitStride
                             ? position.lanes
                             : multiply(position.lanes, splat(stride, width)));
      isConsecutive = false;
      continue;
    }
    uniform = add(uniform, hasUnitStride ? position.uniform
                                         : multiply(position.uniform, stride));
    if (position.step == 0 || width == 1)
      continue;
    if (hasUnitStride && position.step == 1) {
      isConsecutive &= !lanes;
      if (!isConsecutive)
        lanes = add(lanes, iota(64, 1, width));
      continue;
    }
    isConsecutive = false;
    Value steps =
        multiply(iota(64, position.step, width), splat(stride, width));
    lanes = add(lanes, steps);
  }
  address.pointer = elementPointer(view.base, element, uniform);
  if (width > 1 && !isConsecutive)
    address.pointers = elementPointer(address.pointer, element, lanes);
  return address;
}

} // namespace tilewright::cpu
