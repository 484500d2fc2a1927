//===- Statements.cpp - Executing statements --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight-line statements: assignments, returns, assertions. Branches and
// loops have their own files.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/flow/AssignedNames.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;

/// Far above any sensible unrolling.
static constexpr uint64_t MaxSteps = 2000000;

Completion Interpreter::execList(ast::StmtList list, size_t from, bool isTail) {
  for (size_t i = from; i < list.size(); ++i) {
    if (theReporter.isExhausted())
      return {};
    if (++steps > MaxSteps) {
      theReporter.errorAt(list[i]->range, 2100,
                          "expected the kernel to expand to at most 2000000 "
                          "statements",
                          "tl.static_range and calls of helper functions are "
                          "expanded at compile time; use range");
      return {};
    }
    Completion completion;
    bool consumedRest = false;
    traceLine(list[i]);
    if (const auto *branch = ast::asNode<ast::If>(list[i]))
      completion = execIf(*branch, list, i + 1, consumedRest, isTail);
    else
      completion = execHinted(list[i]);
    if (consumedRest || completion.returns() || i + 1 == list.size())
      return completion;
    if (!completion.falls())
      return guardRest(
          completion, [&] { return execList(list, i + 1, isTail); }, isTail);
  }
  return {};
}

static const char *statementName(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::Break:
    return "break";
  case ast::NodeKind::Continue:
    return "continue";
  case ast::NodeKind::With:
    return "with";
  case ast::NodeKind::Try:
  case ast::NodeKind::TryStar:
    return "try";
  case ast::NodeKind::Match:
    return "match";
  case ast::NodeKind::Global:
    return "global";
  case ast::NodeKind::Nonlocal:
    return "nonlocal";
  case ast::NodeKind::ClassDef:
    return "class";
  case ast::NodeKind::Delete:
    return "del";
  default:
    return "async";
  }
}

static const char *statementHint(ast::NodeKind kind) {
  switch (kind) {
  case ast::NodeKind::Break:
    return "use a while loop whose condition holds the exit test";
  case ast::NodeKind::Continue:
    return "put the rest of the body under an if";
  default:
    return "move it out of the kernel";
  }
}

Completion Interpreter::execHinted(const ast::Stmt *stmt) {
  if (active->frame.module->hintsFor(stmt).empty())
    return execStatement(stmt);
  mlir::Block *block = builder().getInsertionBlock();
  mlir::Operation *last = block->empty() ? nullptr : &block->back();
  Completion completion = execStatement(stmt);
  attachHints(stmt, block, last);
  return completion;
}

Completion Interpreter::execStatement(const ast::Stmt *stmt) {
  RangeScope scope(*this, stmt->range);
  switch (stmt->kind) {
  case ast::NodeKind::ExprStmt:
    evaluate(static_cast<const ast::ExprStmt *>(stmt)->value);
    return {};
  case ast::NodeKind::Assign: {
    const auto *node = static_cast<const ast::Assign *>(stmt);
    Value value = evaluate(node->value);
    // Fields of an instance decide themselves what becomes a run-time value.
    if (!ast::isNode<ast::Attribute>(node->targets[0]))
      value = assigned(value);
    for (const ast::Expr *target : node->targets)
      assign(target, value, stmt);
    traceAssigned(stmt);
    return {};
  }
  case ast::NodeKind::AnnAssign:
    annotatedAssign(*static_cast<const ast::AnnAssign *>(stmt));
    traceAssigned(stmt);
    return {};
  case ast::NodeKind::AugAssign: {
    const auto *node = static_cast<const ast::AugAssign *>(stmt);
    Value left = evaluate(node->target);
    Value right = evaluate(node->value);
    assign(node->target, assigned(binary(node->op, left, right)), stmt);
    traceAssigned(stmt);
    return {};
  }
  case ast::NodeKind::Return:
    return execReturn(*static_cast<const ast::Return *>(stmt));
  case ast::NodeKind::For:
    return execFor(*static_cast<const ast::For *>(stmt));
  case ast::NodeKind::While:
    return execWhile(*static_cast<const ast::While *>(stmt));
  case ast::NodeKind::Pass:
    return {};
  case ast::NodeKind::Assert:
    execAssert(*static_cast<const ast::Assert *>(stmt));
    return {};
  case ast::NodeKind::Raise:
    execRaise(*static_cast<const ast::Raise *>(stmt));
    return {};
  case ast::NodeKind::Import:
  case ast::NodeKind::ImportFrom:
    execImport(*stmt);
    return {};
  case ast::NodeKind::FunctionDef: {
    const auto *def = static_cast<const ast::FunctionDef *>(stmt);
    Binding binding;
    binding.value = functionValue(def, active->frame.module,
                                  std::make_shared<Scope>(active->scope));
    binding.site = stmt;
    active->scope.bind(ref(def->name), std::move(binding));
    return {};
  }
  default:
    error(1901,
          std::string("the statement '") + statementName(stmt->kind) +
              "' is not supported inside a kernel",
          statementHint(stmt->kind));
    return {};
  }
}

