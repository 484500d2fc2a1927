//===- ParseStatement.cpp - Simple statements -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statement loop with its recovery, assignments, and the other statements
// of one line; ParseImport.cpp has imports.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// The statement loop
//===----------------------------------------------------------------------===//

void Parser::parseStatement(Stmts &body) {
  Nesting nesting(*this);
  if (!nesting)
    return;
  bool afterFailure = lastFailed;
  lastFailed = false;
  switch (kind()) {
  case K::Newline:
  case K::Dedent:
    take();
    return;
  case K::Indent:
    failHere(UnexpectedIndent, "unexpected indent",
             "align the line with the block it belongs to");
    parseIndented(body);
    return;
  case K::KwElif:
  case K::KwElse:
  case K::KwExcept:
  case K::KwFinally:
    parseOrphanClause(afterFailure);
    return;
  case K::At:
  case K::KwAsync:
  case K::KwClass:
  case K::KwDef:
  case K::KwFor:
  case K::KwIf:
  case K::KwTry:
  case K::KwWhile:
  case K::KwWith: {
    const Stmt *stmt = parseCompound();
    if (stmt && !reporter.stopped())
      body.push_back(stmt);
    else
      synchronize(/*isCompound=*/true);
    return;
  }
  default:
    break;
  }
  if (!atMatchStatement())
    return parseSimpleLine(body);
  const Stmt *stmt = parseMatch();
  if (stmt && !reporter.stopped())
    body.push_back(stmt);
  else
    synchronize(/*isCompound=*/true);
}

void Parser::parseSimpleLine(Stmts &body) {
  for (;;) {
    const Token &first = peek();
    const Stmt *stmt = parseSimple();
    bool isDone = stmt && (at(K::Semicolon) || at(K::Newline));
    if (stmt && !isDone)
      failEndOfStatement(first);
    if (!isDone || reporter.stopped())
      return synchronize(/*isCompound=*/false);
    body.push_back(stmt);
    accept(K::Semicolon);
    if (accept(K::Newline))
      return;
  }
}

/// Explains what follows a complete statement on its line.
std::nullptr_t Parser::failEndOfStatement(const Token &first) {
  std::string_view word = textOf(first);
  bool isNext = &first + 1 == &peek();
  if (isNext && (word == "print" || word == "exec"))
    return failHere(LegacyStatement,
                    "expected '(' after '" + std::string(word) + "', got " +
                        describe(peek()),
                    "it is a function in Python 3: " + std::string(word) +
                        "(...)");
  if (at(K::ColonEqual))
    return failHere(InvalidNamedExpression, "':=' outside parentheses",
                    "write '=' to assign in a statement");
  if (at(K::Colon))
    return failExpected(ExpectedEndOfStatement, "end of statement",
                        isKeyword(first.kind)
                            ? std::string()
                            : "only compound statements such as 'if' and 'for' "
                              "end with a colon");
  std::string hint;
  if (atExpression())
    hint = "an operator, a comma or a new line may be missing before it";
  return failExpected(ExpectedEndOfStatement, "end of statement", hint);
}

const Stmt *Parser::parseSimple() {
  const Token &first = peek();
  switch (kind()) {
  case K::KwReturn:
    return parseReturn();
  case K::KwPass:
    return make<Pass>(take().range);
  case K::KwBreak:
    return make<Break>(take().range);
  case K::KwContinue:
    return make<Continue>(take().range);
  case K::KwDel:
    return parseDelete();
  case K::KwRaise:
    return parseRaise();
  case K::KwAssert:
    return parseAssert();
  case K::KwImport:
    return parseImport();
  case K::KwFrom:
    return parseImportFrom();
  case K::KwGlobal:
    return parseNameDeclaration<Global>();
  case K::KwNonlocal:
    return parseNameDeclaration<Nonlocal>();
  case K::KwFor:
  case K::KwIf:
  case K::KwWhile:
  case K::KwWith:
  case K::KwTry:
  case K::KwDef:
  case K::KwClass:
    return failHere(MisplacedKeyword,
                    "'" + std::string(textOf(first)) +
                        "' cannot share a line with another statement",
                    "start it on a line of its own");
  default:
    return parseExpressionStatement();
  }
}

//===----------------------------------------------------------------------===//
// Expressions and assignments
//===----------------------------------------------------------------------===//

const Expr *Parser::parseRightSide() {
  return at(K::KwYield) ? parseYield() : parseStarExpressions();
}

std::optional<BinaryOperator> Parser::atAugmentedAssignment() const {
  using B = BinaryOperator;
  switch (kind()) {
  case K::PlusEqual:
    return B::Add;
  case K::MinusEqual:
    return B::Sub;
  case K::StarEqual:
    return B::Mult;
  case K::AtEqual:
    return B::MatMult;
  case K::SlashEqual:
    return B::Div;
  case K::PercentEqual:
    return B::Mod;
  case K::AmpersandEqual:
    return B::BitAnd;
  case K::PipeEqual:
    return B::BitOr;
  case K::CaretEqual:
    return B::BitXor;
  case K::LessLessEqual:
    return B::LShift;
  case K::GreaterGreaterEqual:
    return B::RShift;
  case K::StarStarEqual:
    return B::Pow;
  case K::SlashSlashEqual:
    return B::FloorDiv;
  default:
    return std::nullopt;
  }
}

