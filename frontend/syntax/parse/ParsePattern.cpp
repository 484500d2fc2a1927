//===- ParsePattern.cpp - Patterns of match statements ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All pattern forms of PEP 634.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Sequences and alternatives
//===----------------------------------------------------------------------===//

const Pattern *Parser::parsePatterns() {
  const Token &first = peek();
  const Pattern *pattern = parseMaybeStarPattern();
  if (!pattern)
    return nullptr;
  if (!at(K::Comma)) {
    if (isNode<MatchStar>(pattern))
      return failExpected(InvalidPattern, "',' after a starred pattern",
                          "a starred pattern must be part of a sequence");
    return pattern;
  }
  std::vector<const Pattern *> patterns{pattern};
  while (accept(K::Comma) && !at(K::Colon) && !at(K::KwIf)) {
    if (!(pattern = parseMaybeStarPattern()))
      return nullptr;
    patterns.push_back(pattern);
  }
  return make<MatchSequence>(rangeFrom(first), context.copy(patterns));
}

const Token *Parser::parseCaptureName(const char *what) {
  const Token *name = expectName(what);
  if (name && (at(K::Dot) || at(K::LeftParen) || at(K::Equal)))
    return failExpected(InvalidPattern, std::string("only ") + what,
                        "a plain name is needed to capture the value");
  return name;
}

const Pattern *Parser::parseMaybeStarPattern() {
  if (!at(K::Star))
    return parsePattern();
  const Token &first = take();
  const Token *name = parseCaptureName("a name after '*'");
  if (!name)
    return nullptr;
  Identifier capture = identifierOf(*name);
  return make<MatchStar>(rangeFrom(first),
                         capture == "_" ? Identifier() : capture);
}

const Pattern *Parser::parsePattern() {
  const Token &first = peek();
  const Pattern *pattern = parseOrPattern();
  if (!pattern || !accept(K::KwAs))
    return pattern;
  const Token *name = parseCaptureName("a name after 'as'");
  if (!name)
    return nullptr;
  Identifier capture = identifierOf(*name);
  if (capture == "_")
    return fail(InvalidPattern, name->range, "cannot capture a pattern as '_'",
                "choose a name, or leave out 'as _'");
  return make<MatchAs>(rangeFrom(first), pattern, capture);
}

const Pattern *Parser::parseOrPattern() {
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  const Token &first = peek();
  const Pattern *pattern = parseClosedPattern();
  if (!pattern || !at(K::Pipe))
    return pattern;
  std::vector<const Pattern *> patterns{pattern};
  while (accept(K::Pipe)) {
    if (!(pattern = parseClosedPattern()))
      return nullptr;
    patterns.push_back(pattern);
  }
  return make<MatchOr>(rangeFrom(first), context.copy(patterns));
}

const Pattern *Parser::parseClosedPattern() {
  switch (kind()) {
  case K::Name:
    return parseNamePattern();
  case K::Number:
  case K::Minus:
  case K::String:
    return parseLiteralPattern();
  case K::KwNone:
  case K::KwTrue:
  case K::KwFalse: {
    const Token &token = take();
    return make<MatchSingleton>(token.range, singletonValue(token.kind));
  }
  case K::LeftParen:
    return parseGroupPattern();
  case K::LeftBracket:
    return parseListPattern();
  case K::LeftBrace:
    return parseMappingPattern();
  default:
    return failExpected(InvalidPattern, "a pattern",
                        "patterns are literals, names, classes with arguments, "
                        "sequences and mappings");
  }
}

/// Parses `, pattern, pattern` up to the closing bracket, which stays.
bool Parser::parsePatternList(K close, std::vector<const Pattern *> &patterns) {
  while (accept(K::Comma) && !at(close)) {
    const Pattern *pattern = parseMaybeStarPattern();
    if (!pattern)
      return false;
    patterns.push_back(pattern);
  }
  return true;
}

const Pattern *Parser::parseGroupPattern() {
  const Token &open = take();
  std::vector<const Pattern *> patterns;
  if (!at(K::RightParen)) {
    const Pattern *pattern = parseMaybeStarPattern();
    if (!pattern)
      return nullptr;
    if (!at(K::Comma)) {
      if (isNode<MatchStar>(pattern))
        return failExpected(InvalidPattern, "',' after a starred pattern",
                            "a starred pattern must be part of a sequence");
      return expectClose(K::RightParen, open) ? pattern : nullptr;
    }
    patterns.push_back(pattern);
    if (!parsePatternList(K::RightParen, patterns))
      return nullptr;
  }
  if (!expectClose(K::RightParen, open))
    return nullptr;
  return make<MatchSequence>(rangeFrom(open), context.copy(patterns));
}

const Pattern *Parser::parseListPattern() {
  const Token &open = take();
  std::vector<const Pattern *> patterns;
  if (!at(K::RightBracket)) {
    const Pattern *pattern = parseMaybeStarPattern();
    if (!pattern)
      return nullptr;
    patterns.push_back(pattern);
    if (!parsePatternList(K::RightBracket, patterns))
      return nullptr;
  }
  if (!expectClose(K::RightBracket, open))
    return nullptr;
  return make<MatchSequence>(rangeFrom(open), context.copy(patterns));
}

//===----------------------------------------------------------------------===//
// Names and classes
//===----------------------------------------------------------------------===//

const Expr *Parser::parseDottedValue() {
  const Token &first = take();
  const Expr *value =
      make<Name>(first.range, identifierOf(first), ExprContext::Load);
  while (accept(K::Dot)) {
    const Token *name = expectName("attribute name after '.'");
    if (!name)
      return nullptr;
    Identifier attr = identifierOf(*name);
    value = make<Attribute>(rangeFrom(first), value, attr, ExprContext::Load);
  }
  return value;
}

