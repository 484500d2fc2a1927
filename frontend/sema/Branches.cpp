//===- Branches.cpp - Conditions known at run time --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run-time `if` evaluates both sides, each with a copy of the scope, into an
// scf.if without results; comparing the scopes afterwards gives the results.
// An early return needs no jump: what follows the `if` moves into the side that
// goes on, or under the negated "has returned" flag when both may.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace scf = mlir::scf;

namespace {
/// Collects the values that leave the two sides of a branch.
struct Outputs {
  llvm::SmallVector<mlir::Value> taken, other;
  /// Where each merged value starts, with its shape.
  struct Slot {
    size_t first;
    Value pattern;
  };
  Slot add(const Value &takenValue, const Value &otherValue) {
    Slot slot{taken.size(), takenValue};
    takenValue.flatten(taken);
    otherValue.flatten(other);
    return slot;
  }
};
} // namespace

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
      // Both sides may hold further mistakes; their effects do not matter.
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
  if (condition.isError())
    return {};
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

Value Interpreter::placeholder(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  auto &b = builder();
  if (llvm::isa<tile::PointerType>(element)) {
    mlir::Type addressType = b.getI64Type();
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
      addressType = tensor.clone(b.getI64Type());
    mlir::Value zero =
        mlir::arith::ConstantOp::create(b, b.getZeroAttr(addressType));
    return Value::tensor(tile::IntToPtrOp::create(b, type, zero), DType());
  }
  mlir::TypedAttr zero = b.getZeroAttr(type);
  if (!zero)
    return error(2111,
                 "expected no tensor descriptor to be made in a branch that "
                 "may return",
                 "make the descriptor before the branch");
  return Value::tensor(mlir::arith::ConstantOp::create(b, zero), DType());
}

/// True when any SSA value inside is defined within the operation.
static bool isInside(const Value &value, mlir::Operation *op) {
  llvm::SmallVector<mlir::Value> parts;
  value.flatten(parts);
  return llvm::any_of(parts, [&](mlir::Value part) {
    mlir::Operation *owner = part.getParentBlock()->getParentOp();
    return op->isProperAncestor(owner) || op == owner;
  });
}

