//===- BranchMerger.cpp - After a run-time branch ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A side that returns is dead afterwards: it yields placeholders for names, and
// the "has returned" flag tells the two apart when only one side returned.
//===----------------------------------------------------------------------===//

#include "frontend/sema/flow/BranchMerger.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace scf = mlir::scf;
namespace arith = mlir::arith;

BranchMerger::Slot BranchMerger::output(const Value &takenValue,
                                        const Value &otherValue) {
  Slot slot{takenOutputs.size(), takenValue};
  takenValue.flatten(takenOutputs);
  otherValue.flatten(otherOutputs);
  return slot;
}

Value BranchMerger::resultOf(const Slot &slot) const {
  llvm::ArrayRef<mlir::Value> view =
      llvm::ArrayRef<mlir::Value>(results).drop_front(slot.first);
  return slot.pattern.rebuild(view);
}

Value BranchMerger::inBlock(mlir::Block *block,
                            llvm::function_ref<Value()> make) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(block);
  return make();
}

Value BranchMerger::placeholder(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (llvm::isa<tile::PointerType>(element)) {
    mlir::Type addressType = b.getI64Type();
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
      addressType = tensor.clone(b.getI64Type());
    mlir::Value zero = arith::ConstantOp::create(b, b.getZeroAttr(addressType));
    return Value::tensor(tile::IntToPtrOp::create(b, type, zero), DType());
  }
  if (mlir::TypedAttr zero = b.getZeroAttr(type))
    return Value::tensor(arith::ConstantOp::create(b, zero), DType());
  return in.error(2111,
                  "expected no tensor descriptor to be made in a branch that "
                  "may return",
                  "make the descriptor before the branch");
}

Value BranchMerger::placeholderFor(const Value &value, mlir::Block *block) {
  return inBlock(block, [&] {
    llvm::SmallVector<mlir::Value> parts, zeros;
    value.flatten(parts);
    for (mlir::Value part : parts) {
      Value zero = placeholder(part.getType());
      zeros.push_back(zero.isError() ? part : zero.ssa());
    }
    llvm::ArrayRef<mlir::Value> view = zeros;
    return value.rebuild(view);
  });
}

bool BranchMerger::isInside(const Value &value) const {
  llvm::SmallVector<mlir::Value> parts;
  value.flatten(parts);
  mlir::Operation *branch = scf::IfOp(op);
  return llvm::any_of(parts, [&](mlir::Value part) {
    return branch->isAncestor(part.getParentBlock()->getParentOp());
  });
}

void BranchMerger::markUnavailable(llvm::StringRef name, const Binding &from,
                                   const llvm::Twine &why) {
  Binding binding = from;
  binding.value = Value::error();
  binding.unavailable = why.str();
  merged.bind(name, std::move(binding));
}

void BranchMerger::mergeNames(const Scope &before) {
  merged = before;
  if (takenLives && otherLives)
    mergeBothLive();
  else if (takenLives || otherLives)
    mergeOneLive();
}

void BranchMerger::mergeBothLive() {
  const char *oneSided = "it is bound in one branch of an if only";
  for (auto &entry : taken.scope) {
    const Binding &left = entry.second;
    const Binding *right = other.scope.find(entry.first);
    if (!right) {
      markUnavailable(entry.first, left, oneSided);
      continue;
    }
    if (!left.unavailable.empty() || !right->unavailable.empty()) {
      merged.bind(entry.first, left.unavailable.empty() ? *right : left);
      continue;
    }
    bool failed = left.value.isError() || right->value.isError();
    if (failed || Value::same(left.value, right->value))
      merged.bind(entry.first, left.value.isError() ? left : *right);
    else
      mergeChanged(entry.first, left, *right);
  }
  for (auto &entry : other.scope)
    if (!taken.scope.find(entry.first))
      markUnavailable(entry.first, entry.second, oneSided);
}

/// A name that the sides leave with different values (rule E2).
void BranchMerger::mergeChanged(llvm::StringRef name, const Binding &left,
                                const Binding &right) {
  Value takenValue = inBlock(taken.block, [&] { return in.decay(left.value); });
  Value otherValue =
      inBlock(other.block, [&] { return in.decay(right.value); });
  if (Value::compatible(takenValue, otherValue) && takenValue.isRuntime()) {
    nameSlots.push_back({name, output(takenValue, otherValue)});
    merged.bind(name, right);
    return;
  }
  const ast::Node *site = right.site && right.site != left.site ? right.site
                          : left.site                           ? left.site
                                                                : right.site;
  Reporter &reporter = in.reporter();
  reporter.errorAt(site ? site->range : reporter.range, 2112,
                   "expected '" + name +
                       "' to have one type after the branches of an if, got " +
                       takenValue.describe() + " and " + otherValue.describe(),
                   "convert one of them with .to(...) or reshape it",
                   {reporter.noteAt(reporter.range, "the branches meet here")});
  markUnavailable(name, left, "its branches disagree");
}

