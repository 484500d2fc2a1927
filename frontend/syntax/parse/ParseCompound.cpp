//===- ParseCompound.cpp - Compound statements ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, conditionals, loops, with, try; ParseDefinition.cpp has functions
// and classes.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

const Stmt *Parser::parseCompound() {
  const Token &first = peek();
  switch (kind()) {
  case K::At:
    return parseDecorated();
  case K::KwAsync:
    return parseAsync({}, /*isDecorated=*/false);
  case K::KwClass:
    return parseClass({});
  case K::KwDef:
    return parseFunction(first, /*isAsync=*/false, {});
  case K::KwFor:
    return parseFor(first, /*isAsync=*/false);
  case K::KwIf:
    return parseIf();
  case K::KwTry:
    return parseTry();
  case K::KwWhile:
    return parseWhile();
  default:
    return parseWith(first, /*isAsync=*/false);
  }
}

//===----------------------------------------------------------------------===//
// Blocks and recovery
//===----------------------------------------------------------------------===//

/// Takes an indent, the statements in it, and the dedent.
void Parser::parseIndented(Stmts &body) {
  take();
  lastFailed = false;
  while (!at(K::Dedent) && !at(K::EndOfFile) && !reporter.stopped())
    parseStatement(body);
  lastFailed = false;
  accept(K::Dedent);
}

void Parser::synchronize(bool isCompound) {
  while (kind() > K::Dedent)
    take();
  accept(K::Newline);
  lastFailed = isCompound || at(K::Indent);
  if (at(K::Indent) && !reporter.stopped()) {
    Nesting nesting(*this);
    Stmts ignored;
    if (nesting)
      parseIndented(ignored);
    lastFailed = true;
  }
}

bool Parser::parseBlock(const Token &header, const std::string &what,
                        StmtList &body) {
  if (!accept(K::Colon)) {
    if (at(K::Equal)) {
      failHere(AssignmentInExpression,
               "expected ':' after " + what + ", got '='",
               "write '==' to compare");
      return false;
    }
    failExpected(ExpectedColon, "':' after " + what);
    // A forgotten colon at the end of the line leaves the block usable.
    if (!at(K::Newline) || peek().is(K::Error))
      return false;
  }
  Stmts statements;
  if (!accept(K::Newline)) {
    parseSimpleLine(statements);
    body = context.copy(statements);
    lastFailed = false;
    return true;
  }
  if (!at(K::Indent)) {
    failHere(ExpectedBlock, "expected an indented block after " + what,
             "indent the lines that belong to it, or write 'pass'",
             {{header.range, "it starts here", {}}});
    return true;
  }
  parseIndented(statements);
  body = context.copy(statements);
  return true;
}

/// A clause such as `else` whose statement is missing. When that statement was
/// broken, the clause itself is no error, but what it holds is still checked.
void Parser::parseOrphanClause(bool isExpected) {
  const Token &first = peek();
  bool isFine = isExpected;
  StmtList ignored;
  if (!isExpected) {
    failHere(MisplacedKeyword,
             "'" + std::string(textOf(first)) +
                 "' without a statement that it continues",
             "align it with its if, for, while or try");
  } else if (at(K::KwElse)) {
    isFine = parseElse(ignored);
  } else if (at(K::KwExcept)) {
    isFine = parseHandler(atNext(K::Star)) != nullptr;
  } else {
    std::string what = "'" + std::string(textOf(take())) + "' header";
    isFine = (first.is(K::KwFinally) || parseNamedExpression()) &&
             parseBlock(first, what, ignored);
  }
  if (isFine)
    lastFailed = true;
  else
    synchronize(/*isCompound=*/true);
}

bool Parser::parseElse(StmtList &orelse) {
  if (!at(K::KwElse))
    return true;
  const Token &header = take();
  if (at(K::KwIf)) {
    failExpected(ExpectedColon, "':' after 'else'", "write 'elif'");
    return false;
  }
  return parseBlock(header, "'else'", orelse);
}

//===----------------------------------------------------------------------===//
// if, while, for
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseIf() {
  struct Clause {
    const Token *first;
    const Expr *test;
    StmtList body;
  };
  std::vector<Clause> clauses;
  do {
    const Token &first = take();
    std::string what = "'" + std::string(textOf(first)) + "' condition";
    const Expr *test = parseNamedExpression();
    StmtList body;
    if (!test || !parseBlock(first, what, body))
      return nullptr;
    clauses.push_back({&first, test, body});
  } while (at(K::KwElif));
  StmtList orelse;
  if (!parseElse(orelse))
    return nullptr;
  // Each elif is an If in the orelse of the one before it.
  const Stmt *result = nullptr;
  for (size_t i = clauses.size(); i-- > 0;) {
    const Clause &clause = clauses[i];
    result =
        make<If>(rangeFrom(*clause.first), clause.test, clause.body, orelse);
    orelse = context.copy(&result, 1);
  }
  return result;
}

const Stmt *Parser::parseWhile() {
  const Token &first = take();
  const Expr *test = parseNamedExpression();
  StmtList body, orelse;
  if (!test || !parseBlock(first, "'while' condition", body) ||
      !parseElse(orelse))
    return nullptr;
  return make<While>(rangeFrom(first), test, body, orelse);
}

