//===- ParseImport.cpp - Imports --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// import and from ... import.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

/// Reads `a.b.c`; white space around the dots is not part of the name.
bool Parser::parseDottedName(std::string_view &name) {
  const Token &first = peek();
  std::string joined;
  bool isPlain = true;
  do {
    const Token *part = expectName("a module name");
    if (!part)
      return false;
    if (!joined.empty())
      joined += '.';
    joined += identifierOf(*part);
  } while (accept(K::Dot));
  uint32_t end = tokens[index - 1].end;
  isPlain = text.substr(first.begin, end - first.begin) == joined;
  name = isPlain ? text.substr(first.begin, end - first.begin)
                 : context.copy(std::string_view(joined));
  return true;
}

const Alias *Parser::parseAlias(bool isDotted) {
  const Token &first = peek();
  std::string_view name;
  if (isDotted) {
    if (!parseDottedName(name))
      return nullptr;
  } else {
    const Token *token = expectName("a name to import");
    if (!token)
      return nullptr;
    name = identifierOf(*token);
  }
  Identifier asname;
  if (accept(K::KwAs)) {
    const Token *token = expectName("a name after 'as'");
    if (!token)
      return nullptr;
    asname = identifierOf(*token);
  }
  return make<Alias>(rangeFrom(first), name, asname);
}

const Stmt *Parser::parseImport() {
  const Token &first = take();
  std::vector<const Alias *> names;
  do {
    const Alias *alias = parseAlias(/*isDotted=*/true);
    if (!alias)
      return nullptr;
    names.push_back(alias);
  } while (accept(K::Comma));
  if (at(K::KwFrom))
    return failExpected(InvalidImport, "end of statement",
                        "write 'from module import name'");
  return make<Import>(rangeFrom(first), context.copy(names));
}

const Stmt *Parser::parseImportFrom() {
  const Token &first = take();
  uint32_t level = 0;
  while (at(K::Dot) || at(K::Ellipsis))
    level += take().is(K::Dot) ? 1 : 3;
  std::string_view module;
  if ((level == 0 || !at(K::KwImport)) && !parseDottedName(module))
    return nullptr;
  if (!accept(K::KwImport))
    return failExpected(InvalidImport, "'import' after the module name",
                        "write 'from module import name'");
  std::vector<const Alias *> names;
  if (!parseImportedNames(names))
    return nullptr;
  return make<ImportFrom>(rangeFrom(first), module, context.copy(names), level);
}

bool Parser::parseImportedNames(std::vector<const Alias *> &names) {
  if (at(K::Star)) {
    const Token &star = take();
    names.push_back(make<Alias>(star.range, textOf(star), Identifier()));
    return true;
  }
  const Token &open = peek();
  bool isParenthesized = accept(K::LeftParen);
  do {
    if (isParenthesized && at(K::RightParen) && !names.empty())
      break;
    if (!isParenthesized && at(K::Newline) && !names.empty()) {
      fail(InvalidImport, lastRange(),
           "expected a name after ',', got end of line",
           "remove the comma, or put the names in parentheses");
      return false;
    }
    const Alias *alias = parseAlias(/*isDotted=*/false);
    if (!alias)
      return false;
    names.push_back(alias);
  } while (accept(K::Comma));
  return !isParenthesized || expectClose(K::RightParen, open);
}