Completion Interpreter::execReturn(const ast::Return &stmt) {
  if (active->loopDepth) {
    error(2101, "expected no return inside a run-time loop",
          "store the result in a variable and return it after the loop");
    return {};
  }
  Completion completion;
  completion.kind = Completion::Kind::Returns;
  if (stmt.value)
    completion.value = evaluate(stmt.value);
  bool isKernel = !active->frame.caller;
  if (isKernel && !completion.value.isNone() && !completion.value.isError())
    error(2102,
          "expected a kernel to return nothing, got " +
              completion.value.describe(),
          "write results with tl.store");
  return completion;
}

void Interpreter::poisonNames(ast::StmtList skipped) {
  for (llvm::StringRef name : assignedNames(skipped)) {
    Binding binding;
    binding.value = Value::error();
    active->scope.bind(name, std::move(binding));
  }
}

void Interpreter::execAssert(const ast::Assert &stmt) {
  Value test = evaluate(stmt.test);
  if (test.isError())
    return;
  Value message = Value::str("");
  if (std::optional<bool> known = truth(test)) {
    if (*known)
      return;
    if (stmt.msg)
      message = evaluate(stmt.msg);
    error(2103, "assertion failed" +
                    (stmt.msg ? ": " + message.pythonStr() : std::string()));
    return;
  }
  if (stmt.msg)
    message = evaluate(stmt.msg);
  if (!isDebug())
    return;
  Value condition = emitter.cast(test, Scalar::I1);
  if (!condition.isError())
    tile::AssertOp::create(builder(), condition.ssa(), message.pythonStr());
}

void Interpreter::execRaise(const ast::Raise &stmt) {
  std::string what = "an exception";
  if (const auto *construct = ast::asNode<ast::Call>(stmt.exc)) {
    what = std::string(
        active->frame.module->module().textOf(construct->func->range));
    if (construct->args.size() == 1) {
      Value message = evaluate(construct->args[0]);
      if (message.isStr())
        what += ": " + message.strValue().str();
    }
  } else if (stmt.exc) {
    what = std::string(active->frame.module->module().textOf(stmt.exc->range));
  }
  error(2104, "the kernel raises " + what,
        "a raise is an error as soon as it is reached at compile time; guard "
        "it with a compile-time if");
}

