//===- IndexExpression.cpp - Integer tensors as strided boxes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One case for each op that index arithmetic uses; everything else is opaque,
// which is still an index tensor if it varies along one dimension only.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/IndexExpression.h"

#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

SmallVector<unsigned> IndexExpression::getVarying() const {
  SmallVector<unsigned> varying;
  for (auto [dim, term] : llvm::enumerate(dims))
    if (!term.isInvariant())
      varying.push_back(dim);
  return varying;
}

static IndexExpression getUniform(size_t rank, Polynomial value) {
  IndexExpression result;
  result.dims.resize(rank);
  result.rest = std::move(value);
  return result;
}

/// Takes a term out of its dimension, where only position 0 exists.
static bool foldUnitDimension(const DimensionTerm &term, Polynomial &rest) {
  if (term.isInvariant())
    return true;
  if (term.index)
    return false;
  auto value = multiply(term.stride, term.origin);
  auto sum = value ? add(rest, *value) : std::nullopt;
  if (!sum)
    return false;
  rest = *sum;
  return true;
}

std::optional<SmallVector<int64_t>>
lowering::matchUnitReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> sources(to.size(), -1);
  size_t next = 0;
  auto skipUnits = [&] {
    while (next < from.size() && from[next] == 1)
      ++next;
  };
  for (auto [dim, extent] : llvm::enumerate(to)) {
    if (extent == 1)
      continue;
    skipUnits();
    if (next == from.size() || from[next] != extent)
      return std::nullopt;
    sources[dim] = next++;
  }
  skipUnits();
  if (next != from.size())
    return std::nullopt;
  return sources;
}

std::optional<IndexExpression>
IndexExpressions::reshape(const IndexExpression &value, ArrayRef<int64_t> from,
                          ArrayRef<int64_t> to) {
  auto sources = matchUnitReshape(from, to);
  if (!sources)
    return std::nullopt;
  IndexExpression result = getUniform(to.size(), value.rest);
  for (auto [dim, source] : llvm::enumerate(*sources))
    if (source >= 0)
      result.dims[dim] = value.dims[source];
  for (auto [dim, extent] : llvm::enumerate(from))
    if (extent == 1 && !foldUnitDimension(value.dims[dim], result.rest))
      return std::nullopt;
  return result;
}

std::optional<IndexExpression>
IndexExpressions::broadcast(const IndexExpression &value,
                            ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  IndexExpression result = value;
  for (auto [dim, extent] : llvm::enumerate(from)) {
    if (extent == to[dim])
      continue;
    if (!foldUnitDimension(value.dims[dim], result.rest))
      return std::nullopt;
    result.dims[dim] = DimensionTerm();
  }
  return result;
}

IndexExpression IndexExpressions::transpose(const IndexExpression &value,
                                            ArrayRef<int64_t> order) {
  IndexExpression result = getUniform(value.dims.size(), value.rest);
  for (auto [dim, source] : llvm::enumerate(order))
    result.dims[dim] = value.dims[source];
  return result;
}

std::optional<IndexExpression>
IndexExpressions::scale(const IndexExpression &value,
                        const Polynomial &factor) {
  auto rest = multiply(value.rest, factor);
  if (!rest)
    return std::nullopt;
  IndexExpression result = getUniform(value.dims.size(), *rest);
  for (auto [from, to] : llvm::zip_equal(value.dims, result.dims)) {
    auto stride = multiply(from.stride, factor);
    if (!stride)
      return std::nullopt;
    if (stride->isZero())
      continue;
    to = from;
    to.stride = *stride;
  }
  return result;
}

/// A scalar added to a range moves its origin, so that positions stay what the
/// user counts in.
static void absorbRest(IndexExpression &value) {
  SmallVector<unsigned> varying = value.getVarying();
  if (varying.size() != 1)
    return;
  DimensionTerm &term = value.dims[varying.front()];
  if (term.index || term.stride != Polynomial(1))
    return;
  if (auto origin = add(term.origin, value.rest)) {
    term.origin = *origin;
    value.rest = Polynomial();
  }
}

std::optional<IndexExpression>
IndexExpressions::addExpressions(const IndexExpression &lhs,
                                 const IndexExpression &rhs, bool absorb) {
  auto rest = add(lhs.rest, rhs.rest);
  if (!rest)
    return std::nullopt;
  IndexExpression result = getUniform(lhs.dims.size(), *rest);
  for (auto [dim, term] : llvm::enumerate(result.dims)) {
    const DimensionTerm &left = lhs.dims[dim], &right = rhs.dims[dim];
    if (left.isInvariant() || right.isInvariant()) {
      term = left.isInvariant() ? right : left;
      continue;
    }
    auto stride = add(left.stride, right.stride);
    if (left.index || right.index || !stride ||
        !foldUnitDimension(left, result.rest) ||
        !foldUnitDimension(right, result.rest))
      return std::nullopt;
    term.stride = *stride;
  }
  if (absorb)
    absorbRest(result);
  return result;
}

std::optional<IndexExpression> IndexExpressions::get(Value tensor) {
  auto it = known.find(tensor);
  if (it != known.end()) {
    if (!it->second)
      culprit = tensor;
    return it->second;
  }
  auto result = compute(tensor);
  known[tensor] = result;
  return result;
}

