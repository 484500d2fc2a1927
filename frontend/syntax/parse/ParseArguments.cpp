//===- ParseArguments.cpp - Call arguments and parameters -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of calls and class headers; parameters of functions and lambdas.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/ParserImpl.h"

#include <map>

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Call arguments
//===----------------------------------------------------------------------===//

/// Parses up to and including the ')' that closes `open`.
bool Parser::parseCallArguments(const Token &open, bool allowsGenerator,
                                CallArguments &arguments) {
  while (!at(K::RightParen)) {
    if (!parseCallArgument(open, allowsGenerator, arguments))
      return false;
    if (!accept(K::Comma))
      break;
  }
  return expectClose(K::RightParen, open) && checkRepeatedKeywords(arguments);
}

bool Parser::parseCallArgument(const Token &open, bool allowsGenerator,
                               CallArguments &arguments) {
  const Token &first = peek();
  if (accept(K::Star)) {
    const Expr *value = parseExpression();
    if (!value)
      return false;
    if (arguments.hasUnpackedKeywords) {
      fail(PositionalAfterKeyword, rangeFrom(first),
           "'*' argument after a '**' argument",
           "move it in front of the '**' argument");
      return false;
    }
    arguments.args.push_back(
        make<Starred>(rangeFrom(first), value, ExprContext::Load));
    return true;
  }
  if (accept(K::StarStar)) {
    const Expr *value = parseExpression();
    if (!value)
      return false;
    arguments.hasUnpackedKeywords = true;
    arguments.keywords.push_back(
        make<Keyword>(rangeFrom(first), Identifier(), value));
    return true;
  }
  if (atNext(K::Equal) && (at(K::Name) || isKeyword(kind())))
    return parseKeywordArgument(arguments);
  return parsePositionalArgument(open, allowsGenerator, arguments);
}

bool Parser::parseKeywordArgument(CallArguments &arguments) {
  const Token &first = peek();
  const Token *name = expectName("a parameter name before '='");
  if (!name)
    return false;
  take();
  if (at(K::Comma) || at(K::RightParen)) {
    failExpected(ExpectedExpression, "a value after '='");
    return false;
  }
  Identifier arg = identifierOf(*name);
  const Expr *value = parseExpression();
  if (!value)
    return false;
  if (atComprehension()) {
    fail(UnparenthesizedGenerator, rangeFrom(first),
         "a generator expression as keyword argument needs parentheses",
         "put parentheses around it");
    return false;
  }
  arguments.keywords.push_back(make<Keyword>(rangeFrom(first), arg, value));
  return true;
}

bool Parser::parsePositionalArgument(const Token &open, bool allowsGenerator,
                                     CallArguments &arguments) {
  const Token &first = peek();
  const Expr *value = parseNamedExpression();
  if (!value)
    return false;
  if (at(K::Equal)) {
    fail(AssignmentInExpression, join(first.range, peek().range),
         "expected a parameter name before '=', got " + describeExpr(value),
         "write '==' to compare");
    return false;
  }
  if (atComprehension()) {
    bool isFirst = arguments.args.empty() && arguments.keywords.empty();
    ArrayView<const Comprehension *> clauses;
    if (!parseComprehensions(clauses))
      return false;
    if (!isFirst || !allowsGenerator || !at(K::RightParen)) {
      fail(UnparenthesizedGenerator, rangeFrom(first),
           "a generator expression beside other arguments needs parentheses",
           "put parentheses around it");
      return false;
    }
    // The parentheses of the call are those of the generator.
    SourceRange range = join(open.range, peek().range);
    arguments.args.push_back(make<GeneratorExp>(range, value, clauses));
    return true;
  }
  if (!arguments.keywords.empty()) {
    fail(PositionalAfterKeyword, value->range,
         arguments.hasUnpackedKeywords
             ? "positional argument after a '**' argument"
             : "positional argument after a keyword argument",
         "move it in front, or name its parameter");
    return false;
  }
  arguments.args.push_back(value);
  return true;
}

