//===- AccessPlan.cpp - How one access becomes a box ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order of decisions: wrap-around, index tensor, bounds of the mask, then which
// dimension the scalar part of the offset belongs to.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/raise/AccessPlan.h"

#include "dialects/lowering/analysis/RowIndependence.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

Value lowering::getPointers(Operation *access) { return access->getOperand(0); }

Value lowering::getMask(Operation *access) {
  if (auto load = dyn_cast<tile::LoadOp>(access))
    return load.getMask();
  if (auto store = dyn_cast<tile::StoreOp>(access))
    return store.getMask();
  return cast<tile::AtomicRMWOp>(access).getMask();
}

Value lowering::getData(Operation *access) {
  if (auto store = dyn_cast<tile::StoreOp>(access))
    return store.getValue();
  return access->getResult(0);
}

std::optional<unsigned> AccessPlan::getIndexDim() const {
  for (auto [dim, plan] : llvm::enumerate(dims))
    if (plan.index)
      return dim;
  return std::nullopt;
}

/// A bound that does not come from the mask.
static constexpr unsigned noLeaf = ~0u;

namespace {
class Planner {
public:
  Planner(Operation *access, IndexExpressions &indices)
      : access(access), indices(indices), scalars(indices.getScalars()),
        shape(cast<RankedTensorType>(getData(access).getType()).getShape()) {}

  std::optional<AccessPlan> run(std::string &reason);

private:
  void planDimension(unsigned dim, const DimensionTerm &term);
  bool dropWrap(unsigned dim, const DimensionTerm &term);
  bool checkIndex(std::string &reason);
  void planBounds();
  void collectOrigins();
  void distributeOffset();
  std::optional<unsigned> findOwner(const Monomial &monomial,
                                    int64_t coefficient, Polynomial &share);
  bool isPosition(const Monomial &monomial);
  bool isCancelledByBound(unsigned dim, const Polynomial &share);
  bool shiftBounds();

  Operation *access;
  IndexExpressions &indices;
  ScalarExpressions &scalars;
  ArrayRef<int64_t> shape;
  AccessPlan plan;
  /// Bounds by dimension, counted within the tile.
  SmallVector<SmallVector<MaskBound>> bounds;
};
} // namespace

/// Replaces `(origin + i) % extent` by a range checked against [0, extent)
/// where the elements beyond do not matter.
bool Planner::dropWrap(unsigned dim, const DimensionTerm &term) {
  auto load = dyn_cast<tile::LoadOp>(access);
  if (!load || load.getIsVolatile())
    return false;
  RowRange rows{dim, *term.wrapOrigin, *term.wrapExtent};
  return reachesOnlyMaskedStores(load.getResult(), rows, indices);
}

void Planner::planDimension(unsigned dim, const DimensionTerm &term) {
  DimensionPlan &result = plan.dims[dim];
  result.stride = term.stride;
  result.origin = term.origin;
  result.index = term.index;
  if (!term.wrapExtent || !term.origin.isZero())
    return;
  if (dropWrap(dim, term)) {
    auto end = subtract(*term.wrapExtent, *term.wrapOrigin);
    auto start = multiply(*term.wrapOrigin, -1);
    if (!start || !end)
      return;
    bounds[dim].push_back({dim, /*isUpper=*/false, *start, noLeaf});
    bounds[dim].push_back({dim, /*isUpper=*/true, *end, noLeaf});
    ++plan.droppedWraps;
  } else {
    // Truncation is wrap-around only for offsets that are not negative.
    auto below = subtract(*term.wrapExtent, 1);
    if (!below || !scalars.proveNonNegative(*below) ||
        !scalars.proveNonNegative(*term.wrapOrigin)) {
      ++plan.unprovedWraps;
      return;
    }
    result.wrapExtent = term.wrapExtent;
  }
  result.origin = *term.wrapOrigin;
  result.index = Value();
}

/// At most one index tensor, and something beside it that is regular.
bool Planner::checkIndex(std::string &reason) {
  unsigned indexed = 0, regular = 0;
  for (auto [dim, dimension] : llvm::enumerate(plan.dims)) {
    if (dimension.index)
      ++indexed;
    else if (!dimension.stride.isZero() && shape[dim] > 1)
      ++regular;
  }
  if (indexed == 0)
    return true;
  if (indexed == 1 && regular > 0)
    return true;
  reason = indexed > 1 ? "more than one dimension has computed indices"
                       : "every offset is a computed index";
  return false;
}

/// Sorts the mask's bounds to dimensions; those that hold anyway are dropped,
/// those on index or wrapped dimensions stay a mask.
void Planner::planBounds() {
  for (unsigned leaf : plan.mask.residue)
    plan.residue.insert(leaf);
  for (const MaskBound &bound : plan.mask.bounds) {
    const DimensionPlan &dimension = plan.dims[bound.dim];
    if (dimension.index || dimension.wrapExtent)
      plan.residue.insert(bound.leaf);
  }
  for (const MaskBound &bound : plan.mask.bounds) {
    if (plan.residue.contains(bound.leaf))
      continue;
    Interval limit = scalars.getInterval(bound.limit);
    if (bound.isUpper ? limit.lo >= shape[bound.dim] : limit.hi <= 0)
      continue;
    bounds[bound.dim].push_back(bound);
  }
}