std::optional<IndexExpression> IndexExpressions::compute(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned width = type.getElementTypeBitWidth();
  DenseElementsAttr constant;
  if (width <= 64 && matchPattern(tensor, m_Constant(&constant)) &&
      constant.isSplat())
    return getUniform(type.getRank(),
                      constant.getSplatValue<APInt>().getSExtValue());
  Operation *op = tensor.getDefiningOp();
  if (!op || width == 1)
    return computeOpaque(tensor);
  std::optional<IndexExpression> result;
  if (auto range = dyn_cast<tile::RangeOp>(op)) {
    result = getUniform(1, Polynomial());
    result->dims[0].stride = 1;
    result->dims[0].origin =
        static_cast<int64_t>(static_cast<int32_t>(range.getStart()));
    return result;
  }
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return getUniform(type.getRank(), scalars.get(splat.getSource()));
  if (isa<tile::FactOp>(op))
    return get(op->getOperand(0));
  if (auto extend = dyn_cast<arith::ExtSIOp>(op)) {
    if (getElementTypeOrSelf(extend.getIn()).getIntOrFloatBitWidth() >= 32)
      return get(extend.getIn());
    return computeOpaque(tensor);
  }
  if (auto extend = dyn_cast<arith::ExtUIOp>(op)) {
    if (extend.getIn().getDefiningOp<tile::RangeOp>())
      return get(extend.getIn());
    return computeOpaque(tensor);
  }
  if (isa<tile::ReshapeOp, tile::BroadcastOp, tile::TransposeOp>(op)) {
    auto source = get(op->getOperand(0));
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    if (source && isa<tile::ReshapeOp>(op))
      result = reshape(*source, from, type.getShape());
    else if (source && isa<tile::BroadcastOp>(op))
      result = broadcast(*source, from, type.getShape());
    else if (source)
      result = transpose(*source, cast<tile::TransposeOp>(op).getOrder());
    return result ? result : computeOpaque(tensor);
  }
  if (width == 32 || width == 64)
    result = isa<arith::RemSIOp>(op) ? computeWrap(op) : computeArithmetic(op);
  return result ? result : computeOpaque(tensor);
}

std::optional<IndexExpression>
IndexExpressions::computeArithmetic(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op) ||
      op->hasAttr(unsignedMarker))
    return std::nullopt;
  auto lhs = get(op->getOperand(0));
  auto rhs = lhs ? get(op->getOperand(1)) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return addExpressions(*lhs, *rhs);
  if (isa<arith::SubIOp>(op)) {
    auto negated = scale(*rhs, -1);
    return negated ? addExpressions(*lhs, *negated) : std::nullopt;
  }
  if (isa<arith::MulIOp>(op)) {
    if (rhs->isUniform())
      return scale(*lhs, rhs->rest);
    return lhs->isUniform() ? scale(*rhs, lhs->rest) : std::nullopt;
  }
  // A shift wraps as written: it is a product only where nothing is lost, as
  // for ranges with small constants.
  auto amount = rhs->isUniform() ? rhs->rest.getConstant() : std::nullopt;
  auto range = op->getOperand(0).getDefiningOp<tile::RangeOp>();
  if (!range || !amount || *amount < 0 || *amount > 30 ||
      static_cast<int32_t>(range.getStart()) < 0 ||
      (static_cast<int64_t>(static_cast<int32_t>(range.getEnd())) << *amount) >
          INT32_MAX)
    return std::nullopt;
  return scale(*lhs, int64_t(1) << *amount);
}

/// `(origin + i) % extent` stays an index tensor that knows its parts.
std::optional<IndexExpression> IndexExpressions::computeWrap(Operation *op) {
  auto lhs = get(op->getOperand(0));
  auto rhs = lhs ? get(op->getOperand(1)) : std::nullopt;
  if (!rhs || !rhs->isUniform() || lhs->getVarying().size() != 1)
    return std::nullopt;
  const DimensionTerm &term = lhs->dims[lhs->getVarying().front()];
  if (term.index || term.stride != Polynomial(1) || !lhs->rest.isZero())
    return std::nullopt;
  auto result = computeOpaque(op->getResult(0));
  if (!result)
    return std::nullopt;
  DimensionTerm &wrapped = result->dims[lhs->getVarying().front()];
  if (wrapped.index) {
    wrapped.wrapOrigin = term.origin;
    wrapped.wrapExtent = rhs->rest;
  }
  return result;
}

/// A tensor that varies along one dimension is an index tensor there.
std::optional<IndexExpression> IndexExpressions::computeOpaque(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned width = type.getElementTypeBitWidth();
  std::optional<unsigned> varying;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (extent == 1)
      continue;
    if (varying) {
      culprit = tensor;
      return std::nullopt;
    }
    varying = dim;
  }
  if (!varying)
    varying = type.getRank() - 1;
  if (width != 32 && width != 64) {
    culprit = tensor;
    return std::nullopt;
  }
  IndexExpression result = getUniform(type.getRank(), Polynomial());
  result.dims[*varying].stride = 1;
  result.dims[*varying].index = tensor;
  return result;
}

std::string IndexExpressions::getReason() const {
  if (!culprit)
    return "its offsets are no strided box";
  if (Operation *op = culprit.getDefiningOp())
    return ("the offsets depend on '" + op->getName().getStringRef() +
            "', which is not affine in the position")
        .str();
  return "the offsets depend on a value carried by a loop or branch";
}
