//===- MaskAnalysis.cpp - Masks as bounds and a residue ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signed comparisons of a position with a scalar are bounds; unsigned ones and
// comparisons of two dimensions stay residue.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/MaskAnalysis.h"

#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

namespace {
class Collector {
public:
  Collector(IndexExpressions &indices, MaskExpression &result)
      : indices(indices), scalars(indices.getScalars()), result(result) {}

  void collect(Value mask, SmallVector<Operation *> shapeOps);

private:
  void collectScalar(Value flag);
  bool collectComparison(arith::CmpIOp compare, ArrayRef<Operation *> shapeOps,
                         unsigned leaf);
  bool addCondition(const IndexExpression &difference, int64_t sign,
                    int64_t shift, unsigned leaf);
  std::optional<IndexExpression> getDifference(arith::CmpIOp compare,
                                               ArrayRef<Operation *> shapeOps);

  IndexExpressions &indices;
  ScalarExpressions &scalars;
  MaskExpression &result;
};
} // namespace

/// `sign * x + shift < 0` for each conjunct of a signed predicate on x = lhs -
/// rhs.
static SmallVector<std::pair<int64_t, int64_t>>
getConditions(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return {{1, 0}};
  case arith::CmpIPredicate::sle:
    return {{1, -1}};
  case arith::CmpIPredicate::sgt:
    return {{-1, 0}};
  case arith::CmpIPredicate::sge:
    return {{-1, -1}};
  case arith::CmpIPredicate::eq:
    return {{1, -1}, {-1, -1}};
  default:
    return {};
  }
}

static bool isIndexWidth(Value value) {
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  return width == 32 || width == 64;
}

/// The difference of a comparison's sides in the shape of the whole mask.
std::optional<IndexExpression>
Collector::getDifference(arith::CmpIOp compare,
                         ArrayRef<Operation *> shapeOps) {
  auto lhs = indices.get(compare.getLhs());
  auto rhs = lhs ? indices.get(compare.getRhs()) : std::nullopt;
  auto negated = rhs ? indices.scale(*rhs, -1) : std::nullopt;
  auto difference =
      negated ? indices.addExpressions(*lhs, *negated) : std::nullopt;
  for (Operation *op : llvm::reverse(shapeOps)) {
    if (!difference)
      return std::nullopt;
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    auto to = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    if (auto transpose = dyn_cast<tile::TransposeOp>(op))
      difference =
          IndexExpressions::transpose(*difference, transpose.getOrder());
    else if (isa<tile::BroadcastOp>(op))
      difference = indices.broadcast(*difference, from, to);
    else
      difference = indices.reshape(*difference, from, to);
  }
  return difference;
}

/// Records `sign * difference + shift < 0` if it concerns at most one
/// dimension.
bool Collector::addCondition(const IndexExpression &difference, int64_t sign,
                             int64_t shift, unsigned leaf) {
  auto signedDifference = indices.scale(difference, sign);
  auto rest =
      signedDifference ? add(signedDifference->rest, shift) : std::nullopt;
  if (!rest)
    return false;
  SmallVector<unsigned> varying = signedDifference->getVarying();
  if (varying.empty()) {
    if (scalars.mayLeaveInteger(*rest))
      return false;
    result.negatives.push_back(*rest);
    return true;
  }
  if (varying.size() > 1)
    return false;
  const DimensionTerm &term = signedDifference->dims[varying.front()];
  auto stride = term.stride.getConstant();
  if (term.index || !stride || (*stride != 1 && *stride != -1))
    return false;
  auto start = multiply(term.stride, term.origin);
  auto total = start ? add(*start, *rest) : std::nullopt;
  if (!total)
    return false;
  // i + total < 0, or -i + total < 0.
  bool isUpper = *stride == 1;
  auto limit = isUpper ? multiply(*total, -1) : add(*total, 1);
  if (!limit)
    return false;
  result.bounds.push_back({varying.front(), isUpper, *limit, leaf});
  return true;
}

