//===- ParseFString.cpp - f-strings -----------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the rules of Python 3.11: an interpolation holds no backslash, no
// comment and no quote of its own string. Interpolated expressions are parsed
// in place, so that their positions are those in the file.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/FStringParser.h"

using namespace tilewright;
using namespace tilewright::syntax;

bool FStringParser::appendFormatted(const Token &part,
                                    const StringParts &parts) {
  token = &part;
  known = part.range;
  knownOffset = part.begin;
  isRaw = parts.isRaw;
  at = part.begin + parts.bodyBegin;
  end = part.begin + parts.bodyEnd;
  return parseParts(0);
}

SourceRange FStringParser::positionOf(uint32_t offset) {
  for (; knownOffset < offset; ++knownOffset) {
    ++known.column;
    if (text[knownOffset] != '\n')
      continue;
    ++known.line;
    known.column = 0;
  }
  return known;
}

void FStringParser::flush(SourceRange where) {
  if (pending.empty())
    return;
  values.push_back(
      parser.makeString(where, parser.context.copy(pending), isUnicode));
  pending.clear();
}

const Expr *FStringParser::finish(SourceRange last) {
  flush(last);
  return parser.make<JoinedStr>(last, parser.context.copy(values));
}

/// Level 0 is the string itself, level 1 a format specification, which ends at
/// its closing brace.
bool FStringParser::parseParts(unsigned level) {
  while (at < end) {
    if (!parseLiteral(level))
      return false;
    if (at >= end || (level && text[at] == '}'))
      return true;
    if (text[at] == '{' && !parseInterpolation(level))
      return false;
  }
  return true;
}

/// Takes text up to a brace that is not doubled. In a format specification
/// braces cannot be doubled.
bool FStringParser::parseLiteral(unsigned level) {
  uint32_t begin = at;
  auto append = [&](uint32_t stop) {
    return parser.appendDecoded(*token, begin, stop, isRaw, /*isBytes=*/false,
                                pending);
  };
  while (at < end) {
    char c = text[at++];
    if (!isRaw && c == '\\' && at < end) {
      c = text[at++];
      if (c == 'N') {
        if (peek() == '{')
          while (at < end && text[at++] != '}')
            ;
        continue;
      }
    }
    if (c != '{' && c != '}')
      continue;
    if (level == 0 && peek() == c) {
      if (!append(at))
        return false;
      begin = ++at;
      continue;
    }
    --at;
    if (level == 0 && c == '}')
      return fail(at, at + 1, "a single '}' in an f-string",
                  "double it, '}}', to mean the character");
    break;
  }
  return append(at);
}

bool FStringParser::closeNested(std::vector<char> &open, char c) {
  if (open.empty())
    return fail(at, at + 1,
                std::string("unmatched '") + c + "' in an f-string");
  char wanted = open.back() == '(' ? ')' : open.back() == '[' ? ']' : '}';
  if (c != wanted)
    return fail(at, at + 1,
                std::string("expected '") + wanted + "' in an f-string, got '" +
                    c + "'");
  open.pop_back();
  return true;
}

/// Moves to the character that ends the expression: one of !:}= outside
/// brackets and strings that is not part of a comparison.
bool FStringParser::findExpressionEnd() {
  std::vector<char> open;
  uint32_t begin = at;
  char quote = 0;
  unsigned quotes = 0;
  for (; at < end; ++at) {
    char c = text[at];
    auto isTripled = [&] {
      return at + 2 < end && text[at + 1] == c && text[at + 2] == c;
    };
    if (c == '\\')
      return fail(at, at + 1, "a backslash inside an f-string expression",
                  "compute the value in a variable first");
    if (quote) {
      if (c == quote && (quotes == 1 || isTripled())) {
        at += quotes - 1;
        quote = 0;
      }
      continue;
    }
    if (c == '\'' || c == '"') {
      quote = c;
      quotes = isTripled() ? 3 : 1;
      at += quotes - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      if (open.size() >= Limits::Brackets)
        return fail(at, at + 1, "too many nested brackets in an f-string");
      open.push_back(c);
    } else if (c == '#') {
      return fail(at, at + 1, "a comment inside an f-string expression",
                  "move the comment out of the string");
    } else if (open.empty() && std::strchr("!:}=<>", c)) {
      bool isComparison =
          c != ':' && c != '}' && at + 1 < end && text[at + 1] == '=';
      if (isComparison)
        ++at;
      else if (c != '<' && c != '>')
        return true;
    } else if (c == ')' || c == ']' || c == '}') {
      if (!closeNested(open, c))
        return false;
    }
  }
  if (quote)
    return fail(begin, end, "unterminated string in an f-string expression",
                "use other quotes inside than around the f-string");
  return fail(begin - 1, begin, "expected '}' in an f-string, got its end",
              "close the expression, or double the brace, '{{', to mean the "
              "character");
}

