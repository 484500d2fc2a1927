//===- ExpressionCode.cpp - Expressions as code for a launcher --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cdiv(n, BLOCK)` becomes: push argument n, push BLOCK, divide rounding up.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/bundle/ExpressionCode.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/syntax/AST.h"
#include "frontend/syntax/Parser.h"

#include "tilewright/expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewright::tool {

using namespace tilewright::ast;

namespace {

class Emitter {
public:
  Emitter(const std::string &text,
          const std::map<std::string, int64_t> &constants,
          const std::vector<std::string> &arguments)
      : text(text), constants(constants), arguments(arguments) {}

  ExpressionCode emit(const Expr *expr) {
    code.clear();
    visit(expr);
    if (!tw_expr_check({code.data(), code.size()}, arguments.size()))
      throw Failure(7021, "'" + text + "' is nested too deeply",
                    "write it with fewer brackets");
    return code;
  }

private:
  Failure unsupported() const {
    return Failure(7021, "expected an integer expression, got '" + text + "'",
                   "use + - * // %, comparisons, and, or, not, min, max and "
                   "cdiv over arguments and constants");
  }

  void visit(const Expr *expr) {
    llvm::TypeSwitch<const Node *>(expr)
        .Case([&](const Constant *c) { constant(c); })
        .Case([&](const Name *n) { name(std::string(n->id)); })
        .Case([&](const BinOp *b) {
          visit(b->left);
          visit(b->right);
          code.push_back(operation(b->op));
        })
        .Case([&](const UnaryOp *u) { unary(u); })
        .Case([&](const BoolOp *b) { logical(b); })
        .Case([&](const IfExp *i) {
          visit(i->test);
          visit(i->body);
          visit(i->orelse);
          code.push_back(TW_EXPR_SELECT);
        })
        .Case([&](const Compare *c) { compare(c); })
        .Case([&](const Call *c) { call(c); })
        .Default([&](const Node *) { throw unsupported(); });
  }

  void push(int64_t value) {
    code.push_back(TW_EXPR_CONST);
    for (unsigned i = 0; i < 8; ++i)
      code.push_back(uint8_t(uint64_t(value) >> (8 * i)));
  }

  void constant(const Constant *c) {
    if (c->value.kind == ConstantKind::Bool)
      return push(c->value.boolean);
    std::optional<int64_t> number;
    if (c->value.isInt())
      number = c->value.asInt64();
    if (!number)
      throw unsupported();
    push(*number);
  }

  void name(const std::string &id) {
    if (auto it = constants.find(id); it != constants.end())
      return push(it->second);
    auto it = llvm::find(arguments, id);
    if (it == arguments.end()) {
      std::string known;
      for (const std::string &argument : arguments)
        known += (known.empty() ? "" : ", ") + argument;
      for (const auto &entry : constants)
        known += (known.empty() ? "" : ", ") + entry.first;
      throw Failure(7022,
                    "'" + id + "' in '" + text +
                        "' is no integer argument or constant",
                    "known names: " + known);
    }
    auto index = uint64_t(it - arguments.begin());
    code.push_back(TW_EXPR_ARGUMENT);
    code.push_back(uint8_t(index));
    code.push_back(uint8_t(index >> 8));
  }

  uint8_t operation(BinaryOperator op) const {
    switch (op) {
    case BinaryOperator::Add:
      return TW_EXPR_ADD;
    case BinaryOperator::Sub:
      return TW_EXPR_SUB;
    case BinaryOperator::Mult:
      return TW_EXPR_MUL;
    case BinaryOperator::FloorDiv:
      return TW_EXPR_FLOOR_DIV;
    case BinaryOperator::Mod:
      return TW_EXPR_FLOOR_MOD;
    default:
      throw unsupported();
    }
  }

  void unary(const UnaryOp *u) {
    if (u->op == UnaryOperator::USub)
      push(0);
    visit(u->operand);
    if (u->op == UnaryOperator::USub)
      code.push_back(TW_EXPR_SUB);
    else if (u->op == UnaryOperator::Not)
      code.push_back(TW_EXPR_NOT);
    else if (u->op != UnaryOperator::UAdd)
      throw unsupported();
  }

  /// As in Python the value is that of an operand: `a and b` is `b if a else
  /// a`, `a or b` is `a if a else b`.
  void logical(const BoolOp *b, size_t first = 0) {
    visit(b->values[first]);
    if (first + 1 == b->values.size())
      return;
    bool isAnd = b->op == BoolOperator::And;
    if (isAnd)
      logical(b, first + 1);
    visit(b->values[first]);
    if (!isAnd)
      logical(b, first + 1);
    code.push_back(TW_EXPR_SELECT);
  }

  /// `a < b <= c` is `a < b` and `b <= c`; expressions have no side effects.
  void compare(const Compare *c) {
    const Expr *left = c->left;
    bool isFirst = true;
    for (auto [op, right] : llvm::zip(c->ops, c->comparators)) {
      bool isSwapped = op == CompareOperator::Gt || op == CompareOperator::GtE;
      visit(isSwapped ? right : left);
      visit(isSwapped ? left : right);
      if (op == CompareOperator::Eq)
        code.push_back(TW_EXPR_EQ);
      else if (op == CompareOperator::NotEq)
        code.push_back(TW_EXPR_NE);
      else if (op == CompareOperator::Lt || op == CompareOperator::Gt)
        code.push_back(TW_EXPR_LT);
      else if (op == CompareOperator::LtE || op == CompareOperator::GtE)
        code.push_back(TW_EXPR_LE);
      else
        throw unsupported();
      if (!std::exchange(isFirst, false))
        code.push_back(TW_EXPR_AND);
      left = right;
    }
  }

  void call(const Call *c) {
    std::string_view callee;
    if (auto *plain = llvm::dyn_cast<Name>(c->func))
      callee = plain->id;
    else if (auto *member = llvm::dyn_cast<Attribute>(c->func))
      callee = member->attr;
    bool isDivision = callee == "cdiv";
    if (!c->keywords.empty() || c->args.size() < 2 ||
        (isDivision && c->args.size() != 2) ||
        (!isDivision && callee != "min" && callee != "max"))
      throw unsupported();
    uint8_t op = isDivision        ? TW_EXPR_CEIL_DIV
                 : callee == "min" ? TW_EXPR_MIN
                                   : TW_EXPR_MAX;
    visit(c->args[0]);
    for (size_t i = 1; i < c->args.size(); ++i) {
      visit(c->args[i]);
      code.push_back(op);
    }
  }

  const std::string &text;
  const std::map<std::string, int64_t> &constants;
  const std::vector<std::string> &arguments;
  ExpressionCode code;
};

} // namespace

std::vector<ExpressionCode>
compileExpressions(const std::string &text,
                   const std::map<std::string, int64_t> &constants,
                   const std::vector<std::string> &arguments) {
  ASTContext context;
  syntax::DiagnosticSink sink;
  const Module *module =
      syntax::parseModule(context, text, "<expression>", sink);
  auto *statement = !sink.hasErrors() && module->body.size() == 1
                        ? llvm::dyn_cast<ExprStmt>(module->body[0])
                        : nullptr;
  if (!statement)
    throw Failure(7021, "expected an expression, got '" + text + "'");
  Emitter emitter(text, constants, arguments);
  std::vector<ExpressionCode> codes;
  if (auto *tuple = llvm::dyn_cast<Tuple>(statement->value))
    for (const Expr *element : tuple->elts)
      codes.push_back(emitter.emit(element));
  else
    codes.push_back(emitter.emit(statement->value));
  return codes;
}

} // namespace tilewright::tool