/// At `for`; `first` is `async` or `for`.
const Stmt *Parser::parseFor(const Token &first, bool isAsync) {
  take();
  const Expr *target = parseForTargets();
  if (!target || !expect(K::KwIn, "after the loop target"))
    return nullptr;
  const Expr *iter = parseStarExpressions();
  StmtList body, orelse;
  if (!iter || !parseBlock(first, "'for' header", body) || !parseElse(orelse))
    return nullptr;
  if (isAsync)
    return make<AsyncFor>(rangeFrom(first), target, iter, body, orelse);
  return make<For>(rangeFrom(first), target, iter, body, orelse);
}

//===----------------------------------------------------------------------===//
// with
//===----------------------------------------------------------------------===//

const WithItem *Parser::parseWithItem() {
  const Token &first = peek();
  const Expr *value = parseExpression();
  if (!value)
    return nullptr;
  const Expr *target = nullptr;
  if (accept(K::KwAs)) {
    const Expr *expr = parseStarExpression();
    target = expr ? toTarget(expr, TargetUse::With) : nullptr;
    if (!target)
      return nullptr;
  }
  return make<WithItem>(rangeFrom(first), value, target);
}

/// Tries `( item, item )` in front of ':'; false, with nothing taken, when the
/// parenthesis turns out to be part of an expression.
bool Parser::tryParenthesizedItems(std::vector<const WithItem *> &items) {
  if (!at(K::LeftParen))
    return false;
  size_t start = index;
  Reporter::Mute mute(reporter);
  take();
  bool isFine = true;
  do {
    if (at(K::RightParen) && !items.empty())
      break;
    const WithItem *item = parseWithItem();
    isFine = item != nullptr;
    items.push_back(item);
  } while (isFine && accept(K::Comma));
  if (isFine && accept(K::RightParen) && at(K::Colon))
    return true;
  index = start;
  items.clear();
  return false;
}

bool Parser::parseWithItems(std::vector<const WithItem *> &items) {
  if (tryParenthesizedItems(items))
    return true;
  do {
    const WithItem *item = parseWithItem();
    if (!item)
      return false;
    items.push_back(item);
  } while (accept(K::Comma));
  return true;
}

const Stmt *Parser::parseWith(const Token &first, bool isAsync) {
  take();
  std::vector<const WithItem *> items;
  StmtList body;
  if (!parseWithItems(items) || !parseBlock(first, "'with' header", body))
    return nullptr;
  if (isAsync)
    return make<AsyncWith>(rangeFrom(first), context.copy(items), body);
  return make<With>(rangeFrom(first), context.copy(items), body);
}

//===----------------------------------------------------------------------===//
// try
//===----------------------------------------------------------------------===//

const ExceptHandler *Parser::parseHandler(bool isStar) {
  const Token &first = peek(0);
  take();
  if (isStar)
    take();
  const Expr *type = nullptr;
  Identifier name;
  if (!at(K::Colon) || isStar) {
    if (!(type = parseExpression()))
      return nullptr;
    if (at(K::Comma))
      return failHere(UnparenthesizedExceptTypes,
                      "several exception types need parentheses",
                      "write 'except (A, B)', or 'except A as name'");
    if (accept(K::KwAs)) {
      const Token *token = expectName("a name after 'as'");
      if (!token)
        return nullptr;
      name = identifierOf(*token);
    }
  }
  StmtList body;
  if (!parseBlock(first, "'except' header", body))
    return nullptr;
  return make<ExceptHandler>(rangeFrom(first), type, name, body);
}

bool Parser::parseHandlers(std::vector<const ExceptHandler *> &handlers,
                           bool &isStar) {
  while (at(K::KwExcept)) {
    const Token &first = peek();
    bool isStarHere = atNext(K::Star);
    if (!handlers.empty() && isStarHere != isStar) {
      failHere(MixedExceptKinds,
               "'except' and 'except*' cannot be mixed in one 'try'",
               "use one kind throughout");
      return false;
    }
    if (!handlers.empty() && !handlers.back()->type) {
      fail(BareExceptNotLast, handlers.back()->range,
           "expected 'except:' without a type to be the last handler",
           "move it to the end",
           {{first.range, "this handler is never reached", {}}});
      return false;
    }
    isStar = isStarHere;
    const ExceptHandler *handler = parseHandler(isStar);
    if (!handler)
      return false;
    handlers.push_back(handler);
  }
  return true;
}

const Stmt *Parser::parseTry() {
  const Token &first = take();
  StmtList body, orelse, finalbody;
  std::vector<const ExceptHandler *> handlers;
  bool isStar = false;
  if (!parseBlock(first, "'try'", body) || !parseHandlers(handlers, isStar))
    return nullptr;
  if (!handlers.empty() && !parseElse(orelse))
    return nullptr;
  if (at(K::KwFinally)) {
    const Token &header = take();
    if (!parseBlock(header, "'finally'", finalbody))
      return nullptr;
  } else if (handlers.empty()) {
    return failExpected(TryWithoutHandler, "'except' or 'finally' after 'try'",
                        "add a handler, or remove the 'try'",
                        {{first.range, "'try' is here", {}}});
  }
  if (isStar)
    return make<TryStar>(rangeFrom(first), body, context.copy(handlers), orelse,
                         finalbody);
  return make<Try>(rangeFrom(first), body, context.copy(handlers), orelse,
                   finalbody);
}