/// Whether a bound counts from this share, as in `i < K - share`. Descending
/// run-time shares are left alone: a row read backwards counts from its end.
bool Planner::isCancelledByBound(unsigned dim, const Polynomial &share) {
  const Monomial &monomial = share.getTerms().begin()->first;
  int64_t coefficient = share.getTerms().begin()->second;
  if (coefficient < 0 && (!monomial.empty() || coefficient == INT64_MIN))
    return false;
  return llvm::any_of(bounds[dim], [&](const MaskBound &bound) {
    return bound.limit.getCoefficient(monomial) == -coefficient;
  });
}

/// A multiple of one scalar, or what changes in the loop around the access:
/// then the view can stay outside.
bool Planner::isPosition(const Monomial &monomial) {
  auto loop = access->getParentOfType<LoopLikeOpInterface>();
  return monomial.size() <= 1 ||
         (loop && !scalars.isDefinedOutside(Polynomial::term(monomial, 1),
                                            *loop.getLoopRegions().front()));
}

/// The dimension whose position a term of the offset advances: the one whose
/// bound it cancels, else one whose run-time stride divides it, else an
/// unchecked one of stride 1 if the term looks like a position.
std::optional<unsigned> Planner::findOwner(const Monomial &monomial,
                                           int64_t coefficient,
                                           Polynomial &share) {
  std::optional<unsigned> owner, contiguous;
  Polynomial contiguousShare;
  for (auto [dim, dimension] : llvm::enumerate(plan.dims)) {
    if (dimension.stride.isZero() || dimension.index || dimension.wrapExtent)
      continue;
    auto quotient = divideTerm(monomial, coefficient, dimension.stride);
    if (!quotient)
      continue;
    if (isCancelledByBound(dim, *quotient)) {
      share = *quotient;
      return dim;
    }
    auto constant = dimension.stride.getConstant();
    if (!owner && !constant) {
      owner = dim;
      share = *quotient;
    }
    if (constant == 1 && bounds[dim].empty() && isPosition(monomial)) {
      contiguous = dim;
      contiguousShare = *quotient;
    }
  }
  if (!owner && contiguous)
    share = contiguousShare;
  return owner ? owner : contiguous;
}

/// Positions count from where the bounds do, so the origins join the scalar
/// offset before it is distributed.
void Planner::collectOrigins() {
  for (auto [dim, dimension] : llvm::enumerate(plan.dims)) {
    if (dimension.stride.isZero() || dimension.index || dimension.wrapExtent)
      continue;
    auto value = multiply(dimension.stride, dimension.origin);
    auto sum = value ? add(plan.offset, *value) : std::nullopt;
    if (!sum)
      continue;
    plan.offset = *sum;
    dimension.origin = Polynomial();
  }
}

void Planner::distributeOffset() {
  Polynomial offset = plan.offset;
  for (const auto &[monomial, coefficient] : offset.getTerms()) {
    Polynomial share;
    auto owner = findOwner(monomial, coefficient, share);
    if (!owner)
      continue;
    auto origin = add(plan.dims[*owner].origin, share);
    auto rest = subtract(plan.offset, Polynomial::term(monomial, coefficient));
    if (!origin || !rest)
      continue;
    plan.dims[*owner].origin = *origin;
    plan.offset = *rest;
  }
}

/// Turns bounds within the tile into bounds of positions.
bool Planner::shiftBounds() {
  for (auto [dim, list] : llvm::enumerate(bounds)) {
    DimensionPlan &dimension = plan.dims[dim];
    for (const MaskBound &bound : list) {
      auto limit = add(dimension.origin, bound.limit);
      if (!limit)
        return false;
      auto &target = bound.isUpper ? dimension.hi : dimension.lo;
      if (!llvm::is_contained(target, *limit))
        target.push_back(*limit);
    }
  }
  return true;
}

std::optional<AccessPlan> Planner::run(std::string &reason) {
  Type pointee =
      cast<tile::PointerType>(getElementTypeOrSelf(getPointers(access)))
          .getPointee();
  if (isa<tile::PointerType>(pointee)) {
    reason = "its elements are pointers";
    return std::nullopt;
  }
  auto address = analyzeAddress(getPointers(access), indices, reason);
  if (!address)
    return std::nullopt;
  plan.base = address->base;
  plan.offset = address->offset.rest;
  plan.dims.resize(shape.size());
  bounds.resize(shape.size());
  for (auto [dim, term] : llvm::enumerate(address->offset.dims))
    planDimension(dim, term);
  if (!checkIndex(reason))
    return std::nullopt;
  plan.mask = analyzeMask(getMask(access), indices);
  planBounds();
  collectOrigins();
  distributeOffset();
  if (!shiftBounds()) {
    reason = "its bounds are too large to compute";
    return std::nullopt;
  }
  return plan;
}

std::optional<AccessPlan> lowering::planAccess(Operation *access,
                                               IndexExpressions &indices,
                                               std::string &reason) {
  return Planner(access, indices).run(reason);
}
