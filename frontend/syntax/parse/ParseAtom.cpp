//===- ParseAtom.cpp - Names, literals and displays -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms: names, constants, parentheses, lists, sets, dicts, comprehensions.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/NumberLiteral.h"
#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

ConstantValue syntax::singletonValue(TokenKind keyword) {
  ConstantValue value;
  if (keyword == TokenKind::KwNone)
    return value;
  value.kind = ConstantKind::Bool;
  value.boolean = keyword == TokenKind::KwTrue;
  return value;
}

const Expr *Parser::parseAtom() {
  switch (kind()) {
  case K::Name: {
    const Token &token = take();
    return make<Name>(token.range, identifierOf(token), ExprContext::Load);
  }
  case K::Number:
    return parseNumber();
  case K::String:
    return parseStrings();
  case K::KwNone:
  case K::KwTrue:
  case K::KwFalse: {
    const Token &token = take();
    return make<Constant>(token.range, singletonValue(token.kind), false);
  }
  case K::Ellipsis: {
    ConstantValue value;
    value.kind = ConstantKind::Ellipsis;
    return make<Constant>(take().range, value, false);
  }
  case K::LeftParen:
    return parseParenthesized();
  case K::LeftBracket:
    return parseList();
  case K::LeftBrace:
    return parseBraces();
  case K::Star:
    return failHere(InvalidStarred, "a starred expression cannot stand here",
                    "unpack inside a call, a tuple, a list or a set");
  case K::KwYield:
    return failHere(ExpectedExpression, "expected an expression, got 'yield'",
                    "put parentheses around the yield expression");
  case K::KwIf:
  case K::KwElse:
  case K::KwFor:
  case K::KwIn:
    return failExpected(ExpectedExpression, "an expression");
  default:
    return failExpected(ExpectedExpression, "an expression",
                        isKeyword(kind())
                            ? "'" + std::string(textOf(peek())) +
                                  "' is a keyword and has no value"
                            : std::string());
  }
}

const Expr *Parser::parseNumber() {
  const Token &token = take();
  std::optional<ConstantValue> value = numberValue(textOf(token), context);
  if (!value)
    return fail(IntegerTooLarge, token.range,
                "expected an integer of at most 4300 decimal digits, got more",
                "compute the number from smaller ones");
  return make<Constant>(token.range, *value, false);
}

//===----------------------------------------------------------------------===//
// Displays
//===----------------------------------------------------------------------===//

/// Parses `, element, element` up to the closing bracket, which stays.
bool Parser::parseElements(K close, Exprs &elements) {
  while (accept(K::Comma) && !at(close)) {
    const Expr *element = parseStarNamedExpression();
    if (!element)
      return false;
    elements.push_back(element);
  }
  if (!atComprehension() || elements.size() < 2)
    return true;
  SourceRange range = join(elements.front()->range, elements.back()->range);
  fail(InvalidComprehension, range,
       "expected one element before 'for', got several",
       "put parentheses around the elements to make a tuple");
  return false;
}

/// The element of a comprehension must not be starred.
bool Parser::checkElement(const Expr *element) {
  if (!isNode<Starred>(element))
    return true;
  fail(InvalidComprehension, element->range,
       "a comprehension cannot unpack its elements",
       "add a second 'for' that runs over the inner elements");
  return false;
}

const Expr *Parser::parseParenthesized() {
  const Token &open = take();
  if (accept(K::RightParen))
    return make<Tuple>(rangeFrom(open), ExprList(), ExprContext::Load);
  if (at(K::KwYield)) {
    const Expr *yield = parseYield();
    return yield && expectClose(K::RightParen, open) ? yield : nullptr;
  }
  const Expr *first = parseStarNamedExpression();
  if (!first)
    return nullptr;
  if (atComprehension()) {
    ArrayView<const Comprehension *> clauses;
    if (!checkElement(first) || !parseComprehensions(clauses) ||
        !expectClose(K::RightParen, open))
      return nullptr;
    return make<GeneratorExp>(rangeFrom(open), first, clauses);
  }
  if (at(K::Comma)) {
    Exprs elements{first};
    if (!parseElements(K::RightParen, elements) ||
        !expectClose(K::RightParen, open))
      return nullptr;
    return make<Tuple>(rangeFrom(open), context.copy(elements),
                       ExprContext::Load);
  }
  if (!expectClose(K::RightParen, open))
    return nullptr;
  if (isNode<Starred>(first))
    return fail(InvalidStarred, first->range,
                "a starred expression cannot stand alone in parentheses",
                "add a comma to make a tuple, as in (*x,)");
  return first;
}

