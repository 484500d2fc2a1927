//===- ScalarProof.cpp - Ranges and proofs about scalars ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals from definitions and argument facts, and a small prover for
// `p >= 0`: by interval, by subtracting a known fact, by the definition of
// minima and quotients.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/ScalarExpression.h"
#include "dialects/tile/TileOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

static constexpr unsigned maxProofDepth = 12;

static bool isInfinite(int64_t value) {
  return value == INT64_MIN || value == INT64_MAX;
}

/// Products on the integers with two infinities.
static int64_t multiplyBounds(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t product;
  if (isInfinite(a) || isInfinite(b) || llvm::MulOverflow(a, b, product))
    return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return product;
}

static Interval multiplyIntervals(Interval a, Interval b) {
  int64_t corners[] = {multiplyBounds(a.lo, b.lo), multiplyBounds(a.lo, b.hi),
                       multiplyBounds(a.hi, b.lo), multiplyBounds(a.hi, b.hi)};
  return {*llvm::min_element(corners), *llvm::max_element(corners)};
}

/// Sum of two lower or two upper bounds; `unknown` absorbs.
static int64_t addBounds(int64_t a, int64_t b, int64_t unknown) {
  int64_t sum;
  if (a == unknown || b == unknown || llvm::AddOverflow(a, b, sum))
    return unknown;
  return sum;
}

static Interval addIntervals(Interval a, Interval b) {
  return {addBounds(a.lo, b.lo, INT64_MIN), addBounds(a.hi, b.hi, INT64_MAX)};
}

static Interval intersect(Interval a, Interval b) {
  Interval result{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return result.lo <= result.hi ? result : a;
}

static Interval getTypeInterval(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 64)
    return {};
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

Interval ScalarExpressions::getArgumentInterval(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (argument != loop.getInductionVar() || loop.getUnsignedCmp())
      return {};
    int64_t end = getInterval(loop.getUpperBound()).hi;
    return {getInterval(loop.getLowerBound()).lo,
            isInfinite(end) ? INT64_MAX : end - 1};
  }
  if (parent != function)
    return {};
  unsigned position = argument.getArgNumber();
  auto range = function.getArgAttrOfType<ArrayAttr>(position, "tw.range");
  if (!range || range.size() != 2)
    return {};
  auto lo = dyn_cast<IntegerAttr>(range[0]);
  auto hi = dyn_cast<IntegerAttr>(range[1]);
  if (!lo || !hi)
    return {};
  auto name = function.getArgAttrOfType<StringAttr>(position, "tw.name");
  usedFacts.insert(
      name ? name
           : StringAttr::get(function.getContext(), "#" + Twine(position)));
  return {lo.getInt(), hi.getInt()};
}

/// Bounds of a quotient that truncates, for a dividend >= 0 and a divisor >= 1.
static Interval divideIntervals(Interval lhs, Interval rhs) {
  if (lhs.lo < 0 || rhs.lo < 1)
    return {};
  return {rhs.hi == INT64_MAX ? 0 : lhs.lo / rhs.hi,
          lhs.hi == INT64_MAX ? INT64_MAX : lhs.hi / rhs.lo};
}

/// Bounds of a remainder, which has the dividend's sign; x % 0 is x.
static Interval getRemainderInterval(Interval lhs, Interval rhs) {
  int64_t limit = rhs.lo >= 1 && rhs.hi != INT64_MAX ? rhs.hi - 1 : INT64_MAX;
  int64_t lower = limit == INT64_MAX ? INT64_MIN : -limit;
  return {lhs.lo >= 0 ? 0 : std::max(lower, lhs.lo),
          lhs.hi <= 0 ? 0 : std::min(limit, lhs.hi)};
}

Interval ScalarExpressions::getInterval(Value value) {
  auto it = intervals.find(value);
  if (it != intervals.end())
    return it->second;
  Interval limits = getTypeInterval(value.getType());
  intervals[value] = limits;
  Interval result = intersect(limits, computeInterval(value));
  intervals[value] = result;
  return result;
}

Interval ScalarExpressions::computeInterval(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getArgumentInterval(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getBitWidth() <= 64)
    return {constant.getSExtValue(), constant.getSExtValue()};
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return getInterval(op->getOperand(i)); };
  bool wraps = op->hasAttr(unsignedMarker) ||
               value.getType().getIntOrFloatBitWidth() < 32;
  return TypeSwitch<Operation *, Interval>(op)
      .Case<tile::ProgramIdOp>([](auto) { return Interval{0, INT32_MAX - 1}; })
      .Case<tile::NumProgramsOp>([](auto) { return Interval{1, INT32_MAX}; })
      .Case<tile::FactOp, arith::ExtSIOp>([&](auto) { return operand(0); })
      .Case<arith::AddIOp>([&](auto) {
        return wraps ? Interval() : addIntervals(operand(0), operand(1));
      })
      .Case<arith::SubIOp>([&](auto) {
        Interval negated = multiplyIntervals(operand(1), {-1, -1});
        return wraps ? Interval() : addIntervals(operand(0), negated);
      })
      .Case<arith::MulIOp>([&](auto) {
        return wraps ? Interval() : multiplyIntervals(operand(0), operand(1));
      })
      .Case<arith::DivSIOp>(
          [&](auto) { return divideIntervals(operand(0), operand(1)); })
      .Case<arith::RemSIOp>(
          [&](auto) { return getRemainderInterval(operand(0), operand(1)); })
      .Case<arith::MinSIOp>([&](auto) {
        return Interval{std::min(operand(0).lo, operand(1).lo),
                        std::min(operand(0).hi, operand(1).hi)};
      })
      .Case<arith::MaxSIOp>([&](auto) {
        return Interval{std::max(operand(0).lo, operand(1).lo),
                        std::max(operand(0).hi, operand(1).hi)};
      })
      .Case<arith::SelectOp>([&](auto) {
        return Interval{std::min(operand(1).lo, operand(2).lo),
                        std::max(operand(1).hi, operand(2).hi)};
      })
      .Case<arith::ExtUIOp>([&](arith::ExtUIOp extend) {
        unsigned width = extend.getIn().getType().getIntOrFloatBitWidth();
        Interval inner = operand(0);
        if (isNonNegativeAsUnsigned(extend.getIn()))
          return inner;
        return Interval{0, llvm::maxIntN(width + 1)};
      })
      .Case<arith::TruncIOp>([&](auto) {
        Interval inner = operand(0), limits = getTypeInterval(value.getType());
        bool fits = inner.lo >= limits.lo && inner.hi <= limits.hi;
        return fits || op->hasAttr(carriedMarker) ? inner : Interval();
      })
      .Default([](auto) { return Interval(); });
}