bool Collector::collectComparison(arith::CmpIOp compare,
                                  ArrayRef<Operation *> shapeOps,
                                  unsigned leaf) {
  auto conditions = getConditions(compare.getPredicate());
  if (conditions.empty() || !isIndexWidth(compare.getLhs()))
    return false;
  auto difference = getDifference(compare, shapeOps);
  if (!difference)
    return false;
  size_t bounds = result.bounds.size(), negatives = result.negatives.size();
  for (auto [sign, shift] : conditions) {
    if (addCondition(*difference, sign, shift, leaf))
      continue;
    result.bounds.truncate(bounds);
    result.negatives.truncate(negatives);
    return false;
  }
  return true;
}

/// A condition that is the same for all elements.
void Collector::collectScalar(Value flag) {
  if (auto conjunction = flag.getDefiningOp<arith::AndIOp>()) {
    collectScalar(conjunction.getLhs());
    collectScalar(conjunction.getRhs());
    return;
  }
  auto compare = flag.getDefiningOp<arith::CmpIOp>();
  auto conditions = compare && isIndexWidth(compare.getLhs())
                        ? getConditions(compare.getPredicate())
                        : SmallVector<std::pair<int64_t, int64_t>>();
  auto difference = conditions.empty()
                        ? std::nullopt
                        : subtract(scalars.getCompared(compare.getLhs()),
                                   scalars.getCompared(compare.getRhs()));
  if (difference && scalars.mayLeaveInteger(*difference))
    difference = std::nullopt; // the comparison itself is exact
  SmallVector<Polynomial> negatives;
  for (auto [sign, shift] : conditions) {
    auto scaled = difference ? multiply(*difference, sign) : std::nullopt;
    auto sum = scaled ? add(*scaled, shift) : std::nullopt;
    if (sum)
      negatives.push_back(*sum);
  }
  if (negatives.empty() || negatives.size() != conditions.size())
    result.flags.push_back(flag);
  else
    result.negatives.append(negatives.begin(), negatives.end());
}

void Collector::collect(Value mask, SmallVector<Operation *> shapeOps) {
  DenseElementsAttr constant;
  if (matchPattern(mask, m_Constant(&constant)) && constant.isSplat()) {
    if (constant.getSplatValue<APInt>().isZero())
      result.negatives.push_back(Polynomial());
    return;
  }
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp>(op)) {
    collect(op->getOperand(0), shapeOps);
    collect(op->getOperand(1), shapeOps);
    return;
  }
  if (isa_and_nonnull<tile::BroadcastOp, tile::ReshapeOp, tile::TransposeOp>(
          op)) {
    shapeOps.push_back(op);
    collect(op->getOperand(0), shapeOps);
    return;
  }
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(op)) {
    collectScalar(splat.getSource());
    return;
  }
  unsigned leaf = result.leaves.size();
  result.leaves.push_back({mask, shapeOps});
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || !collectComparison(compare, shapeOps, leaf))
    result.residue.push_back(leaf);
}

MaskExpression lowering::analyzeMask(Value mask, IndexExpressions &indices) {
  MaskExpression result;
  if (mask)
    Collector(indices, result).collect(mask, {});
  return result;
}

SmallVector<Polynomial> lowering::getFacts(const MaskExpression &mask,
                                           ArrayRef<int64_t> shape) {
  SmallVector<Polynomial> facts;
  auto push = [&](std::optional<Polynomial> fact) {
    if (fact)
      facts.push_back(*fact);
  };
  for (const MaskBound &bound : mask.bounds) {
    // Some i in [0, extent) has i < limit, or i >= limit.
    if (bound.isUpper)
      push(subtract(bound.limit, 1));
    else
      push(subtract(shape[bound.dim] - 1, bound.limit));
  }
  for (const Polynomial &negative : mask.negatives)
    push(subtract(Polynomial(-1), negative));
  return facts;
}

Value lowering::buildLeaf(OpBuilder &builder, const MaskLeaf &leaf) {
  Value value = leaf.value;
  for (Operation *op : llvm::reverse(leaf.shapeOps)) {
    Operation *copy = builder.clone(*op);
    copy->setOperand(0, value);
    value = copy->getResult(0);
  }
  return value;
}
