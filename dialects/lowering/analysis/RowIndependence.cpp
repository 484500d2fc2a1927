//===- RowIndependence.cpp - Rows for masked-off stores only ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows (value, dimension) pairs forward. Example, rows of A along dim 0:
//
//   %x = load A            (x, 0)
//   %p = dot %x, %y, %acc  (p, 0): row i of the product needs row i of A only
//   store %p mask (rows < M): rows at or beyond M are dropped
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/RowIndependence.h"

#include "dialects/tile/TileOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
using Tracked = std::pair<Value, unsigned>;

class RowTracker {
public:
  RowTracker(const RowRange &rows, IndexExpressions &indices)
      : rows(rows), indices(indices), scalars(indices.getScalars()) {}

  bool run(Value loaded) {
    worklist.insert({loaded, rows.dim});
    for (size_t i = 0; i < worklist.size(); ++i) {
      auto [value, dim] = worklist[i];
      for (OpOperand &use : value.getUses())
        if (!followUse(use, dim))
          return false;
    }
    return true;
  }

private:
  bool followUse(OpOperand &use, unsigned dim);
  bool followDot(tile::DotOp dot, unsigned operand, unsigned dim);
  bool followShape(Operation *op, unsigned dim);
  bool followYield(OpOperand &use, unsigned dim);
  bool checkStore(tile::StoreOp store, unsigned dim);

  bool track(Value value, unsigned dim) {
    worklist.insert({value, dim});
    return true;
  }
  bool trackAll(ValueRange values, unsigned dim) {
    for (Value value : values)
      track(value, dim);
    return true;
  }

  const RowRange &rows;
  IndexExpressions &indices;
  ScalarExpressions &scalars;
  llvm::SetVector<Tracked> worklist;
};
} // namespace

/// The mask must imply position < extent, and an active element at all must
/// imply origin >= 0.
bool RowTracker::checkStore(tile::StoreOp store, unsigned dim) {
  auto shape = cast<RankedTensorType>(store.getValue().getType()).getShape();
  MaskExpression mask = analyzeMask(store.getMask(), indices);
  SmallVector<Polynomial> facts = getFacts(mask, shape);
  auto allowed = subtract(rows.extent, rows.origin);
  bool isCut =
      allowed && llvm::any_of(mask.bounds, [&](const MaskBound &bound) {
        auto slack = subtract(*allowed, bound.limit);
        return bound.dim == dim && bound.isUpper && slack &&
               scalars.proveNonNegative(*slack);
      });
  return isCut && scalars.proveNonNegative(rows.origin, facts);
}

bool RowTracker::followDot(tile::DotOp dot, unsigned operand, unsigned dim) {
  unsigned rank = cast<RankedTensorType>(dot.getType()).getRank();
  unsigned summed = operand == 0 ? rank - 1 : rank - 2;
  return (operand == 2 || dim != summed) && track(dot.getResult(), dim);
}

bool RowTracker::followShape(Operation *op, unsigned dim) {
  Value result = op->getResult(0);
  if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
    auto order = transpose.getOrder();
    return track(result,
                 llvm::find(order, static_cast<int64_t>(dim)) - order.begin());
  }
  if (isa<tile::BroadcastOp>(op)) {
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    return from.getShape()[dim] != 1 && track(result, dim);
  }
  auto sources = matchUnitReshape(
      cast<RankedTensorType>(op->getOperand(0).getType()).getShape(),
      cast<RankedTensorType>(result.getType()).getShape());
  if (!sources)
    return false;
  auto *position = llvm::find(*sources, static_cast<int64_t>(dim));
  return position != sources->end() &&
         track(result, position - sources->begin());
}

/// Values around a loop's back edge meet the next iteration's scalars, so the
/// range must not depend on the loop.
bool RowTracker::followYield(OpOperand &use, unsigned dim) {
  Operation *parent = use.getOwner()->getParentOp();
  unsigned position = use.getOperandNumber();
  if (isa<scf::IfOp>(parent))
    return track(parent->getResult(position), dim);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || !scalars.isDefinedOutside(rows.origin, loop.getRegion()) ||
      !scalars.isDefinedOutside(rows.extent, loop.getRegion()))
    return false;
  track(loop.getRegionIterArg(position), dim);
  return track(loop.getResult(position), dim);
}

bool RowTracker::followUse(OpOperand &use, unsigned dim) {
  Operation *op = use.getOwner();
  unsigned operand = use.getOperandNumber();
  auto isOtherAxis = [&](int64_t axis) {
    return axis != static_cast<int64_t>(dim);
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<tile::StoreOp>([&](tile::StoreOp store) {
        return use.get() == store.getValue() && operand == 1 &&
               checkStore(store, dim);
      })
      .Case<tile::DotOp>(
          [&](tile::DotOp dot) { return followDot(dot, operand, dim); })
      .Case<tile::TransposeOp, tile::BroadcastOp, tile::ReshapeOp>(
          [&](Operation *shape) { return followShape(shape, dim); })
      .Case<tile::FactOp, tile::JoinOp>(
          [&](Operation *same) { return track(same->getResult(0), dim); })
      .Case<tile::ReduceOp>([&](tile::ReduceOp reduce) {
        return isOtherAxis(reduce.getAxis()) &&
               trackAll(reduce.getResults(),
                        dim - (reduce.getAxis() < dim ? 1 : 0));
      })
      .Case<tile::ScanOp>([&](tile::ScanOp scan) {
        return isOtherAxis(scan.getAxis()) && trackAll(scan.getResults(), dim);
      })
      .Case<scf::YieldOp>([&](auto) { return followYield(use, dim); })
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        unsigned position = operand - loop.getNumControlOperands();
        track(loop.getRegionIterArg(position), dim);
        return track(loop.getResult(position), dim);
      })
      .Default([&](Operation *other) {
        return OpTrait::hasElementwiseMappableTraits(other) &&
               isMemoryEffectFree(other) && trackAll(other->getResults(), dim);
      });
}

bool lowering::reachesOnlyMaskedStores(Value loaded, const RowRange &rows,
                                       IndexExpressions &indices) {
  return RowTracker(rows, indices).run(loaded);
}
