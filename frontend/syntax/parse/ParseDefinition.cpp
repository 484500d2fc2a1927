//===- ParseDefinition.cpp - Functions and classes --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// def, class, decorators, and the statements that `async` begins.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

const Stmt *Parser::parseDecorated() {
  Exprs decorators;
  while (accept(K::At)) {
    const Expr *decorator = parseNamedExpression();
    if (!decorator)
      return nullptr;
    if (!accept(K::Newline))
      return failExpected(ExpectedEndOfStatement, "end of line after decorator",
                          "put the definition on the next line");
    decorators.push_back(decorator);
  }
  ExprList list = context.copy(decorators);
  switch (kind()) {
  case K::KwDef:
    return parseFunction(peek(), /*isAsync=*/false, list);
  case K::KwClass:
    return parseClass(list);
  case K::KwAsync:
    return parseAsync(list, /*isDecorated=*/true);
  default:
    return failExpected(ExpectedDefinition,
                        "a function or class after its decorators",
                        "remove the decorators or add the definition");
  }
}

const Stmt *Parser::parseAsync(ExprList decorators, bool isDecorated) {
  const Token &first = take();
  if (at(K::KwDef))
    return parseFunction(first, /*isAsync=*/true, decorators);
  if (at(K::KwFor) && !isDecorated)
    return parseFor(first, /*isAsync=*/true);
  if (at(K::KwWith) && !isDecorated)
    return parseWith(first, /*isAsync=*/true);
  return failExpected(ExpectedDefinition, isDecorated
                                              ? "'def' after 'async'"
                                              : "'def', 'for' or 'with' after "
                                                "'async'");
}

/// At `def`; `first` is `async` or `def`.
const Stmt *Parser::parseFunction(const Token &first, bool isAsync,
                                  ExprList decorators) {
  take();
  const Token *token = expectName("a function name after 'def'");
  if (!token || !expect(K::LeftParen, "after the function name"))
    return nullptr;
  Identifier name = identifierOf(*token);
  const Arguments *args = parseParameters(K::RightParen, /*isAnnotated=*/true);
  if (!args)
    return nullptr;
  take();
  const Expr *returns = nullptr;
  if (accept(K::Arrow) && !(returns = parseExpression()))
    return nullptr;
  StmtList body;
  if (!parseBlock(first, "'def' header", body))
    return nullptr;
  if (isAsync)
    return make<AsyncFunctionDef>(rangeFrom(first), name, args, body,
                                  decorators, returns);
  return make<FunctionDef>(rangeFrom(first), name, args, body, decorators,
                           returns);
}

const Stmt *Parser::parseClass(ExprList decorators) {
  const Token &first = take();
  const Token *token = expectName("a class name after 'class'");
  if (!token)
    return nullptr;
  Identifier name = identifierOf(*token);
  CallArguments arguments;
  if (at(K::LeftParen)) {
    const Token &open = take();
    if (!parseCallArguments(open, /*allowsGenerator=*/false, arguments))
      return nullptr;
  }
  StmtList body;
  if (!parseBlock(first, "'class' header", body))
    return nullptr;
  return make<ClassDef>(rangeFrom(first), name, context.copy(arguments.args),
                        context.copy(arguments.keywords), body, decorators);
}