const Expr *FStringParser::parseExpression(uint32_t begin, uint32_t stop) {
  std::string_view body = text.substr(begin, stop - begin);
  if (body.find_first_not_of(" \t\n\f") == std::string_view::npos) {
    fail(begin - 1, stop, "expected an expression in an f-string, got none",
         "write the value between the braces");
    return nullptr;
  }
  SourceRange start = positionOf(begin);
  std::vector<Token> tokens = lexExpression(text, begin, stop, start.line,
                                            start.column, parser.reporter);
  return Parser(parser.state, tokens).parseInterpolation();
}

bool FStringParser::parseConversion(int32_t &conversion) {
  if (peek() != '!')
    return true;
  ++at;
  char c = peek();
  if (c != 's' && c != 'r' && c != 'a')
    return fail(at, at + 1, "expected conversion 's', 'r' or 'a' after '!'",
                "write !r for repr, !s for str, !a for ascii");
  conversion = c;
  ++at;
  return true;
}

const Expr *FStringParser::parseFormatSpec(unsigned level) {
  ++at;
  FStringParser spec(parser, range, isUnicode);
  spec.token = token;
  spec.known = known;
  spec.knownOffset = knownOffset;
  spec.isRaw = isRaw;
  spec.at = at;
  spec.end = end;
  if (!spec.parseParts(level + 1))
    return nullptr;
  at = spec.at;
  // As in CPython, parts have the range of all joined strings, but the end of
  // a specification that of its own token.
  return spec.finish(token->range);
}

bool FStringParser::parseInterpolation(unsigned level) {
  if (level >= 2)
    return fail(at, at + 1, "f-string expressions nested too deeply",
                "compute the inner value in a variable first");
  uint32_t begin = ++at;
  if (!findExpressionEnd())
    return false;
  const Expr *value = parseExpression(begin, at);
  if (!value)
    return false;
  bool isDebug = peek() == '=';
  if (isDebug) {
    ++at;
    while (at < end && std::strchr(" \t\n\f\v", text[at]))
      ++at;
    pending += text.substr(begin, at - begin);
  }
  int32_t conversion = -1;
  if (!parseConversion(conversion))
    return false;
  const Expr *spec = nullptr;
  if (peek() == ':' && !(spec = parseFormatSpec(level)))
    return false;
  if (peek() != '}')
    return fail(begin - 1, at, "expected '}' in an f-string",
                "close the expression, or double the brace, '{{', to mean the "
                "character");
  ++at;
  if (isDebug && !spec && conversion == -1)
    conversion = 'r';
  flush(range);
  values.push_back(parser.make<FormattedValue>(range, value, conversion, spec));
  return true;
}

const Expr *Parser::parseInterpolation() {
  Nesting nesting(*this);
  if (!nesting)
    return nullptr;
  const Token &first = peek();
  const Expr *value = nullptr;
  if (at(K::KwYield)) {
    value = parseYield();
  } else {
    value = parseStarNamedExpression();
    if (value && atComprehension()) {
      ArrayView<const Comprehension *> clauses;
      if (!checkElement(value) || !parseComprehensions(clauses))
        return nullptr;
      value = make<GeneratorExp>(rangeFrom(first), value, clauses);
    } else if (value && at(K::Comma)) {
      Exprs elements{value};
      if (!parseElements(K::EndOfFile, elements))
        return nullptr;
      value = make<Tuple>(rangeFrom(first), context.copy(elements),
                          ExprContext::Load);
    } else if (isNode<Starred>(value)) {
      return fail(InvalidStarred, value->range,
                  "a starred expression cannot stand alone in an f-string",
                  "add a comma to make a tuple");
    }
  }
  if (value && !at(K::EndOfFile))
    return failExpected(InvalidFString, "the f-string expression to end");
  return value;
}