Completion Interpreter::mergeBranches(scf::IfOp op, Branch &taken,
                                      Branch &other, bool dropsNames) {
  auto &b = builder();
  Outputs outputs;
  std::vector<std::pair<llvm::StringRef, Outputs::Slot>> names;
  Scope merged;
  auto unavailable = [&](llvm::StringRef name, const Binding &from,
                         const llvm::Twine &why) {
    Binding binding = from;
    binding.value = Value::error();
    binding.unavailable = why.str();
    merged.bind(name, std::move(binding));
  };
  auto inBlock = [&](mlir::Block *block, llvm::function_ref<Value()> make) {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block);
    return make();
  };
  /// A value of the other side's structure that is never read.
  auto placeholderFor = [&](const Value &value, mlir::Block *block) {
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
  };
  bool takenLives = !taken.completion.returns();
  bool otherLives = !other.completion.returns();
  if (dropsNames) {
    // Nothing reads them.
  } else if (takenLives && otherLives) {
    for (auto &entry : taken.scope) {
      llvm::StringRef name = entry.first;
      Binding &binding = entry.second;
      Binding *match = other.scope.find(name);
      if (!match) {
        unavailable(name, binding, "it is bound in one branch of an if only");
        continue;
      }
      if (!binding.unavailable.empty() || !match->unavailable.empty()) {
        merged.bind(name, binding.unavailable.empty() ? *match : binding);
        continue;
      }
      if (Value::same(binding.value, match->value) || binding.value.isError() ||
          match->value.isError()) {
        merged.bind(name, binding.value.isError() ? binding : *match);
        continue;
      }
      Value left = inBlock(taken.block, [&] { return decay(binding.value); });
      Value right = inBlock(other.block, [&] { return decay(match->value); });
      if (!Value::compatible(left, right) || !left.isRuntime()) {
        const ast::Node *site = binding.site ? binding.site : match->site;
        theReporter.errorAt(
            match->site && match->site != binding.site ? match->site->range
                                                       : site->range,
            2112,
            "expected '" + name +
                "' to have one type after the branches of an if, got " +
                left.describe() + " and " + right.describe(),
            "convert one of them with .to(...) or reshape it",
            {theReporter.noteAt(theReporter.range, "the branches meet here")});
        unavailable(name, binding, "its branches disagree");
        continue;
      }
      names.push_back({name, outputs.add(left, right)});
      merged.bind(name, *match);
    }
    for (auto &[name, binding] : other.scope)
      if (!merged.find(name))
        unavailable(name, binding, "it is bound in one branch of an if only");
  } else if (takenLives || otherLives) {
    Branch &live = takenLives ? taken : other;
    for (auto &[name, binding] : live.scope) {
      merged.bind(name, binding);
      if (!isInside(binding.value, op))
        continue;
      Value dead =
          placeholderFor(binding.value, takenLives ? other.block : taken.block);
      names.push_back({name, takenLives ? outputs.add(binding.value, dead)
                                        : outputs.add(dead, binding.value)});
    }
  }

  Completion result;
  std::optional<Outputs::Slot> returnSlot;
  std::optional<size_t> flagSlot;
  bool mayReturn = !taken.completion.falls() || !other.completion.falls();
  if (mayReturn) {
    bool both = !taken.completion.falls() && !other.completion.falls();
    Value left = taken.completion.value, right = other.completion.value;
    if (both && left.isError())
      right = left;
    if (both && right.isError())
      left = right;
    if (both && !Value::same(left, right)) {
      left = inBlock(taken.block, [&] { return decay(left); });
      right = inBlock(other.block, [&] { return decay(right); });
      if (!Value::compatible(left, right))
        left = right = error(2113,
                             "expected all returns to agree in type, got " +
                                 left.describe() + " and " + right.describe(),
                             "convert one of the returned values");
    }
    if (!both) {
      Branch &returning = taken.completion.falls() ? other : taken;
      left = right = returning.completion.value;
      Value dead = placeholderFor(left, &returning == &taken ? other.block
                                                             : taken.block);
      (&returning == &taken ? right : left) = dead;
    }
    if (left.isRuntime() && (isInside(left, op) || isInside(right, op) ||
                             !Value::same(left, right)))
      returnSlot = outputs.add(left, right);
    result.value = left;
    if (taken.completion.returns() && other.completion.returns()) {
      result.kind = Completion::Kind::Returns;
    } else {
      result.kind = Completion::Kind::Maybe;
      auto flagOf = [&](Branch &branch) {
        if (branch.completion.flag)
          return Value::tensor(branch.completion.flag, Scalar::I1);
        return inBlock(branch.block, [&] {
          return emitter.constant(Value::boolean(branch.completion.returns()),
                                  Scalar::I1);
        });
      };
      bool isSimple = !taken.completion.flag && !other.completion.flag;
      if (!isSimple) {
        flagSlot = outputs.taken.size();
        outputs.add(flagOf(taken), flagOf(other));
      } else if (taken.completion.returns()) {
        result.flag = op.getCondition();
      }
    }
  }

  // Rebuild the operation with its results.
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value value : outputs.taken)
    types.push_back(value.getType());
  b.setInsertionPointAfter(op);
  scf::IfOp replacement = scf::IfOp::create(b, types, op.getCondition(),
                                            /*withElseRegion=*/true);
  replacement.getThenRegion().takeBody(op.getThenRegion());
  replacement.getElseRegion().takeBody(op.getElseRegion());
  replacement->setLoc(op.getLoc());
  op.erase();
  auto finish = [&](mlir::Region &region, llvm::ArrayRef<mlir::Value> values) {
    b.setInsertionPointToEnd(&region.front());
    scf::YieldOp::create(b, values);
  };
  finish(replacement.getThenRegion(), outputs.taken);
  finish(replacement.getElseRegion(), outputs.other);
  b.setInsertionPointAfter(replacement);

  llvm::SmallVector<mlir::Value> results(replacement.getResults());
  auto resultOf = [&](const Outputs::Slot &slot) {
    llvm::ArrayRef<mlir::Value> view =
        llvm::ArrayRef<mlir::Value>(results).drop_front(slot.first);
    return slot.pattern.rebuild(view);
  };
  for (auto &[name, slot] : names)
    merged.find(name)->value = resultOf(slot);
  if (returnSlot)
    result.value = resultOf(*returnSlot);
  if (flagSlot)
    result.flag = results[*flagSlot];
  if (result.kind == Completion::Kind::Maybe && !result.flag)
    result.flag =
        emitter.invert(Value::tensor(replacement.getCondition(), Scalar::I1))
            .ssa();
  if (takenLives || otherLives)
    active->scope = std::move(merged);
  return result;
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
