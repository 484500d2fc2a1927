//===- Expressions.cpp - Evaluating expressions -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch over expression nodes. Every node makes its range current, so that
// errors and locations point at the smallest expression concerned.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "frontend/sema/value/Format.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::sema;

RangeScope::RangeScope(Interpreter &interpreter, syntax::SourceRange range)
    : interpreter(interpreter), previous(interpreter.theReporter.range),
      previousLocation(interpreter.emitter.b.getLoc()) {
  interpreter.enter(range);
}

RangeScope::~RangeScope() {
  interpreter.theReporter.range = previous;
  interpreter.emitter.b.setLoc(previousLocation);
}

void Interpreter::enter(syntax::SourceRange range) {
  theReporter.range = range;
  emitter.b.setLoc(locationFor(range));
}

mlir::Location Interpreter::locationFor(syntax::SourceRange range) {
  mlir::MLIRContext *context = builder().getContext();
  llvm::StringRef file =
      active ? active->frame.module->fileName() : llvm::StringRef("-");
  mlir::Location location = mlir::FileLineColRange::get(
      mlir::StringAttr::get(context, file), range.line, range.column + 1,
      range.endLine, range.endColumn + 1);
  if (active && active->callerLocation)
    return mlir::CallSiteLoc::get(location,
                                  mlir::Location(active->callerLocation));
  return location;
}

/// Names, constants and containers emit nothing themselves; skipping the
/// location for them saves much of the cost.
static bool emitsNothing(const ast::Expr *expr) {
  switch (expr->kind) {
  case ast::NodeKind::Constant:
  case ast::NodeKind::Tuple:
  case ast::NodeKind::List:
  case ast::NodeKind::Slice:
  case ast::NodeKind::Lambda:
    return true;
  default:
    return false;
  }
}

Value Interpreter::evaluate(const ast::Expr *expr) {
  if (emitsNothing(expr))
    return evaluateKind(expr);
  if (expr->kind == ast::NodeKind::Name) {
    syntax::SourceRange previous = theReporter.range;
    theReporter.range = expr->range;
    Value value = lookup(ref(static_cast<const ast::Name *>(expr)->id));
    theReporter.range = previous;
    return value;
  }
  RangeScope scope(*this, expr->range);
  return evaluateKind(expr);
}

Value Interpreter::evaluateKind(const ast::Expr *expr) {
  switch (expr->kind) {
  case ast::NodeKind::Constant:
    return evaluateConstant(*static_cast<const ast::Constant *>(expr));
  case ast::NodeKind::BinOp: {
    const auto *node = static_cast<const ast::BinOp *>(expr);
    Value left = evaluate(node->left);
    return binary(node->op, left, evaluate(node->right));
  }
  case ast::NodeKind::UnaryOp: {
    const auto *node = static_cast<const ast::UnaryOp *>(expr);
    return unary(node->op, evaluate(node->operand));
  }
  case ast::NodeKind::BoolOp:
    return evaluateBoolOp(*static_cast<const ast::BoolOp *>(expr));
  case ast::NodeKind::Compare:
    return evaluateCompare(*static_cast<const ast::Compare *>(expr));
  case ast::NodeKind::IfExp:
    return evaluateTernary(*static_cast<const ast::IfExp *>(expr));
  case ast::NodeKind::Call:
    return evaluateCall(*static_cast<const ast::Call *>(expr));
  case ast::NodeKind::Attribute: {
    const auto *node = static_cast<const ast::Attribute *>(expr);
    llvm::SaveAndRestore<const ast::Attribute *> asked(attributeExpr, node);
    Value base = evaluate(node->value);
    return attribute(base, ref(node->attr));
  }
  case ast::NodeKind::Subscript: {
    const auto *node = static_cast<const ast::Subscript *>(expr);
    Value base = evaluate(node->value);
    return subscript(base, evaluate(node->slice));
  }
  case ast::NodeKind::Tuple:
  case ast::NodeKind::List: {
    bool isList = expr->kind == ast::NodeKind::List;
    bool failed = false;
    std::vector<Value> elements =
        evaluateAll(isList ? static_cast<const ast::List *>(expr)->elts
                           : static_cast<const ast::Tuple *>(expr)->elts,
                    failed);
    return failed ? Value::error() : Value::tuple(std::move(elements), isList);
  }
  case ast::NodeKind::Slice:
    return evaluateSlice(*static_cast<const ast::Slice *>(expr));
  case ast::NodeKind::NamedExpr:
    return evaluateWalrus(*static_cast<const ast::NamedExpr *>(expr));
  case ast::NodeKind::Lambda:
    return evaluateLambda(*static_cast<const ast::Lambda *>(expr));
  case ast::NodeKind::Dict:
    return evaluateDict(*static_cast<const ast::Dict *>(expr));
  case ast::NodeKind::JoinedStr:
    return evaluateJoinedStr(*static_cast<const ast::JoinedStr *>(expr));
  case ast::NodeKind::ListComp:
    return evaluateComprehension(*static_cast<const ast::ListComp *>(expr));
  default:
    return error(1904,
                 "this kind of expression is not supported inside a "
                 "kernel",
                 "compute it outside and pass it as a tl.constexpr");
  }
}