const Expr *Parser::parseList() {
  const Token &open = take();
  Exprs elements;
  if (!at(K::RightBracket)) {
    const Expr *first = parseStarNamedExpression();
    if (!first)
      return nullptr;
    if (atComprehension()) {
      ArrayView<const Comprehension *> clauses;
      if (!checkElement(first) || !parseComprehensions(clauses) ||
          !expectClose(K::RightBracket, open))
        return nullptr;
      return make<ListComp>(rangeFrom(open), first, clauses);
    }
    elements.push_back(first);
    if (!parseElements(K::RightBracket, elements))
      return nullptr;
  }
  if (!expectClose(K::RightBracket, open))
    return nullptr;
  return make<List>(rangeFrom(open), context.copy(elements), ExprContext::Load);
}

const Expr *Parser::parseBraces() {
  const Token &open = take();
  if (at(K::RightBrace) || at(K::StarStar))
    return parseDict(open, nullptr);
  bool isNamed = at(K::Name) && atNext(K::ColonEqual);
  const Expr *first = parseStarNamedExpression();
  if (!first)
    return nullptr;
  if (!at(K::Colon) || isNamed || isNode<Starred>(first))
    return parseSetRest(open, first);
  return parseDict(open, first);
}

const Expr *Parser::parseSetRest(const Token &open, const Expr *first) {
  if (atComprehension()) {
    ArrayView<const Comprehension *> clauses;
    if (!checkElement(first) || !parseComprehensions(clauses) ||
        !expectClose(K::RightBrace, open))
      return nullptr;
    return make<SetComp>(rangeFrom(open), first, clauses);
  }
  Exprs elements{first};
  if (!parseElements(K::RightBrace, elements))
    return nullptr;
  if (at(K::Colon))
    return failExpected(InvalidDict, "',' or '}'",
                        "a set cannot hold 'key: value' pairs");
  if (!expectClose(K::RightBrace, open))
    return nullptr;
  return make<Set>(rangeFrom(open), context.copy(elements));
}

/// `key` is the first key when it was read before it was known to be one.
bool Parser::parseDictEntry(const Expr *key, Exprs &keys, Exprs &values) {
  if (!key && accept(K::StarStar)) {
    const Expr *value = parseBitwiseOr();
    if (!value)
      return false;
    keys.push_back(nullptr);
    values.push_back(value);
    return true;
  }
  if (!key && at(K::Star)) {
    failHere(InvalidDict, "expected a dict key, got '*'",
             "unpack a mapping into a dict with '**'");
    return false;
  }
  if (!key && !(key = parseExpression()))
    return false;
  if (!accept(K::Colon)) {
    failExpected(InvalidDict, "':' after the dict key",
                 "each entry of a dict reads 'key: value'");
    return false;
  }
  if (at(K::RightBrace) || at(K::Comma)) {
    failExpected(InvalidDict, "a value after ':'");
    return false;
  }
  if (at(K::Star)) {
    failHere(InvalidDict, "expected a dict value, got '*'",
             "a starred expression cannot be a dict value");
    return false;
  }
  const Expr *value = parseExpression();
  keys.push_back(key);
  values.push_back(value);
  return value != nullptr;
}

const Expr *Parser::parseDict(const Token &open, const Expr *firstKey) {
  Exprs keys, values;
  while (!at(K::RightBrace)) {
    const Token &first = peek();
    if (!parseDictEntry(firstKey, keys, values))
      return nullptr;
    firstKey = nullptr;
    if (atComprehension() && keys.size() == 1) {
      ArrayView<const Comprehension *> clauses;
      if (!keys[0])
        return fail(InvalidComprehension, rangeFrom(first),
                    "a comprehension cannot unpack its elements",
                    "add a second 'for' that runs over the inner entries");
      if (!parseComprehensions(clauses) || !expectClose(K::RightBrace, open))
        return nullptr;
      return make<DictComp>(rangeFrom(open), keys[0], values[0], clauses);
    }
    if (!accept(K::Comma))
      break;
  }
  if (!expectClose(K::RightBrace, open))
    return nullptr;
  return make<Dict>(rangeFrom(open), context.copy(keys), context.copy(values));
}

//===----------------------------------------------------------------------===//
// Comprehensions
//===----------------------------------------------------------------------===//

bool Parser::parseComprehensions(ArrayView<const Comprehension *> &clauses) {
  std::vector<const Comprehension *> list;
  while (atComprehension()) {
    const Comprehension *clause = parseComprehension();
    if (!clause)
      return false;
    list.push_back(clause);
  }
  clauses = context.copy(list);
  return true;
}

const Comprehension *Parser::parseComprehension() {
  const Token &first = peek();
  bool isAsync = accept(K::KwAsync);
  take();
  const Expr *target = parseForTargets();
  if (!target || !expect(K::KwIn, "after the loop target"))
    return nullptr;
  const Expr *iter = parseDisjunction();
  if (!iter)
    return nullptr;
  Exprs ifs;
  while (accept(K::KwIf)) {
    const Expr *test = parseDisjunction();
    if (!test)
      return nullptr;
    ifs.push_back(test);
  }
  return make<Comprehension>(rangeFrom(first), target, iter, context.copy(ifs),
                             isAsync);
}
