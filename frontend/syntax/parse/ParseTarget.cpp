//===- ParseTarget.cpp - Assignment and deletion targets --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns an expression into a target: checks that it can be one and rebuilds it
// with the Store or Del context.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

/// What an expression is called in messages.
std::string Parser::describeExpr(const Expr *expr) {
  switch (expr->kind) {
  case NodeKind::Call:
    return "a function call";
  case NodeKind::JoinedStr:
    return "an f-string";
  case NodeKind::Compare:
    return "a comparison";
  case NodeKind::IfExp:
    return "a conditional expression";
  case NodeKind::Dict:
    return "a dict display";
  case NodeKind::Set:
    return "a set display";
  case NodeKind::List:
    return "a list";
  case NodeKind::Tuple:
    return "a tuple";
  case NodeKind::Lambda:
    return "a lambda";
  case NodeKind::GeneratorExp:
    return "a generator expression";
  case NodeKind::ListComp:
  case NodeKind::SetComp:
  case NodeKind::DictComp:
    return "a comprehension";
  case NodeKind::Await:
    return "an await expression";
  case NodeKind::Yield:
  case NodeKind::YieldFrom:
    return "a yield expression";
  case NodeKind::NamedExpr:
    return "a named expression";
  case NodeKind::Starred:
    return "a starred expression";
  case NodeKind::Attribute:
    return "an attribute";
  case NodeKind::Subscript:
    return "a subscript";
  case NodeKind::Name:
    return "a name";
  case NodeKind::Constant:
    break;
  default:
    return "an expression";
  }
  const ConstantValue &value = asNode<Constant>(expr)->value;
  switch (value.kind) {
  case ConstantKind::None:
    return "None";
  case ConstantKind::Bool:
    return value.boolean ? "True" : "False";
  case ConstantKind::Ellipsis:
    return "'...'";
  default:
    return "a literal";
  }
}

/// star_targets in front of `in`; parsed below the level of comparisons, since
/// those would take the `in`.
const Expr *Parser::parseForTargets() {
  const Token &first = peek();
  if (!atExpression() && !at(K::Star))
    return failExpected(ExpectedExpression, "a loop target after 'for'");
  auto parseOne = [&]() {
    return at(K::Star) ? parseStarExpression() : parseBitwiseOr();
  };
  const Expr *target = parseOne();
  if (!target)
    return nullptr;
  if (at(K::Comma)) {
    Exprs elements{target};
    while (accept(K::Comma) && !at(K::KwIn)) {
      if (!(target = parseOne()))
        return nullptr;
      elements.push_back(target);
    }
    target = make<Tuple>(rangeFrom(first), context.copy(elements),
                         ExprContext::Load);
  }
  return toTarget(target, TargetUse::For);
}

std::nullptr_t Parser::failTarget(const Expr *expr, TargetUse use) {
  std::string what = describeExpr(expr);
  if (use == TargetUse::Delete)
    return fail(InvalidDeleteTarget, expr->range, "cannot delete " + what,
                "names, attributes and subscripts can be deleted");
  bool isValue = isNode<Compare>(expr) || isNode<BinOp>(expr) ||
                 isNode<Constant>(expr) || isNode<Call>(expr);
  std::string hint = "targets are names, attributes, subscripts, and tuples "
                     "or lists of these";
  if (use == TargetUse::Assign && isValue)
    hint += "; write '==' to compare";
  return fail(InvalidAssignTarget, expr->range, "cannot assign to " + what,
              hint);
}

const Expr *Parser::toTargetList(const Expr *expr, ExprList elts, bool isTuple,
                                 TargetUse use) {
  Exprs targets;
  const Expr *starred = nullptr;
  for (const Expr *element : elts) {
    if (isNode<Starred>(element) && starred && use != TargetUse::Delete)
      return fail(InvalidStarred, element->range,
                  "expected one starred target, got several",
                  "keep one star and unpack the rest in a second statement",
                  {{starred->range, "the first is here", {}}});
    if (isNode<Starred>(element))
      starred = element;
    const Expr *target = toTarget(element, use);
    if (!target)
      return nullptr;
    targets.push_back(target);
  }
  ExprContext ctx =
      use == TargetUse::Delete ? ExprContext::Del : ExprContext::Store;
  if (isTuple)
    return make<Tuple>(expr->range, context.copy(targets), ctx);
  return make<List>(expr->range, context.copy(targets), ctx);
}

const Expr *Parser::toTarget(const Expr *expr, TargetUse use) {
  ExprContext ctx =
      use == TargetUse::Delete ? ExprContext::Del : ExprContext::Store;
  if (auto *name = asNode<Name>(expr))
    return make<Name>(expr->range, name->id, ctx);
  if (auto *attribute = asNode<Attribute>(expr))
    return make<Attribute>(expr->range, attribute->value, attribute->attr, ctx);
  if (auto *subscript = asNode<Subscript>(expr))
    return make<Subscript>(expr->range, subscript->value, subscript->slice,
                           ctx);
  if (auto *tuple = asNode<Tuple>(expr))
    return toTargetList(expr, tuple->elts, /*isTuple=*/true, use);
  if (auto *list = asNode<List>(expr))
    return toTargetList(expr, list->elts, /*isTuple=*/false, use);
  auto *starred = asNode<Starred>(expr);
  if (!starred || use == TargetUse::Delete)
    return failTarget(expr, use);
  const Expr *value = toTarget(starred->value, use);
  if (!value)
    return nullptr;
  return make<Starred>(expr->range, value, ctx);
}