Value Interpreter::evaluateSlice(const ast::Slice &expr) {
  auto payload = std::make_shared<SlicePayload>();
  if (expr.lower)
    payload->lower = evaluate(expr.lower);
  if (expr.upper)
    payload->upper = evaluate(expr.upper);
  if (expr.step)
    payload->step = evaluate(expr.step);
  return Value::withPayload(Value::Kind::Slice, std::move(payload));
}

Value Interpreter::evaluateWalrus(const ast::NamedExpr &expr) {
  Value value = assigned(evaluate(expr.value));
  const auto *name = static_cast<const ast::Name *>(expr.target);
  bindName(expr.target, ref(name->id), value, /*isConstexpr=*/false, &expr);
  traceStep("values", ref(name->id));
  return value;
}

Value Interpreter::evaluateLambda(const ast::Lambda &expr) {
  auto payload = std::make_shared<FunctionPayload>();
  payload->name = "lambda";
  payload->args = expr.args;
  payload->lambdaBody = expr.body;
  payload->node = &expr;
  payload->module = active->frame.module;
  payload->closure = std::make_shared<Scope>(active->scope);
  return Value::withPayload(Value::Kind::Function, std::move(payload));
}

Value Interpreter::evaluateDict(const ast::Dict &expr) {
  auto payload = std::make_shared<DictPayload>();
  for (size_t i = 0; i < expr.keys.size(); ++i) {
    if (!expr.keys[i])
      return error(1904, "unpacking in a dictionary is not supported inside a "
                         "kernel");
    Value key = evaluate(expr.keys[i]);
    if (!key.isStr())
      return error(2130, "expected text as the key of a dictionary, got " +
                             key.describe());
    payload->entries.emplace_back(key.strValue().str(),
                                  evaluate(expr.values[i]));
  }
  return Value::withPayload(Value::Kind::Dict, std::move(payload));
}

Value Interpreter::evaluateConstant(const ast::Constant &expr) {
  const ast::ConstantValue &value = expr.value;
  switch (value.kind) {
  case ast::ConstantKind::None:
    return Value::none();
  case ast::ConstantKind::Ellipsis:
    return Value::ellipsis();
  case ast::ConstantKind::Bool:
    return Value::boolean(value.boolean);
  case ast::ConstantKind::Int:
    if (std::optional<int64_t> small = value.asInt64())
      return Value::integer(*small);
    if (std::optional<BigInt> big = BigInt::fromDecimal(ref(value.text)))
      return Value::integer(*big);
    break;
  case ast::ConstantKind::Float:
    return Value::number(value.number);
  case ast::ConstantKind::Str:
    return Value::str(std::string(value.text));
  default:
    break;
  }
  return theReporter.errorAt(expr.range, 1905,
                             "this kind of literal is not supported inside a "
                             "kernel",
                             "use numbers, text, True, False or None");
}

std::vector<Value> Interpreter::evaluateAll(ast::ExprList list, bool &failed) {
  std::vector<Value> values;
  for (const ast::Expr *expr : list) {
    const auto *starred = ast::asNode<ast::Starred>(expr);
    Value value = evaluate(starred ? starred->value : expr);
    failed |= value.isError();
    if (!starred) {
      values.push_back(std::move(value));
      continue;
    }
    RangeScope scope(*this, expr->range);
    std::optional<std::vector<Value>> unpacked =
        value.isError() ? std::nullopt : items(value);
    failed |= !unpacked;
    if (unpacked)
      values.insert(values.end(), unpacked->begin(), unpacked->end());
  }
  return values;
}

/// Compile-time operands decide as in Python; run-time ones are all evaluated
/// and combined (rule D2).
Value Interpreter::evaluateBoolOp(const ast::BoolOp &expr) {
  bool isOr = expr.op == ast::BoolOperator::Or;
  std::optional<Value> result;
  for (size_t i = 0; i < expr.values.size(); ++i) {
    Value value = evaluate(expr.values[i]);
    if (value.isError())
      return value;
    std::optional<bool> known = truth(value);
    if (!known && !value.isTensor())
      return error(2131, "expected operands with a truth value, got " +
                             value.describe());
    if (!result || !result->isTensor()) {
      // So far everything was known and did not decide.
      if (known && *known == isOr)
        return value;
      result = value;
      continue;
    }
    result = emitter.logicalAnd(*result, known ? Value::boolean(*known) : value,
                                isOr);
    if (result->isError())
      return *result;
  }
  return *result;
}