const Stmt *Parser::parseExpressionStatement() {
  const Token &first = peek();
  const Expr *value = parseRightSide();
  if (!value)
    return nullptr;
  if (at(K::Equal))
    return parseAssignment(first, value);
  if (at(K::Colon) && !isNode<Yield>(value))
    return parseAnnotation(first, value);
  if (atAugmentedAssignment())
    return parseAugmented(first, value);
  return make<ExprStmt>(rangeFrom(first), value);
}

const Stmt *Parser::parseAssignment(const Token &first, const Expr *value) {
  Exprs targets;
  while (accept(K::Equal)) {
    if (auto *starred = asNode<Starred>(value))
      return fail(InvalidStarred, starred->range,
                  "a starred target must stand in a tuple or list",
                  "add a comma, as in '*x, = values'");
    const Expr *target = toTarget(value, TargetUse::Assign);
    if (!target)
      return nullptr;
    targets.push_back(target);
    if (at(K::Newline) || at(K::Semicolon))
      return failExpected(ExpectedExpression, "a value after '='");
    if (!(value = parseRightSide()))
      return nullptr;
  }
  if (atAugmentedAssignment())
    return failHere(InvalidAugmentedTarget,
                    "an augmented assignment cannot be part of a chain",
                    "write it as a statement of its own");
  return make<Assign>(rangeFrom(first), context.copy(targets), value);
}

const Stmt *Parser::parseAnnotation(const Token &first, const Expr *value) {
  bool isSingle = isNode<Name>(value) || isNode<Attribute>(value) ||
                  isNode<Subscript>(value);
  if (!isSingle) {
    // `else if x:` and such: a keyword-like name with a colon is no target.
    if (atNext(K::Newline))
      return failEndOfStatement(first);
    return fail(InvalidAnnotationTarget, value->range,
                "cannot annotate " + describeExpr(value),
                "annotate a single name, attribute or subscript");
  }
  if (atNext(K::Newline))
    return failEndOfStatement(first);
  bool isSimple = isNode<Name>(value) && !first.is(K::LeftParen);
  const Expr *target = toTarget(value, TargetUse::Assign);
  take();
  const Expr *annotation = parseExpression();
  if (!annotation)
    return nullptr;
  const Expr *assigned = nullptr;
  if (accept(K::Equal) && !(assigned = parseRightSide()))
    return nullptr;
  return make<AnnAssign>(rangeFrom(first), target, annotation, assigned,
                         isSimple);
}

const Stmt *Parser::parseAugmented(const Token &first, const Expr *value) {
  BinaryOperator op = *atAugmentedAssignment();
  bool isSingle = isNode<Name>(value) || isNode<Attribute>(value) ||
                  isNode<Subscript>(value);
  if (!isSingle)
    return fail(InvalidAugmentedTarget, value->range,
                "cannot assign to " + describeExpr(value) + " with '" +
                    std::string(textOf(peek())) + "'",
                "use a single name, attribute or subscript");
  take();
  const Expr *target = toTarget(value, TargetUse::Assign);
  const Expr *operand = parseRightSide();
  if (!operand)
    return nullptr;
  return make<AugAssign>(rangeFrom(first), target, op, operand);
}

//===----------------------------------------------------------------------===//
// Keyword statements
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseReturn() {
  const Token &first = take();
  const Expr *value = nullptr;
  if (!at(K::Newline) && !at(K::Semicolon) && !(value = parseStarExpressions()))
    return nullptr;
  return make<Return>(rangeFrom(first), value);
}

const Stmt *Parser::parseDelete() {
  const Token &first = take();
  if (at(K::Newline) || at(K::Semicolon))
    return failExpected(ExpectedExpression, "what to delete after 'del'");
  Exprs targets;
  do {
    const Expr *expr = parseStarExpression();
    const Expr *target = expr ? toTarget(expr, TargetUse::Delete) : nullptr;
    if (!target)
      return nullptr;
    targets.push_back(target);
  } while (accept(K::Comma) && !at(K::Newline) && !at(K::Semicolon));
  return make<Delete>(rangeFrom(first), context.copy(targets));
}

const Stmt *Parser::parseRaise() {
  const Token &first = take();
  const Expr *exc = nullptr, *cause = nullptr;
  if (!at(K::Newline) && !at(K::Semicolon)) {
    if (!(exc = parseExpression()))
      return nullptr;
    if (accept(K::KwFrom) && !(cause = parseExpression()))
      return nullptr;
    if (at(K::Comma))
      return failExpected(LegacyStatement, "end of statement",
                          "write 'raise Error(message)'");
  }
  return make<Raise>(rangeFrom(first), exc, cause);
}

const Stmt *Parser::parseAssert() {
  const Token &first = take();
  const Expr *msg = nullptr;
  const Expr *test = parseExpression();
  if (!test || (accept(K::Comma) && !(msg = parseExpression())))
    return nullptr;
  return make<Assert>(rangeFrom(first), test, msg);
}

template <typename T> const Stmt *Parser::parseNameDeclaration() {
  const Token &first = take();
  std::vector<Identifier> names;
  do {
    const Token *name =
        expectName("a name after '" + std::string(textOf(first)) + "'");
    if (!name)
      return nullptr;
    names.push_back(identifierOf(*name));
  } while (accept(K::Comma));
  return make<T>(rangeFrom(first), context.copy(names));
}
