//===- Expression.cpp - Integer expressions of --grid -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small evaluator over the syntax tree; overflow is an error, never a wrap.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Expression.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/syntax/AST.h"
#include "frontend/syntax/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::tool {

using namespace tilewright::ast;

namespace {

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}

class Evaluator {
public:
  Evaluator(const std::string &text,
            const std::map<std::string, int64_t> &names)
      : text(text), names(names) {}

  int64_t evaluate(const Expr *expr) {
    return llvm::TypeSwitch<const Node *, int64_t>(expr)
        .Case([&](const Constant *c) { return constant(c); })
        .Case([&](const Name *n) { return lookUp(std::string(n->id)); })
        .Case([&](const BinOp *b) {
          return binary(b->op, evaluate(b->left), evaluate(b->right));
        })
        .Case([&](const UnaryOp *u) { return unary(u); })
        .Case([&](const IfExp *i) {
          return evaluate(i->test) ? evaluate(i->body) : evaluate(i->orelse);
        })
        .Case([&](const Compare *c) { return compare(c); })
        .Case([&](const Call *c) { return call(c); })
        .Case([&](const Subscript *s) { return metaEntry(s); })
        .Default([&](const Node *) -> int64_t { throw unsupported(); });
  }

private:
  Failure unsupported() const {
    return Failure(7021, "expected an integer expression, got '" + text + "'",
                   "use + - * // % ** comparisons, min, max, cdiv and "
                   "next_power_of_2 over arguments and constexprs");
  }
  Failure overflow() const {
    return Failure(7021, "'" + text + "' does not fit 64 bits");
  }

  int64_t constant(const Constant *c) {
    if (c->value.kind == ConstantKind::Bool)
      return c->value.boolean;
    std::optional<int64_t> number;
    if (c->value.isInt())
      number = c->value.asInt64();
    if (!number)
      throw unsupported();
    return *number;
  }

  int64_t lookUp(const std::string &name) {
    auto it = names.find(name);
    if (it != names.end())
      return it->second;
    std::string known;
    for (const auto &entry : names)
      known += (known.empty() ? "" : ", ") + entry.first;
    throw Failure(7022,
                  "'" + name + "' in '" + text +
                      "' is no integer argument or constexpr",
                  "known names: " + known);
  }

  /// META["BLOCK"] of old-style grids.
  int64_t metaEntry(const Subscript *s) {
    auto *key = llvm::dyn_cast<Constant>(s->slice);
    if (!llvm::isa<Name>(s->value) || !key || !key->value.isStr())
      throw unsupported();
    return lookUp(std::string(key->value.text));
  }

  int64_t unary(const UnaryOp *u) {
    int64_t value = evaluate(u->operand), result;
    switch (u->op) {
    case UnaryOperator::UAdd:
      return value;
    case UnaryOperator::Not:
      return value == 0;
    case UnaryOperator::Invert:
      return ~value;
    case UnaryOperator::USub:
      if (llvm::SubOverflow(int64_t{0}, value, result))
        throw overflow();
      return result;
    }
    throw unsupported();
  }

  int64_t binary(BinaryOperator op, int64_t a, int64_t b) {
    int64_t result = 0;
    bool overflows = false;
    switch (op) {
    case BinaryOperator::Add:
      overflows = llvm::AddOverflow(a, b, result);
      break;
    case BinaryOperator::Sub:
      overflows = llvm::SubOverflow(a, b, result);
      break;
    case BinaryOperator::Mult:
      overflows = llvm::MulOverflow(a, b, result);
      break;
    case BinaryOperator::Pow:
      overflows = b < 0;
      for (result = 1; b > 0 && !overflows; --b)
        overflows = llvm::MulOverflow(result, a, result);
      break;
    case BinaryOperator::FloorDiv:
    case BinaryOperator::Mod:
      if (b == 0)
        throw Failure(7021, "division by zero in '" + text + "'");
      if (a == INT64_MIN && b == -1)
        throw overflow();
      result = op == BinaryOperator::FloorDiv ? floorDivide(a, b)
                                              : a - b * floorDivide(a, b);
      break;
    default:
      throw unsupported();
    }
    if (overflows)
      throw overflow();
    return result;
  }

  int64_t compare(const Compare *c) {
    int64_t left = evaluate(c->left);
    for (auto [op, operand] : llvm::zip(c->ops, c->comparators)) {
      int64_t right = evaluate(operand);
      if (!holds(op, left, right))
        return 0;
      left = right;
    }
    return 1;
  }

  bool holds(CompareOperator op, int64_t a, int64_t b) {
    switch (op) {
    case CompareOperator::Eq:
      return a == b;
    case CompareOperator::NotEq:
      return a != b;
    case CompareOperator::Lt:
      return a < b;
    case CompareOperator::LtE:
      return a <= b;
    case CompareOperator::Gt:
      return a > b;
    case CompareOperator::GtE:
      return a >= b;
    default:
      throw unsupported();
    }
  }

  int64_t call(const Call *c) {
    std::string_view name;
    if (auto *plain = llvm::dyn_cast<Name>(c->func))
      name = plain->id;
    else if (auto *member = llvm::dyn_cast<Attribute>(c->func))
      name = member->attr;
    std::vector<int64_t> values;
    for (const Expr *argument : c->args)
      values.push_back(evaluate(argument));
    if (!c->keywords.empty() || values.empty())
      throw unsupported();
    if (name == "min")
      return *std::min_element(values.begin(), values.end());
    if (name == "max")
      return *std::max_element(values.begin(), values.end());
    if (name == "cdiv" && values.size() == 2)
      return -binary(BinaryOperator::FloorDiv, -values[0], values[1]);
    if (name == "next_power_of_2" && values.size() == 1)
      return values[0] <= 1 ? 1 : llvm::PowerOf2Ceil(values[0]);
    throw unsupported();
  }

  const std::string &text;
  const std::map<std::string, int64_t> &names;
};

/// The expression in `text`, or nullptr.
const Expr *onlyExpression(const Module *module) {
  if (module->body.size() != 1)
    return nullptr;
  auto *statement = llvm::dyn_cast<ExprStmt>(module->body[0]);
  return statement ? statement->value : nullptr;
}

} // namespace

std::vector<int64_t>
evaluateIntegers(const std::string &text,
                 const std::map<std::string, int64_t> &names) {
  ASTContext context;
  syntax::DiagnosticSink sink;
  const Module *module =
      syntax::parseModule(context, text, "<expression>", sink);
  const Expr *root = sink.hasErrors() ? nullptr : onlyExpression(module);
  if (!root)
    throw Failure(7021, "expected an expression, got '" + text + "'");
  if (auto *lambda = llvm::dyn_cast<Lambda>(root))
    root = lambda->body;
  Evaluator evaluator(text, names);
  std::vector<int64_t> values;
  if (auto *tuple = llvm::dyn_cast<Tuple>(root))
    for (const Expr *element : tuple->elts)
      values.push_back(evaluator.evaluate(element));
  else
    values.push_back(evaluator.evaluate(root));
  return values;
}

} // namespace tilewright::tool
