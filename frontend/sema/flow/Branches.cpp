//===- Branches.cpp - Conditions known at run time --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run-time `if` evaluates both sides, each with a copy of the scope, into an
// scf.if without results; comparing the scopes afterwards gives the results
// (BranchMerger).
// An early return needs no jump: what follows the `if` moves into the side that
// goes on, or under the negated "has returned" flag when both may.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/flow/BranchMerger.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace scf = mlir::scf;

Branch Interpreter::runBranch(mlir::Block *block,
                              llvm::function_ref<Completion()> body) {
  Scope saved = active->scope;
  Branch branch;
  branch.block = block;
  builder().setInsertionPointToEnd(block);
  branch.completion = body();
  branch.scope = std::move(active->scope);
  active->scope = std::move(saved);
  return branch;
}

/// An scf.if without results whose blocks have no terminator yet.
static scf::IfOp createIf(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value condition) {
  auto op = scf::IfOp::create(builder, mlir::TypeRange(), condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (mlir::Region *region : {&op.getThenRegion(), &op.getElseRegion()})
    if (!region->front().empty())
      region->front().clear();
  return op;
}

Completion Interpreter::execIf(const ast::If &stmt, ast::StmtList list,
                               size_t next, bool &consumedRest, bool isTail) {
  bool endsTail = isTail && next == list.size();
  RangeScope scope(*this, stmt.range);
  Value test;
  {
    RangeScope testScope(*this, stmt.test->range);
    test = evaluate(stmt.test);
    if (test.isError()) {
      poisonNames(stmt.body);
      poisonNames(stmt.orelse);
      return {};
    }
    if (test.isFloat() || test.isStr()) {
      error(2110,
            "expected a bool, int or None as a compile-time condition, got " +
                test.describe(),
            "compare it with a value");
      return {};
    }
  }
  if (std::optional<bool> known = truth(test))
    return execList(*known ? stmt.body : stmt.orelse, 0, endsTail);
  RangeScope testScope(*this, stmt.test->range);
  Value condition = emitter.toCondition(test);
  if (condition.isError()) {
    poisonNames(stmt.body);
    poisonNames(stmt.orelse);
    return {};
  }
  scf::IfOp op = createIf(builder(), condition.ssa());
  Branch taken = runBranch(&op.getThenRegion().front(),
                           [&] { return execList(stmt.body, 0, endsTail); });
  Branch other = runBranch(&op.getElseRegion().front(),
                           [&] { return execList(stmt.orelse, 0, endsTail); });
  bool hasRest = next < list.size();
  if (hasRest && taken.completion.returns() != other.completion.returns()) {
    Branch &going = taken.completion.returns() ? other : taken;
    if (going.completion.falls()) {
      consumedRest = true;
      active->scope.swap(going.scope);
      Branch continued =
          runBranch(going.block, [&] { return execList(list, next, isTail); });
      active->scope.swap(going.scope);
      going = std::move(continued);
    }
  }
  return mergeBranches(op, taken, other, endsTail || (isTail && consumedRest));
}

Completion Interpreter::guardRest(const Completion &before,
                                  llvm::function_ref<Completion()> rest,
                                  bool isTail) {
  scf::IfOp op = createIf(builder(), before.flag);
  Branch returned = runBranch(&op.getThenRegion().front(), [&]() -> Completion {
    Completion completion;
    completion.kind = Completion::Kind::Returns;
    completion.value = before.value;
    return completion;
  });
  Branch going = runBranch(&op.getElseRegion().front(), rest);
  return mergeBranches(op, returned, going, isTail);
}

Completion Interpreter::mergeBranches(scf::IfOp op, Branch &taken,
                                      Branch &other, bool dropsNames) {
  BranchMerger merger(*this, op, taken, other);
  if (!dropsNames)
    merger.mergeNames(active->scope);
  return merger.finish(active->scope);
}

Value Interpreter::evaluateTernary(const ast::IfExp &expr) {
  Value test = evaluate(expr.test);
  if (test.isError())
    return test;
  if (std::optional<bool> known = truth(test))
    return evaluate(*known ? expr.body : expr.orelse);
  Value condition = emitter.toCondition(test);
  if (condition.isError())
    return condition;
  scf::IfOp op = createIf(builder(), condition.ssa());
  auto side = [&](const ast::Expr *value) {
    return [&, value]() -> Completion {
      Completion completion;
      completion.kind = Completion::Kind::Returns;
      completion.value = decay(evaluate(value));
      return completion;
    };
  };
  Branch taken = runBranch(&op.getThenRegion().front(), side(expr.body));
  Branch other = runBranch(&op.getElseRegion().front(), side(expr.orelse));
  const Value &left = taken.completion.value, &right = other.completion.value;
  if (!left.isError() && !right.isError() && !Value::compatible(left, right)) {
    builder().setInsertionPointAfter(op);
    return error(2114,
                 "expected both sides of a run-time conditional to have one "
                 "type, got " +
                     left.describe() + " and " + right.describe(),
                 "convert one side with .to(...), or use tl.where");
  }
  return mergeBranches(op, taken, other).value;
}