bool ScalarExpressions::isNonNegativeAsUnsigned(Value value) {
  Operation *op = value.getDefiningOp();
  bool isSigned = !op || op->hasTrait<OpTrait::ConstantLike>() ||
                  isa<tile::ProgramIdOp, tile::NumProgramsOp, arith::DivSIOp,
                      arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp>(op);
  return isSigned && getInterval(value).lo >= 0;
}

Interval ScalarExpressions::getInterval(const Polynomial &value) {
  Interval sum{0, 0};
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    Interval product{coefficient, coefficient};
    for (unsigned atom : monomial)
      product = multiplyIntervals(product, getInterval(atoms[atom]));
    sum = addIntervals(sum, product);
  }
  return sum;
}

bool ScalarExpressions::proveNonNegative(Value value,
                                         ArrayRef<Polynomial> facts) {
  if (getInterval(value).lo >= 0)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || proofDepth > maxProofDepth)
    return false;
  ++proofDepth;
  auto prove = [&](unsigned i) {
    return proveNonNegative(op->getOperand(i), facts);
  };
  auto isPositive = [&](unsigned i) {
    auto below = subtract(get(op->getOperand(i)), Polynomial(1));
    return below && proveNonNegative(*below, facts);
  };
  bool proved =
      TypeSwitch<Operation *, bool>(op)
          .Case<arith::DivSIOp>([&](auto) { return prove(0) && isPositive(1); })
          .Case<arith::RemSIOp, arith::ExtSIOp, tile::FactOp>(
              [&](auto) { return prove(0); })
          .Case<arith::MinSIOp>([&](auto) { return prove(0) && prove(1); })
          .Case<arith::MaxSIOp>([&](auto) { return prove(0) || prove(1); })
          .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>([&](auto) {
            Polynomial definition = get(value);
            return definition != Polynomial::atom(number(value)) &&
                   proveNonNegative(definition, facts);
          })
          .Default([](auto) { return false; });
  --proofDepth;
  return proved;
}

bool ScalarExpressions::proveNonNegative(const Polynomial &value,
                                         ArrayRef<Polynomial> facts) {
  if (getInterval(value).lo >= 0)
    return true;
  if (proofDepth > maxProofDepth)
    return false;
  for (const Polynomial &fact : facts) {
    auto rest = subtract(value, fact);
    if (rest && getInterval(*rest).lo >= 0)
      return true;
  }
  ++proofDepth;
  bool proved = llvm::all_of(value.getTerms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](unsigned atom) {
             return proveNonNegative(atoms[atom], facts);
           });
  });
  proved = proved || proveByDefinition(value, facts);
  --proofDepth;
  return proved;
}

/// `k*(n / c) + r >= 0` follows from `k*(n - (c-1)) + c*r >= 1 - c`, because
/// `c*(n / c) >= n - (c-1)` and the left side times c is a multiple of c.
/// `min(a, b) + c >= 0` follows from both.
bool ScalarExpressions::proveByDefinition(const Polynomial &value,
                                          ArrayRef<Polynomial> facts) {
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    int64_t factor = coefficient;
    if (monomial.size() != 1 || factor <= 0)
      continue;
    Value atom = atoms[monomial.front()];
    auto rest = subtract(value, Polynomial::term(monomial, factor));
    if (!rest)
      continue;
    auto proveWith = [&](std::optional<Polynomial> replacement) {
      auto scaled = replacement ? multiply(*replacement, factor) : std::nullopt;
      auto sum = scaled ? add(*scaled, *rest) : std::nullopt;
      return sum && proveNonNegative(*sum, facts);
    };
    if (auto minimum = atom.getDefiningOp<arith::MinSIOp>())
      if (proveWith(get(minimum.getLhs())) && proveWith(get(minimum.getRhs())))
        return true;
    auto quotient = atom.getDefiningOp<arith::DivSIOp>();
    auto divisor =
        quotient ? get(quotient.getRhs()).getConstant() : std::nullopt;
    if (!divisor || *divisor <= 0 || *divisor > INT32_MAX)
      continue;
    auto dividend = subtract(get(quotient.getLhs()), *divisor - 1);
    rest = multiply(*rest, *divisor);
    rest = rest ? add(*rest, *divisor - 1) : std::nullopt;
    if (rest && proveWith(dividend))
      return true;
  }
  return false;
}
