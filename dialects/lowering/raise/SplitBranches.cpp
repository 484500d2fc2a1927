//===- SplitBranches.cpp - Offsets through conditionals and while loops ---*-
// C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of SplitCarried for control flow without an induction variable.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/CarriedOffset.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// Gives a block argument the offset's type; its uses see `initial` advanced by
/// it.
static BlockArgument retypeArgument(OpBuilder &builder, Block *block,
                                    unsigned position, Type offsetType,
                                    Value initial) {
  BlockArgument old = block->getArgument(position);
  BlockArgument offset =
      block->insertArgument(position, offsetType, old.getLoc());
  builder.setInsertionPointToStart(block);
  old.replaceAllUsesWith(buildAdvanced(builder, old.getLoc(), initial, offset));
  block->eraseArgument(position + 1);
  return offset;
}

namespace {
/// Which values of a while loop are split: decisions by position before the
/// condition, and for each position after it where its value comes from.
struct WhileSplit {
  SmallVector<Decision> decisions;
  SmallVector<std::optional<unsigned>> sources;
};
} // namespace

/// Splits pointers that the condition passes on unchanged.
static WhileSplit decideWhile(scf::WhileOp loop) {
  WhileSplit result;
  result.decisions.resize(loop.getBeforeArguments().size());
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs())) {
    auto argument = dyn_cast<BlockArgument>(value);
    result.sources.push_back(std::nullopt);
    if (!argument || argument.getOwner() != loop.getBeforeBody() ||
        !isPointerLike(argument.getType()))
      continue;
    unsigned position = argument.getArgNumber();
    result.sources.back() = position;
    Decision &decision = result.decisions[position];
    if (decision.isKept)
      decision = decideCarried(loop.getYieldedValues()[position],
                               loop.getAfterArguments()[i]);
    if (decision.steps.empty())
      decision.isKept = true;
  }
  for (auto &source : result.sources)
    if (source && result.decisions[*source].isKept)
      source = std::nullopt;
  return result;
}

void lowering::splitWhile(scf::WhileOp loop) {
  WhileSplit plan = decideWhile(loop);
  if (llvm::all_of(plan.decisions,
                   [](auto &decision) { return decision.isKept; }))
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> initials(loop.getInits()), inits(initials);
  for (auto [i, decision] : llvm::enumerate(plan.decisions))
    if (!decision.isKept)
      inits[i] = buildZeroOffset(
          builder, loc, getOffsetType(inits[i].getType(), decision.isUniform));
  SmallVector<Type> types(loop.getResultTypes());
  for (auto [i, source] : llvm::enumerate(plan.sources))
    if (source)
      types[i] = inits[*source].getType();
  auto split = scf::WhileOp::create(builder, loc, types, inits);
  split->setAttrs(loop->getAttrDictionary());
  split.getBefore().takeBody(loop.getBefore());
  split.getAfter().takeBody(loop.getAfter());

  scf::ConditionOp condition = split.getConditionOp();
  Operation *yield = split.getAfterBody()->getTerminator();
  SmallVector<Value> forwarded(condition.getArgs());
  for (auto [i, decision] : llvm::enumerate(plan.decisions))
    if (!decision.isKept) {
      Value offset = retypeArgument(builder, split.getBeforeBody(), i,
                                    inits[i].getType(), initials[i]);
      for (auto [to, source] : llvm::enumerate(plan.sources))
        if (source == i)
          forwarded[to] = offset;
    }
  for (auto [to, source] : llvm::enumerate(plan.sources)) {
    if (!source)
      forwarded[to] = condition.getArgs()[to];
  }
  condition.getArgsMutable().assign(forwarded);
  for (auto [i, source] : llvm::enumerate(plan.sources)) {
    if (!source)
      continue;
    Value offset = retypeArgument(builder, split.getAfterBody(), i,
                                  inits[*source].getType(), initials[*source]);
    builder.setInsertionPoint(yield);
    Value next =
        buildAdvance(builder, loc, offset, plan.decisions[*source].steps);
    yield->setOperand(*source, next);
    builder.setInsertionPointAfter(split);
    loop.getResult(i).replaceAllUsesWith(
        buildAdvanced(builder, loc, initials[*source], split.getResult(i)));
  }
  for (auto [old, result] :
       llvm::zip_equal(loop.getResults(), split.getResults()))
    if (old.getType() == result.getType())
      old.replaceAllUsesWith(result);
  loop.erase();
}

/// The value outside of the conditional that both arms advance.
static Value findCommonRoot(scf::IfOp branch, Value onTrue, Value onFalse) {
  SmallVector<Value> roots = getRoots(onFalse);
  for (Value root : getRoots(onTrue))
    if (llvm::is_contained(roots, root) &&
        !branch->isAncestor(root.getParentRegion()->getParentOp()))
      return root;
  return {};
}

void lowering::splitIf(scf::IfOp branch) {
  if (branch->getNumResults() == 0)
    return;
  Operation *onTrue = branch.thenYield(), *onFalse = branch.elseYield();
  SmallVector<Type> types(branch.getResultTypes());
  SmallVector<Value> roots(types.size());
  for (auto [i, type] : llvm::enumerate(types)) {
    if (!isPointerLike(type))
      continue;
    Value root =
        findCommonRoot(branch, onTrue->getOperand(i), onFalse->getOperand(i));
    if (!root)
      continue;
    auto trueSteps = getSteps(onTrue->getOperand(i), root);
    auto falseSteps = getSteps(onFalse->getOperand(i), root);
    bool isUniform = areUniform(*trueSteps) && areUniform(*falseSteps);
    roots[i] = root;
    types[i] = getOffsetType(root.getType(), isUniform);
    OpBuilder builder(branch);
    for (auto [yield, steps] :
         {std::pair(onTrue, *trueSteps), std::pair(onFalse, *falseSteps)}) {
      builder.setInsertionPoint(yield);
      Value zero = buildZeroOffset(builder, branch.getLoc(), types[i]);
      yield->setOperand(i, buildAdvance(builder, branch.getLoc(), zero, steps));
    }
  }
  if (llvm::none_of(roots, [](Value root) { return static_cast<bool>(root); }))
    return;
  OpBuilder builder(branch);
  auto split = scf::IfOp::create(builder, branch.getLoc(), types,
                                 branch.getCondition(), /*withElse=*/true);
  split->setAttrs(branch->getAttrDictionary());
  split.getThenRegion().takeBody(branch.getThenRegion());
  split.getElseRegion().takeBody(branch.getElseRegion());
  for (auto [i, root] : llvm::enumerate(roots)) {
    Value result = split.getResult(i);
    if (root)
      result = buildAdvanced(builder, branch.getLoc(), root, result);
    branch.getResult(i).replaceAllUsesWith(result);
  }
  branch.erase();
}