const Pattern *Parser::parseNamePattern() {
  const Token &first = peek();
  if (atNext(K::Dot) || atNext(K::LeftParen)) {
    const Expr *value = parseDottedValue();
    if (!value)
      return nullptr;
    if (at(K::LeftParen))
      return parseClassPattern(first, value);
    return make<MatchValue>(rangeFrom(first), value);
  }
  Identifier name = identifierOf(take());
  if (name == "_")
    name = Identifier();
  return make<MatchAs>(first.range, nullptr, name);
}

bool Parser::parseClassArguments(std::vector<const Pattern *> &patterns,
                                 std::vector<Identifier> &names,
                                 std::vector<const Pattern *> &namedPatterns) {
  while (!at(K::RightParen)) {
    bool isNamed = at(K::Name) && atNext(K::Equal);
    const Token &first = peek();
    if (isNamed) {
      names.push_back(identifierOf(take()));
      take();
    }
    const Pattern *pattern = parsePattern();
    if (!pattern)
      return false;
    if (!isNamed && !names.empty()) {
      fail(InvalidPattern, rangeFrom(first),
           "positional pattern after a keyword pattern",
           "move it in front, or name its attribute");
      return false;
    }
    (isNamed ? namedPatterns : patterns).push_back(pattern);
    if (!accept(K::Comma))
      break;
  }
  return true;
}

const Pattern *Parser::parseClassPattern(const Token &first, const Expr *cls) {
  const Token &open = take();
  std::vector<const Pattern *> patterns, namedPatterns;
  std::vector<Identifier> names;
  if (!parseClassArguments(patterns, names, namedPatterns) ||
      !expectClose(K::RightParen, open))
    return nullptr;
  return make<MatchClass>(rangeFrom(first), cls, context.copy(patterns),
                          context.copy(names), context.copy(namedPatterns));
}

//===----------------------------------------------------------------------===//
// Literals and mappings
//===----------------------------------------------------------------------===//

static bool isImaginary(const Expr *expr) {
  auto *constant = asNode<Constant>(expr);
  return constant && constant->value.kind == ConstantKind::Complex;
}

/// `[-] number [(+|-) imaginary]`.
const Expr *Parser::parseLiteralNumber() {
  const Token &first = peek();
  bool isNegative = accept(K::Minus);
  if (!at(K::Number))
    return failExpected(InvalidPattern, "a number after '-'");
  const Expr *left = parseNumber();
  bool isReal = left && !isImaginary(left);
  if (left && isNegative)
    left = make<UnaryOp>(rangeFrom(first), UnaryOperator::USub, left);
  if (!left || (!at(K::Plus) && !at(K::Minus)))
    return left;
  BinaryOperator op =
      take().is(K::Plus) ? BinaryOperator::Add : BinaryOperator::Sub;
  if (!at(K::Number))
    return failExpected(InvalidPattern, "an imaginary number",
                        "patterns do not compute; use a guard, 'if'");
  const Expr *right = parseNumber();
  if (!right)
    return nullptr;
  if (!isReal || !isImaginary(right))
    return fail(InvalidPattern, rangeFrom(first),
                "expected a real and an imaginary part in a complex pattern",
                "patterns do not compute; use a guard, 'if'");
  return make<BinOp>(rangeFrom(first), left, op, right);
}

const Pattern *Parser::parseLiteralPattern() {
  const Token &first = peek();
  const Expr *value = at(K::String) ? parseStrings() : parseLiteralNumber();
  if (!value)
    return nullptr;
  if (isNode<JoinedStr>(value))
    return fail(InvalidPattern, value->range, "a pattern cannot be an f-string",
                "capture the value and compare it in a guard, 'if'");
  return make<MatchValue>(rangeFrom(first), value);
}

const Expr *Parser::parseMappingKey() {
  switch (kind()) {
  case K::Number:
  case K::Minus:
    return parseLiteralNumber();
  case K::String:
    return parseStrings();
  case K::KwNone:
  case K::KwTrue:
  case K::KwFalse:
    return parseAtom();
  default:
    if (at(K::Name) && atNext(K::Dot))
      return parseDottedValue();
    return failExpected(InvalidPattern, "a literal or dotted name as key",
                        "mapping patterns look values up by constant keys");
  }
}

const Pattern *Parser::parseMappingPattern() {
  const Token &open = take();
  Exprs keys;
  std::vector<const Pattern *> patterns;
  Identifier rest;
  while (!at(K::RightBrace)) {
    if (accept(K::StarStar)) {
      const Token *name = parseCaptureName("a name after '**'");
      if (!name)
        return nullptr;
      rest = identifierOf(*name);
      if (rest == "_")
        return fail(InvalidPattern, name->range, "cannot capture as '_'",
                    "leave out '**_': further keys are ignored anyway");
      accept(K::Comma);
      if (!at(K::RightBrace))
        return failExpected(InvalidPattern,
                            "'}' after '**" + std::string(rest) + "'",
                            "move it to the end");
      break;
    }
    const Expr *key = parseMappingKey();
    if (!key)
      return nullptr;
    if (isNode<JoinedStr>(key))
      return fail(InvalidPattern, key->range, "a key cannot be an f-string",
                  "mapping patterns look values up by constant keys");
    if (!expect(K::Colon, "after the key"))
      return nullptr;
    const Pattern *pattern = parsePattern();
    if (!pattern)
      return nullptr;
    keys.push_back(key);
    patterns.push_back(pattern);
    if (!accept(K::Comma))
      break;
  }
  if (!expectClose(K::RightBrace, open))
    return nullptr;
  return make<MatchMapping>(rangeFrom(open), context.copy(keys),
                            context.copy(patterns), rest);
}
