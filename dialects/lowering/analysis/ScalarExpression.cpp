//===- ScalarExpression.cpp - Scalars of index arithmetic ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading definitions into polynomials and writing polynomials as i64 SSA.
// ScalarProof.cpp holds ranges and proofs.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/ScalarExpression.h"

#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

unsigned ScalarExpressions::number(Value value) {
  auto [it, inserted] = numbers.try_emplace(value, atoms.size());
  if (inserted)
    atoms.push_back(value);
  return it->second;
}

Polynomial ScalarExpressions::get(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  auto definition = computeDefinition(value);
  Polynomial result =
      definition ? *definition : Polynomial::atom(number(value));
  known[value] = result;
  return result;
}

/// Whether the rule on index sums covers this op: signed, of a width that index
/// arithmetic uses.
static bool isExactArithmetic(Operation *op) {
  unsigned width =
      getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth();
  return (width == 32 || width == 64) && !op->hasAttr(unsignedMarker);
}

std::optional<Polynomial> ScalarExpressions::computeDefinition(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getBitWidth() <= 64)
    return Polynomial(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    if (!isExactArithmetic(op))
      return std::nullopt;
    Polynomial lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
    if (isa<arith::AddIOp>(op))
      return add(lhs, rhs);
    return isa<arith::SubIOp>(op) ? subtract(lhs, rhs) : multiply(lhs, rhs);
  }
  if (isa<tile::FactOp>(op)) {
    // An opaque scalar keeps its promises by standing for itself.
    Polynomial source = get(op->getOperand(0));
    if (source == Polynomial::atom(number(op->getOperand(0))))
      return std::nullopt;
    return source;
  }
  if (auto extend = dyn_cast<arith::ExtSIOp>(op))
    if (extend.getIn().getType().getIntOrFloatBitWidth() > 1)
      return get(extend.getIn());
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    if (extend.getIn().getType().getIntOrFloatBitWidth() > 1 &&
        isNonNegativeAsUnsigned(extend.getIn()))
      return get(extend.getIn());
  if (isa<arith::TruncIOp>(op) && op->hasAttr(carriedMarker))
    return get(op->getOperand(0));
  return std::nullopt;
}

/// Whether `a` is defined before `b`; both dominate a common place.
static bool isDefinedBefore(DominanceInfo &dominance, Value a, Value b) {
  if (Operation *op = b.getDefiningOp())
    return a.getDefiningOp() != op && dominance.properlyDominates(a, op);
  Block *block = cast<BlockArgument>(b).getOwner();
  Operation *parent = block->getParentOp();
  return a.getParentBlock() != block && !isa<func::FuncOp>(parent) &&
         dominance.properlyDominates(a, parent);
}

void ScalarExpressions::setInsertionAfter(OpBuilder &builder,
                                          ArrayRef<Value> values) {
  Value last;
  for (Value value : values)
    if (!last || isDefinedBefore(dominance, last, value))
      last = value;
  if (!last)
    builder.setInsertionPointToStart(&function.getBody().front());
  else
    builder.setInsertionPointAfterValue(last);
}

Value ScalarExpressions::widen(Value value) {
  Value &wide = widened[value];
  if (wide)
    return wide;
  if (value.getType().isInteger(64))
    return wide = value;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  wide = arith::ExtSIOp::create(builder, value.getLoc(), builder.getI64Type(),
                                value);
  return wide;
}

/// Folds values with a binary op, earliest first, each step placed as early as
/// its operands allow.
template <typename Op>
static Value fold(ScalarExpressions &scalars, DominanceInfo &dominance,
                  SmallVector<Value> values, Location loc) {
  llvm::stable_sort(values, [&](Value a, Value b) {
    return isDefinedBefore(dominance, a, b);
  });
  Value result = values.front();
  for (Value value : llvm::drop_begin(values)) {
    OpBuilder builder(value.getContext());
    scalars.setInsertionAfter(builder, {result, value});
    result = Op::create(builder, loc, result, value);
  }
  return result;
}

Value ScalarExpressions::materialize(const Polynomial &value, Location loc) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 64);
  };
  if (value.isZero())
    return constant(0);
  SmallVector<Value> sum;
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    SmallVector<Value> product;
    if (coefficient != 1 || monomial.empty())
      product.push_back(constant(coefficient));
    for (unsigned atom : monomial)
      product.push_back(widen(atoms[atom]));
    sum.push_back(fold<arith::MulIOp>(*this, dominance, product, loc));
  }
  return fold<arith::AddIOp>(*this, dominance, sum, loc);
}

bool ScalarExpressions::isDefinedOutside(const Polynomial &value,
                                         Region &region) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (unsigned atom : monomial)
      if (region.isAncestor(atoms[atom].getParentRegion()))
        return false;
  return true;
}

Polynomial ScalarExpressions::getCompared(Value value) {
  Polynomial exact = get(value);
  bool isComputed = false;
  for (const auto &[monomial, coefficient] : exact.getTerms())
    for (unsigned atom : monomial) {
      Operation *op = atoms[atom].getDefiningOp();
      if (!op || isa<tile::ProgramIdOp, tile::NumProgramsOp>(op))
        return exact;
      isComputed |= atoms[atom] != value;
    }
  return isComputed ? Polynomial::atom(number(value)) : exact;
}

bool ScalarExpressions::mayLeaveInteger(const Polynomial &value) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (unsigned atom : monomial) {
      Interval interval = getInterval(atoms[atom]);
      bool isKnown = interval.lo != INT64_MIN && interval.hi != INT64_MAX;
      if (!isKnown && atoms[atom].getDefiningOp())
        return true;
    }
  return false;
}

bool ScalarExpressions::isOverArguments(const Polynomial &value) {
  Block *entry = &function.getBody().front();
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (unsigned atom : monomial)
      if (atoms[atom].getDefiningOp() || atoms[atom].getParentBlock() != entry)
        return false;
  return true;
}