bool Parser::checkRepeatedKeywords(const CallArguments &arguments) {
  if (arguments.keywords.size() < 2)
    return true;
  std::map<Identifier, const Keyword *> seen;
  for (const Keyword *keyword : arguments.keywords) {
    if (keyword->arg.empty())
      continue;
    auto [first, isNew] = seen.insert({keyword->arg, keyword});
    if (isNew)
      continue;
    fail(RepeatedKeyword, keyword->range,
         "keyword argument '" + std::string(keyword->arg) + "' is repeated",
         "remove one of the two",
         {{first->second->range, "the first is here", {}}});
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// What was read of a parameter list.
struct Parser::Parameters {
  std::vector<const Arg *> positionalOnly, positional, keywordOnly;
  Exprs defaults, keywordDefaults;
  const Arg *vararg = nullptr;
  const Arg *kwarg = nullptr;
  bool hasSlash = false, hasStar = false;
  bool isAnnotated = false;
  K close = K::RightParen;
};

/// Parses up to `close`, which stays.
const Arguments *Parser::parseParameters(K close, bool isAnnotated) {
  const Token &first = peek();
  bool isEmpty = at(close);
  Parameters parameters;
  parameters.isAnnotated = isAnnotated;
  parameters.close = close;
  while (!at(close)) {
    if (parameters.kwarg)
      return failHere(InvalidParameter,
                      "expected no parameter after '**" +
                          std::string(parameters.kwarg->arg) + "', got one",
                      "move the '**' parameter to the end");
    if (!parseParameter(parameters))
      return nullptr;
    if (!accept(K::Comma))
      break;
  }
  if (!at(close)) {
    const char *what = isAnnotated ? "',' or ')' after a parameter"
                                   : "',' or ':' after a parameter";
    return failExpected(ExpectedToken, what);
  }
  SourceRange range = isEmpty
                          ? SourceRange{first.range.line, first.range.column,
                                        first.range.line, first.range.column}
                          : rangeFrom(first);
  const Arguments *arguments =
      make<Arguments>(range, context.copy(parameters.positionalOnly),
                      context.copy(parameters.positional), parameters.vararg,
                      context.copy(parameters.keywordOnly),
                      context.copy(parameters.keywordDefaults),
                      parameters.kwarg, context.copy(parameters.defaults));
  return checkDuplicateParameters(*arguments) ? arguments : nullptr;
}

bool Parser::parseParameter(Parameters &parameters) {
  if (at(K::Slash))
    return parseSlashParameter(parameters);
  if (at(K::Star))
    return parseStarParameter(parameters);
  if (at(K::StarStar))
    return parseKeywordsParameter(parameters);
  return parsePlainParameter(parameters);
}

const Arg *Parser::parseParameterName(const Parameters &parameters,
                                      bool isStarred) {
  const Token &first = peek();
  if (at(K::LeftParen))
    return failHere(InvalidParameter, "expected a parameter name, got '('",
                    "take one parameter and unpack it in the body");
  const Token *name = expectName("a parameter name");
  if (!name)
    return nullptr;
  Identifier arg = identifierOf(*name);
  const Expr *annotation = nullptr;
  if (parameters.isAnnotated && accept(K::Colon)) {
    annotation =
        isStarred && at(K::Star) ? parseStarExpression() : parseExpression();
    if (!annotation)
      return nullptr;
  }
  return make<Arg>(rangeFrom(first), arg, annotation);
}

bool Parser::parsePlainParameter(Parameters &parameters) {
  const Arg *arg = parseParameterName(parameters, /*isStarred=*/false);
  if (!arg)
    return false;
  const Expr *value = nullptr;
  if (accept(K::Equal)) {
    if (at(K::Comma) || at(parameters.close)) {
      failExpected(ExpectedExpression, "a default value after '='");
      return false;
    }
    if (!(value = parseExpression()))
      return false;
  }
  if (parameters.hasStar) {
    parameters.keywordOnly.push_back(arg);
    parameters.keywordDefaults.push_back(value);
    return true;
  }
  if (!value && !parameters.defaults.empty()) {
    fail(DefaultOrder, arg->range,
         "parameter '" + std::string(arg->arg) +
             "' without default follows one with default",
         "give it a default or move it to the front");
    return false;
  }
  parameters.positional.push_back(arg);
  if (value)
    parameters.defaults.push_back(value);
  return true;
}

bool Parser::parseSlashParameter(Parameters &parameters) {
  const char *problem = nullptr;
  if (parameters.hasSlash)
    problem = "'/' may appear only once in a parameter list";
  else if (parameters.hasStar)
    problem = "'/' must come before '*' in a parameter list";
  else if (parameters.positional.empty())
    problem = "expected a parameter before '/', got none";
  if (problem) {
    failHere(InvalidParameter, problem,
             "'/' ends the parameters that are passed by position only");
    return false;
  }
  take();
  parameters.hasSlash = true;
  parameters.positionalOnly.swap(parameters.positional);
  return true;
}

bool Parser::parseStarParameter(Parameters &parameters) {
  if (parameters.hasStar) {
    failHere(InvalidParameter, "'*' may appear only once in a parameter list",
             "remove the second '*'");
    return false;
  }
  take();
  parameters.hasStar = true;
  bool isBare = at(K::Comma) || at(parameters.close);
  if (isBare) {
    K after = at(K::Comma) ? peek(1).kind : kind();
    if (after == parameters.close || after == K::StarStar) {
      failHere(InvalidParameter,
               "expected named parameters after '*', got none",
               "remove the '*' or add parameters after it");
      return false;
    }
    return true;
  }
  parameters.vararg = parseParameterName(parameters, /*isStarred=*/true);
  if (parameters.vararg && at(K::Equal)) {
    failHere(InvalidParameter, "a '*' parameter cannot have a default",
             "it is empty when no further arguments are given");
    return false;
  }
  return parameters.vararg != nullptr;
}

bool Parser::parseKeywordsParameter(Parameters &parameters) {
  take();
  parameters.kwarg = parseParameterName(parameters, /*isStarred=*/false);
  if (parameters.kwarg && at(K::Equal)) {
    failHere(InvalidParameter, "a '**' parameter cannot have a default",
             "it is empty when no further arguments are given");
    return false;
  }
  return parameters.kwarg != nullptr;
}

bool Parser::checkDuplicateParameters(const Arguments &arguments) {
  std::map<Identifier, const Arg *> seen;
  auto check = [&](const Arg *arg) {
    auto [first, isNew] = seen.insert({arg->arg, arg});
    if (isNew)
      return true;
    fail(DuplicateParameter, arg->range,
         "duplicate parameter '" + std::string(arg->arg) + "'",
         "give each parameter its own name",
         {{first->second->range, "the first is here", {}}});
    return false;
  };
  for (auto list :
       {arguments.posonlyargs, arguments.args, arguments.kwonlyargs})
    for (const Arg *arg : list)
      if (!check(arg))
        return false;
  return (!arguments.vararg || check(arguments.vararg)) &&
         (!arguments.kwarg || check(arguments.kwarg));
}
