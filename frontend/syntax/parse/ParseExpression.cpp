//===- ParseExpression.cpp - Operators, calls, subscripts -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions from star_expressions down to primaries.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

bool Parser::startsExpression(K k) {
  switch (k) {
  case K::Name:
  case K::Number:
  case K::String:
  case K::LeftParen:
  case K::LeftBracket:
  case K::LeftBrace:
  case K::Ellipsis:
  case K::Plus:
  case K::Minus:
  case K::Tilde:
  case K::KwFalse:
  case K::KwNone:
  case K::KwTrue:
  case K::KwAwait:
  case K::KwLambda:
  case K::KwNot:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Lists of expressions, and the levels above operators
//===----------------------------------------------------------------------===//

const Expr *Parser::parseStarExpressions() {
  const Token &first = peek();
  const Expr *expr = parseStarExpression();
  if (!expr || !at(K::Comma))
    return expr;
  Exprs elements{expr};
  while (accept(K::Comma) && (atExpression() || at(K::Star))) {
    if (!(expr = parseStarExpression()))
      return nullptr;
    elements.push_back(expr);
  }
  return make<Tuple>(rangeFrom(first), context.copy(elements),
                     ExprContext::Load);
}

const Expr *Parser::parseStarExpression() {
  if (!at(K::Star))
    return parseExpression();
  const Token &first = take();
  const Expr *value = parseBitwiseOr();
  if (!value)
    return nullptr;
  return make<Starred>(rangeFrom(first), value, ExprContext::Load);
}

const Expr *Parser::parseStarNamedExpression() {
  return at(K::Star) ? parseStarExpression() : parseNamedExpression();
}

const Expr *Parser::parseNamedExpression() {
  const Token &first = peek();
  if (!at(K::Name) || !atNext(K::ColonEqual)) {
    const Expr *expr = parseExpression();
    if (expr && at(K::ColonEqual))
      return failHere(InvalidNamedExpression,
                      "expected a name before ':=', got " + describeExpr(expr),
                      "only a plain name can be assigned inside an expression");
    return expr;
  }
  const Expr *target =
      make<Name>(first.range, identifierOf(take()), ExprContext::Store);
  take();
  const Expr *value = parseExpression();
  if (!value)
    return nullptr;
  return make<NamedExpr>(rangeFrom(first), target, value);
}

const Expr *Parser::parseExpression() {
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  if (at(K::KwLambda))
    return parseLambda();
  const Token &first = peek();
  const Expr *body = parseDisjunction();
  if (!body || !at(K::KwIf))
    return body;
  take();
  const Expr *test = parseDisjunction();
  if (!test)
    return nullptr;
  if (!accept(K::KwElse))
    return failExpected(MissingElse, "'else' after the condition",
                        "a conditional expression reads 'a if test else b'");
  const Expr *orelse = parseExpression();
  if (!orelse)
    return nullptr;
  return make<IfExp>(rangeFrom(first), test, body, orelse);
}

const Expr *Parser::parseLambda() {
  const Token &first = take();
  const Arguments *args = parseParameters(K::Colon, /*isAnnotated=*/false);
  if (!args)
    return nullptr;
  if (!accept(K::Colon))
    return failExpected(ExpectedColon, "':' after lambda parameters");
  const Expr *body = parseExpression();
  if (!body)
    return nullptr;
  return make<Lambda>(rangeFrom(first), args, body);
}

const Expr *Parser::parseDisjunction() {
  const Token &first = peek();
  const Expr *expr = parseConjunction();
  if (!expr || !at(K::KwOr))
    return expr;
  Exprs values{expr};
  while (accept(K::KwOr)) {
    if (!(expr = parseConjunction()))
      return nullptr;
    values.push_back(expr);
  }
  return make<BoolOp>(rangeFrom(first), BoolOperator::Or, context.copy(values));
}

const Expr *Parser::parseConjunction() {
  const Token &first = peek();
  const Expr *expr = parseInversion();
  if (!expr || !at(K::KwAnd))
    return expr;
  Exprs values{expr};
  while (accept(K::KwAnd)) {
    if (!(expr = parseInversion()))
      return nullptr;
    values.push_back(expr);
  }
  return make<BoolOp>(rangeFrom(first), BoolOperator::And,
                      context.copy(values));
}

const Expr *Parser::parseInversion() {
  if (!at(K::KwNot))
    return parseComparison();
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  const Token &first = take();
  const Expr *operand = parseInversion();
  if (!operand)
    return nullptr;
  return make<UnaryOp>(rangeFrom(first), UnaryOperator::Not, operand);
}

std::optional<CompareOperator> Parser::acceptComparison() {
  using C = CompareOperator;
  auto accepted = [&](C op, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      take();
    return op;
  };
  switch (kind()) {
  case K::EqualEqual:
    return accepted(C::Eq, 1);
  case K::NotEqual:
    return accepted(C::NotEq, 1);
  case K::Less:
    return accepted(C::Lt, 1);
  case K::LessEqual:
    return accepted(C::LtE, 1);
  case K::Greater:
    return accepted(C::Gt, 1);
  case K::GreaterEqual:
    return accepted(C::GtE, 1);
  case K::KwIn:
    return accepted(C::In, 1);
  case K::KwIs:
    return atNext(K::KwNot) ? accepted(C::IsNot, 2) : accepted(C::Is, 1);
  case K::KwNot:
    if (atNext(K::KwIn))
      return accepted(C::NotIn, 2);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

const Expr *Parser::parseComparison() {
  const Token &first = peek();
  const Expr *left = parseBitwiseOr();
  if (!left)
    return nullptr;
  std::optional<CompareOperator> op = acceptComparison();
  if (!op)
    return left;
  std::vector<CompareOperator> ops;
  Exprs comparators;
  for (; op; op = acceptComparison()) {
    const Expr *right = parseBitwiseOr();
    if (!right)
      return nullptr;
    ops.push_back(*op);
    comparators.push_back(right);
  }
  return make<Compare>(rangeFrom(first), left, context.copy(ops),
                       context.copy(comparators));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
struct BinaryRow {
  int precedence = 0;
  BinaryOperator op = BinaryOperator::Add;
};
} // namespace

static BinaryRow binaryRow(TokenKind kind) {
  using K = TokenKind;
  using B = BinaryOperator;
  switch (kind) {
  case K::Pipe:
    return {1, B::BitOr};
  case K::Caret:
    return {2, B::BitXor};
  case K::Ampersand:
    return {3, B::BitAnd};
  case K::LessLess:
    return {4, B::LShift};
  case K::GreaterGreater:
    return {4, B::RShift};
  case K::Plus:
    return {5, B::Add};
  case K::Minus:
    return {5, B::Sub};
  case K::Star:
    return {6, B::Mult};
  case K::Slash:
    return {6, B::Div};
  case K::SlashSlash:
    return {6, B::FloorDiv};
  case K::Percent:
    return {6, B::Mod};
  case K::At:
    return {6, B::MatMult};
  default:
    return {};
  }
}

/// Precedence climbing over the left-associative operators.
const Expr *Parser::parseBinary(int minimum) {
  const Token &first = peek();
  const Expr *left = parseFactor();
  while (left) {
    BinaryRow row = binaryRow(kind());
    if (row.precedence < minimum)
      return left;
    take();
    const Expr *right = parseBinary(row.precedence + 1);
    if (!right)
      return nullptr;
    left = make<BinOp>(rangeFrom(first), left, row.op, right);
  }
  return nullptr;
}

const Expr *Parser::parseFactor() {
  UnaryOperator op;
  if (at(K::Plus))
    op = UnaryOperator::UAdd;
  else if (at(K::Minus))
    op = UnaryOperator::USub;
  else if (at(K::Tilde))
    op = UnaryOperator::Invert;
  else
    return parsePower();
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  const Token &first = take();
  const Expr *operand = parseFactor();
  if (!operand)
    return nullptr;
  return make<UnaryOp>(rangeFrom(first), op, operand);
}

const Expr *Parser::parsePower() {
  const Token &first = peek();
  const Expr *base = nullptr;
  if (accept(K::KwAwait)) {
    const Expr *value = parsePrimary();
    base = value ? make<Await>(rangeFrom(first), value) : nullptr;
  } else {
    base = parsePrimary();
  }
  if (!base || !at(K::StarStar))
    return base;
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  take();
  const Expr *exponent = parseFactor();
  if (!exponent)
    return nullptr;
  return make<BinOp>(rangeFrom(first), base, BinaryOperator::Pow, exponent);
}

//===----------------------------------------------------------------------===//
// Primaries
//===----------------------------------------------------------------------===//

const Expr *Parser::parsePrimary() {
  const Token &first = peek();
  const Expr *expr = parseAtom();
  while (expr) {
    if (at(K::Dot)) {
      take();
      const Token *name = expectName("attribute name after '.'");
      if (!name)
        return nullptr;
      Identifier attr = identifierOf(*name);
      expr = make<Attribute>(rangeFrom(first), expr, attr, ExprContext::Load);
    } else if (at(K::LeftParen)) {
      CallArguments arguments;
      const Token &open = take();
      if (!parseCallArguments(open, /*allowsGenerator=*/true, arguments))
        return nullptr;
      expr = make<Call>(rangeFrom(first), expr, context.copy(arguments.args),
                        context.copy(arguments.keywords));
    } else if (at(K::LeftBracket)) {
      expr = parseSubscript(first, expr);
    } else {
      return expr;
    }
  }
  return nullptr;
}

const Expr *Parser::parseSubscript(const Token &first, const Expr *value) {
  const Token &open = take();
  const Expr *slice = parseSlices();
  if (!slice || !expectClose(K::RightBracket, open))
    return nullptr;
  return make<Subscript>(rangeFrom(first), value, slice, ExprContext::Load);
}

const Expr *Parser::parseSlices() {
  const Token &first = peek();
  bool isStarred = at(K::Star);
  const Expr *slice = parseSlice();
  if (!slice || (!isStarred && !at(K::Comma)))
    return slice;
  Exprs elements{slice};
  while (accept(K::Comma) && !at(K::RightBracket)) {
    if (!(slice = parseSlice()))
      return nullptr;
    elements.push_back(slice);
  }
  return make<Tuple>(rangeFrom(first), context.copy(elements),
                     ExprContext::Load);
}

/// One subscript: an expression, `*expression`, or lower:upper:step.
const Expr *Parser::parseSlice() {
  const Token &first = peek();
  if (accept(K::Star)) {
    const Expr *value = parseExpression();
    if (!value)
      return nullptr;
    return make<Starred>(rangeFrom(first), value, ExprContext::Load);
  }
  if (at(K::RightBracket))
    return failExpected(ExpectedExpression, "an index",
                        "write ':' to take the whole dimension");
  const Expr *lower = nullptr, *upper = nullptr, *step = nullptr;
  if (!at(K::Colon)) {
    bool isNamed = at(K::Name) && atNext(K::ColonEqual);
    if (!(lower = parseNamedExpression()))
      return nullptr;
    if (isNamed || !at(K::Colon))
      return lower;
  }
  take();
  if (atExpression() && !(upper = parseExpression()))
    return nullptr;
  if (accept(K::Colon) && atExpression() && !(step = parseExpression()))
    return nullptr;
  return make<Slice>(rangeFrom(first), lower, upper, step);
}

const Expr *Parser::parseYield() {
  const Token &first = take();
  if (accept(K::KwFrom)) {
    const Expr *value = parseExpression();
    if (!value)
      return nullptr;
    return make<YieldFrom>(rangeFrom(first), value);
  }
  const Expr *value = nullptr;
  if ((atExpression() || at(K::Star)) && !(value = parseStarExpressions()))
    return nullptr;
  return make<Yield>(rangeFrom(first), value);
}