void BranchMerger::mergeOneLive() {
  Branch &live = takenLives ? taken : other;
  mlir::Block *dead = takenLives ? other.block : taken.block;
  for (auto &entry : live.scope) {
    merged.bind(entry.first, entry.second);
    const Value &value = entry.second.value;
    if (!isInside(value))
      continue;
    Value unused = placeholderFor(value, dead);
    nameSlots.push_back({entry.first, takenLives ? output(value, unused)
                                                 : output(unused, value)});
  }
}

void BranchMerger::mergeReturns(Completion &result) {
  bool takenReturns = !taken.completion.falls();
  bool otherReturns = !other.completion.falls();
  Value left = taken.completion.value, right = other.completion.value;
  if (!takenReturns || !otherReturns) {
    const Value &returned = takenReturns ? left : right;
    mlir::Block *falling = takenReturns ? other.block : taken.block;
    Value unused = placeholderFor(returned, falling);
    (takenReturns ? right : left) = unused;
  } else if (left.isError() || right.isError()) {
    left = right = Value::error();
  } else if (!Value::same(left, right)) {
    left = inBlock(taken.block, [&] { return in.decay(left); });
    right = inBlock(other.block, [&] { return in.decay(right); });
    if (!Value::compatible(left, right))
      left = right = in.error(2113,
                              "expected all returns to agree in type, got " +
                                  left.describe() + " and " + right.describe(),
                              "convert one of the returned values");
  }
  result.value = left;
  if (left.isRuntime() &&
      (isInside(left) || isInside(right) || !Value::same(left, right)))
    returnSlot = output(left, right);
}

/// Whether the branch has returned, as a result of the operation where the
/// condition alone does not tell.
void BranchMerger::mergeFlags(Completion &result) {
  if (!takenLives && !otherLives) {
    result.kind = Completion::Kind::Returns;
    return;
  }
  result.kind = Completion::Kind::Maybe;
  if (!taken.completion.flag && !other.completion.flag)
    return;
  auto flagOf = [&](Branch &branch) {
    if (branch.completion.flag)
      return Value::tensor(branch.completion.flag, Scalar::I1);
    return inBlock(branch.block, [&] {
      return in.emitter.constant(Value::boolean(branch.completion.returns()),
                                 Scalar::I1);
    });
  };
  Value left = flagOf(taken), right = flagOf(other);
  flagSlot = output(left, right);
}

void BranchMerger::rebuild() {
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value value : takenOutputs)
    types.push_back(value.getType());
  b.setInsertionPointAfter(op);
  auto replacement =
      scf::IfOp::create(b, types, op.getCondition(), /*withElseRegion=*/true);
  replacement.getThenRegion().takeBody(op.getThenRegion());
  replacement.getElseRegion().takeBody(op.getElseRegion());
  replacement->setLoc(op.getLoc());
  op.erase();
  op = replacement;
  auto terminate = [&](mlir::Region &region,
                       llvm::ArrayRef<mlir::Value> values) {
    b.setInsertionPointToEnd(&region.front());
    scf::YieldOp::create(b, values);
  };
  terminate(op.getThenRegion(), takenOutputs);
  terminate(op.getElseRegion(), otherOutputs);
  b.setInsertionPointAfter(op);
  results.assign(op->result_begin(), op->result_end());
}

Completion BranchMerger::finish(Scope &scope) {
  Completion result;
  if (!taken.completion.falls() || !other.completion.falls()) {
    mergeReturns(result);
    mergeFlags(result);
  }
  rebuild();
  for (auto &[name, slot] : nameSlots)
    merged.find(name)->value = resultOf(slot);
  if (returnSlot)
    result.value = resultOf(*returnSlot);
  if (flagSlot) {
    result.flag = resultOf(*flagSlot).ssa();
  } else if (result.kind == Completion::Kind::Maybe) {
    Value condition = Value::tensor(op.getCondition(), Scalar::I1);
    result.flag =
        takenLives ? in.emitter.invert(condition).ssa() : condition.ssa();
  }
  scope = std::move(merged);
  return result;
}