void Interpreter::execImport(const ast::Stmt &stmt) {
  auto bind = [&](llvm::StringRef name, const Value &value) {
    Binding binding;
    binding.value = value;
    binding.site = &stmt;
    active->scope.bind(name, std::move(binding));
  };
  ModuleEnv &env = *active->frame.module;
  if (const auto *import = ast::asNode<ast::Import>(&stmt)) {
    for (const ast::Alias *alias : import->names) {
      llvm::StringRef full = ref(alias->name);
      bool renamed = !alias->asname.empty();
      bind(renamed ? ref(alias->asname) : full.split('.').first,
           importModule(renamed ? full : full.split('.').first, 0, env));
    }
    return;
  }
  const auto &from = static_cast<const ast::ImportFrom &>(stmt);
  Value module = importModule(ref(from.module), from.level, env);
  for (const ast::Alias *alias : from.names)
    bind(ref(alias->asname.empty() ? alias->name : alias->asname),
         attribute(module, ref(alias->name)));
}

bool Interpreter::isConstexprAnnotation(const ast::Expr *annotation) {
  if (const auto *attr = ast::asNode<ast::Attribute>(annotation))
    return attr->attr == "constexpr";
  if (const auto *name = ast::asNode<ast::Name>(annotation))
    return name->id == "constexpr";
  if (const auto *text = ast::asNode<ast::Constant>(annotation))
    return text->value.isStr() && ref(text->value.text).ends_with("constexpr");
  return false;
}

void Interpreter::annotatedAssign(const ast::AnnAssign &stmt) {
  if (!stmt.value)
    return;
  Value value = evaluate(stmt.value);
  const auto *name = ast::asNode<ast::Name>(stmt.target);
  if (!isConstexprAnnotation(stmt.annotation) || !name) {
    assign(stmt.target, assigned(value), &stmt);
    return;
  }
  // Triton accepts run-time values here, too; they stay what they are.
  bindName(stmt.target, ref(name->id), value,
           /*isConstexpr=*/!value.isRuntime(), &stmt);
}

void Interpreter::bindName(const ast::Expr *target, llvm::StringRef name,
                           const Value &value, bool isConstexpr,
                           const ast::Node *site) {
  Binding *old = active->scope.find(name);
  bool isRebinding = old && old->unavailable.empty() && old->site != site &&
                     !Value::same(old->value, value) && !old->value.isError() &&
                     !value.isError();
  // A plain assignment ends the promise, but not from one iteration to the
  // next.
  if (isRebinding && old->isConstexpr && (isConstexpr || active->loopDepth > 0))
    theReporter.errorAt(
        target->range, 2106,
        "expected the constexpr '" + name + "' to keep its value " +
            old->value.pythonStr(),
        "give the new value another name",
        {theReporter.noteAt(old->site->range, "'" + name +
                                                  "' is defined "
                                                  "here")});
  Binding binding;
  binding.value = value;
  binding.isConstexpr = isConstexpr;
  binding.site = site;
  active->scope.bind(name, std::move(binding));
}

void Interpreter::assign(const ast::Expr *target, const Value &value,
                         const ast::Stmt *site) {
  RangeScope scope(*this, target->range);
  if (const auto *name = ast::asNode<ast::Name>(target)) {
    bindName(target, ref(name->id), value, /*isConstexpr=*/false, site);
    return;
  }
  if (const auto *attribute = ast::asNode<ast::Attribute>(target))
    if (assignField(*attribute, value, site))
      return;
  ast::ExprList targets;
  if (const auto *tuple = ast::asNode<ast::Tuple>(target))
    targets = tuple->elts;
  else if (const auto *list = ast::asNode<ast::List>(target))
    targets = list->elts;
  else {
    error(1902, "expected a name to assign to",
          "values are immutable inside a kernel; build a new value");
    return;
  }
  if (value.isError()) {
    for (const ast::Expr *element : targets)
      assign(element, value, site);
    return;
  }
  if (!value.isTuple() || value.elements().size() != targets.size()) {
    error(2107, "expected a tuple of " + llvm::Twine(targets.size()) +
                    " values to unpack, got " + value.describe());
    for (const ast::Expr *element : targets)
      assign(element, Value::error(), site);
    return;
  }
  for (size_t i = 0; i < targets.size(); ++i)
    assign(targets[i], value.elements()[i], site);
}
