//===- ParseMatch.cpp - The match statement ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `match` and `case` are names elsewhere, so the statement is recognised by
// what follows.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

/// `match x` can be nothing else; `match (x)`, `match -x` and the like are
/// statements when they read `match subject:` up to the end of the line.
bool Parser::atMatchStatement() {
  if (!atSoftKeyword("match"))
    return false;
  switch (peek(1).kind) {
  case K::LeftParen:
  case K::LeftBracket:
  case K::Plus:
  case K::Minus:
  case K::Star:
  case K::KwNot:
    break;
  default:
    return startsExpression(peek(1).kind);
  }
  size_t start = index;
  Reporter::Mute mute(reporter);
  take();
  bool isMatch = parseSubject() && at(K::Colon) && atNext(K::Newline);
  index = start;
  return isMatch;
}

const Expr *Parser::parseSubject() {
  const Token &first = peek();
  const Expr *subject = parseStarNamedExpression();
  if (!subject || (!at(K::Comma) && !isNode<Starred>(subject)))
    return subject;
  if (!at(K::Comma))
    return failExpected(ExpectedToken, "',' after a starred subject");
  Exprs elements{subject};
  if (!parseElements(K::Colon, elements))
    return nullptr;
  return make<Tuple>(rangeFrom(first), context.copy(elements),
                     ExprContext::Load);
}

const Stmt *Parser::parseMatch() {
  const Token &first = take();
  const Expr *subject = parseSubject();
  if (!subject)
    return nullptr;
  if (!accept(K::Colon)) {
    failExpected(ExpectedColon, "':' after 'match' subject");
    // A forgotten colon at the end of the line leaves the cases usable.
    if (!at(K::Newline) || !atNext(K::Indent))
      return nullptr;
  }
  if (!accept(K::Newline))
    return failExpected(ExpectedEndOfStatement,
                        "end of line after 'match' header",
                        "put each 'case' on a line of its own");
  std::vector<const MatchCase *> cases;
  if (!at(K::Indent)) {
    failExpected(ExpectedBlock, "an indented 'case' after 'match'",
                 "indent the cases below it");
    // A `case` in the wrong column is skipped, other lines are not.
    if (atSoftKeyword("case"))
      return nullptr;
    return make<Match>(rangeFrom(first), subject, context.copy(cases));
  }
  take();
  while (!at(K::Dedent) && !at(K::EndOfFile) && !reporter.stopped()) {
    const MatchCase *one = parseCase();
    if (one)
      cases.push_back(one);
    else
      synchronize(/*isCompound=*/true);
  }
  lastFailed = false;
  accept(K::Dedent);
  return make<Match>(rangeFrom(first), subject, context.copy(cases));
}

const MatchCase *Parser::parseCase() {
  const Token &first = peek();
  if (!atSoftKeyword("case"))
    return failExpected(ExpectedToken, "'case' inside 'match'");
  take();
  const Pattern *pattern = parsePatterns();
  if (!pattern)
    return nullptr;
  const Expr *guard = nullptr;
  if (accept(K::KwIf) && !(guard = parseNamedExpression()))
    return nullptr;
  StmtList body;
  if (!parseBlock(first, "'case' pattern", body))
    return nullptr;
  return make<MatchCase>(rangeFrom(first), pattern, guard, body);
}