Value Interpreter::evaluateCompare(const ast::Compare &expr) {
  Value left = evaluate(expr.left);
  std::optional<Value> result;
  for (size_t i = 0; i < expr.ops.size(); ++i) {
    Value right = evaluate(expr.comparators[i]);
    Value step = compare(expr.ops[i], left, right);
    if (step.isError())
      return step;
    if (!result) {
      result = step;
    } else if (result->isTensor() || step.isTensor()) {
      result = emitter.logicalAnd(*result, step, /*isOr=*/false);
    } else {
      result = step;
    }
    if (std::optional<bool> known = truth(*result); known && !*known)
      return *result;
    left = std::move(right);
  }
  return *result;
}

Value Interpreter::evaluateJoinedStr(const ast::JoinedStr &expr) {
  std::string text;
  for (const ast::Expr *part : expr.values) {
    const auto *field = ast::asNode<ast::FormattedValue>(part);
    Value value = evaluate(field ? field->value : part);
    if (value.isError())
      return value;
    if (value.isRuntime())
      return theReporter.errorAt(
          (field ? field->value : part)->range, 2313,
          "expected a compile-time value in an f-string, got " +
              value.describe(),
          "device_print prints run-time values: pass them behind "
          "the text");
    std::string spec;
    if (field && field->formatSpec) {
      Value format = evaluate(field->formatSpec);
      if (format.isError())
        return format;
      spec = format.strValue().str();
    }
    bool wantsRepr =
        field && (field->conversion == 'r' || field->conversion == 'a');
    if (wantsRepr)
      value = Value::str(value.pythonRepr());
    else if (field && field->conversion == 's')
      value = Value::str(value.pythonStr());
    std::optional<std::string> formatted = formatValue(value, spec);
    if (!formatted)
      return error(2132, "expected a format that fits " + value.describe() +
                             ", got '" + spec + "'");
    text += *formatted;
  }
  return Value::str(std::move(text));
}

std::optional<std::vector<Value>> Interpreter::items(const Value &iterable) {
  if (iterable.isTuple())
    return iterable.elements().vec();
  if (iterable.is(Value::Kind::Range)) {
    const auto &range = iterable.payload<RangePayload>();
    for (const Value *value : {&range.start, &range.stop, &range.step})
      if (!value->isInt() && !value->isBool()) {
        if (!value->isError())
          error(2133,
                "expected compile-time integers as the bounds of this loop, "
                "got " +
                    value->describe(),
                "use range for a run-time loop");
        return std::nullopt;
      }
    BigInt at = range.start.intValue(), stop = range.stop.intValue(),
           step = range.step.intValue();
    if (step.isZero()) {
      error(2122, "expected a step other than 0");
      return std::nullopt;
    }
    std::vector<Value> values;
    while (step.isNegative() ? at.compare(stop) > 0 : at.compare(stop) < 0) {
      values.push_back(Value::integer(at));
      at = at + step;
      if (values.size() > 100000) {
        error(2100, "expected at most 100000 unrolled iterations",
              "use range for a run-time loop");
        return std::nullopt;
      }
    }
    return values;
  }
  if (!iterable.isError())
    error(2134,
          "expected a range or a tuple to iterate over, got " +
              iterable.describe(),
          "use range(n), tl.range(n) or tl.static_range(n)");
  return std::nullopt;
}

Value Interpreter::evaluateComprehension(const ast::ListComp &expr) {
  if (expr.generators.size() != 1)
    return error(1904,
                 "nested comprehensions are not supported inside a "
                 "kernel",
                 "use tl.static_range loops");
  const ast::Comprehension &generator = *expr.generators[0];
  Value iterable = evaluate(generator.iter);
  if (iterable.isError())
    return iterable;
  std::optional<std::vector<Value>> values = items(iterable);
  if (!values)
    return Value::error();
  Scope saved = active->scope;
  std::vector<Value> results;
  bool failed = false;
  for (const Value &value : *values) {
    if (const auto *name = ast::asNode<ast::Name>(generator.target)) {
      Binding binding;
      binding.value = value;
      binding.site = &expr;
      active->scope.bind(ref(name->id), std::move(binding));
    } else {
      failed = true;
      error(1904, "expected a name as the target of a comprehension");
      break;
    }
    bool keep = true;
    for (const ast::Expr *test : generator.ifs) {
      Value condition = evaluate(test);
      std::optional<bool> known = truth(condition);
      if (!known && !condition.isError())
        error(2135, "expected a compile-time condition in a comprehension, "
                    "got " +
                        condition.describe());
      failed |= !known;
      keep = keep && known.value_or(false);
    }
    if (keep) {
      results.push_back(evaluate(expr.elt));
      failed |= results.back().isError();
    }
  }
  active->scope = std::move(saved);
  return failed ? Value::error() : Value::tuple(std::move(results), true);
}
