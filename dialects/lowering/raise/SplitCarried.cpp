//===- SplitCarried.cpp - Carry offsets instead of pointers ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner control flow first, so that an outer loop sees inner results as
// advances of its own values. Here are the pass and counted loops.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Passes.h"
#include "dialects/lowering/analysis/CarriedOffset.h"
#include "dialects/lowering/analysis/ScalarExpression.h"
#include "dialects/tile/TileOps.h"

namespace tilewright::lowering {
#define GEN_PASS_DEF_SPLITCARRIEDPASS
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// Sums the steps of one iteration; if that does not change in the loop and is
/// a multiple of the loop's step, the offset is linear in the induction
/// variable.
static Value findSlope(scf::ForOp loop, const Decision &decision,
                       ScalarExpressions &scalars) {
  Type type = loop.getInductionVar().getType();
  auto step = scalars.get(loop.getStep()).getConstant();
  if (!decision.isUniform || !step || *step <= 0 || !isa<IntegerType>(type) ||
      type.getIntOrFloatBitWidth() < 32 || loop.getUnsignedCmp())
    return {};
  std::optional<Polynomial> sum = Polynomial();
  for (const Step &advance : decision.steps) {
    Polynomial amount = scalars.get(advance.amount);
    sum = advance.isNegative ? subtract(*sum, amount) : add(*sum, amount);
    if (!sum)
      return {};
  }
  auto slope = divideByConstant(*sum, *step);
  if (!slope || !scalars.isDefinedOutside(*slope, loop.getRegion()))
    return {};
  return scalars.materialize(*slope, loop.getLoc());
}

/// `(induction variable - lower bound) * slope` at the start of the body.
static Value buildLinearOffset(OpBuilder &builder, scf::ForOp loop,
                               Value slope) {
  Location loc = loop.getLoc();
  auto widen = [&](Value value) -> Value {
    if (value.getType().isInteger(64))
      return value;
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  };
  Value position = widen(loop.getInductionVar());
  if (!matchPattern(loop.getLowerBound(), m_Zero()))
    position = arith::SubIOp::create(builder, loc, position,
                                     widen(loop.getLowerBound()));
  return arith::MulIOp::create(builder, loc, position, slope);
}

/// Decides for every carried value before anything changes.
static SmallVector<Decision> decideAll(scf::ForOp loop,
                                       DominanceInfo &dominance) {
  ScalarExpressions scalars(loop->getParentOfType<func::FuncOp>(), dominance);
  SmallVector<Decision> decisions;
  for (auto [argument, yielded, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(),
                       loop.getResults())) {
    Decision decision = decideCarried(yielded, argument);
    if (!decision.isKept && !decision.steps.empty() && result.use_empty())
      decision.slope = findSlope(loop, decision, scalars);
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

/// Replaces a value that belongs to the old loop, also where a decision only
/// remembers it as the amount of a step.
static void replaceValue(Value from, Value to,
                         MutableArrayRef<Decision> decisions) {
  from.replaceAllUsesWith(to);
  for (Decision &decision : decisions)
    for (Step &step : decision.steps)
      if (step.amount == from)
        step.amount = to;
}

/// The loop with the new carried values, and the old body in it.
static scf::ForOp createSplitLoop(OpBuilder &builder, scf::ForOp loop,
                                  MutableArrayRef<Decision> decisions) {
  SmallVector<Value> inits;
  for (auto [decision, init] : llvm::zip_equal(decisions, loop.getInitArgs())) {
    if (decision.isKept)
      inits.push_back(init);
    else if (decision.carriesOffset())
      inits.push_back(
          buildZeroOffset(builder, loop.getLoc(),
                          getOffsetType(init.getType(), decision.isUniform)));
  }
  auto split = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), inits);
  split->setAttrs(loop->getAttrDictionary());
  split.getBody()->clear();
  split.getBody()->getOperations().splice(split.getBody()->end(),
                                          loop.getBody()->getOperations());
  replaceValue(loop.getInductionVar(), split.getInductionVar(), decisions);
  return split;
}

static void splitFor(scf::ForOp loop, DominanceInfo &dominance) {
  SmallVector<Decision> decisions = decideAll(loop, dominance);
  if (llvm::all_of(decisions, [](auto &decision) { return decision.isKept; }))
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  scf::ForOp split = createSplitLoop(builder, loop, decisions);
  Operation *yield = split.getBody()->getTerminator();

  unsigned next = 0;
  SmallVector<Value> yields;
  for (auto [i, decision] : llvm::enumerate(decisions)) {
    Value argument = loop.getRegionIterArg(i), init = loop.getInitArgs()[i];
    Value result = loop.getResult(i);
    if (decision.isKept) {
      replaceValue(argument, split.getRegionIterArg(next), decisions);
      result.replaceAllUsesWith(split.getResult(next++));
      yields.push_back(yield->getOperand(i));
      continue;
    }
    if (decision.steps.empty()) {
      replaceValue(argument, init, decisions);
      result.replaceAllUsesWith(init);
      continue;
    }
    builder.setInsertionPointToStart(split.getBody());
    Value offset = decision.slope
                       ? buildLinearOffset(builder, split, decision.slope)
                       : Value(split.getRegionIterArg(next));
    replaceValue(argument, buildAdvanced(builder, loc, init, offset),
                 decisions);
    if (decision.slope)
      continue;
    builder.setInsertionPoint(yield);
    yields.push_back(buildAdvance(builder, loc, offset, decision.steps));
    if (!result.use_empty()) {
      builder.setInsertionPointAfter(split);
      result.replaceAllUsesWith(
          buildAdvanced(builder, loc, init, split.getResult(next)));
    }
    ++next;
  }
  yield->setOperands(yields);
  loop.erase();
}

namespace {
struct SplitCarriedPass
    : lowering::impl::SplitCarriedPassBase<SplitCarriedPass> {
  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    getOperation().walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
        worklist.push_back(op);
    });
    DominanceInfo dominance;
    for (Operation *op : worklist) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        splitFor(loop, dominance);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        splitWhile(loop);
      else
        splitIf(cast<scf::IfOp>(op));
    }
  }
};
} // namespace
