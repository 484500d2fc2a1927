//===- ParseString.cpp - String literals and f-strings ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins adjacent string tokens and takes f-strings apart, by the rules of
// Python 3.11: an interpolation holds no backslash, no comment and no quote of
// its own string. Interpolated expressions are parsed in place, so that their
// positions are those in the file.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/StringLiteral.h"
#include "frontend/syntax/parse/ParserImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The range of text[begin, end), which lies inside a string token.
SourceRange Parser::rangeInToken(const Token &token, uint32_t begin,
                                 uint32_t end) const {
  uint32_t line = token.range.line;
  uint32_t lineStart = token.begin - token.range.column;
  auto moveTo = [&](uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; ++i)
      if (text[i] == '\n') {
        ++line;
        lineStart = i + 1;
      }
  };
  moveTo(token.begin, begin);
  SourceRange range{line, begin - lineStart, 0, 0};
  moveTo(begin, end);
  range.endLine = line;
  range.endColumn = end - lineStart;
  return range;
}

bool Parser::appendDecoded(const Token &token, uint32_t begin, uint32_t end,
                           bool isRaw, bool isBytes, std::string &out) {
  std::string_view body = text.substr(begin, end - begin);
  if (isRaw) {
    out += body;
    return true;
  }
  std::optional<EscapeError> error = decodeEscapes(body, isBytes, out);
  if (!error)
    return true;
  uint32_t at = begin + static_cast<uint32_t>(error->offset);
  fail(InvalidEscape,
       rangeInToken(token, at, at + static_cast<uint32_t>(error->length)),
       error->message, error->hint);
  return false;
}

const Expr *Parser::makeString(SourceRange range, std::string_view value,
                               bool isUnicode) {
  ConstantValue constant;
  constant.kind = ConstantKind::Str;
  constant.text = value;
  return make<Constant>(range, constant, isUnicode);
}

//===----------------------------------------------------------------------===//
// f-strings
//===----------------------------------------------------------------------===//

namespace tilewright::syntax {

/// Collects the values of a JoinedStr from one or more string tokens.
class FStringParser {
public:
  FStringParser(Parser &parser, SourceRange range, bool isUnicode)
      : parser(parser), text(parser.text), range(range), isUnicode(isUnicode) {}

  bool appendPlain(const Token &part, const StringParts &parts) {
    return parser.appendDecoded(part, part.begin + parts.bodyBegin,
                                part.begin + parts.bodyEnd, parts.isRaw,
                                /*isBytes=*/false, pending);
  }
  bool appendFormatted(const Token &part, const StringParts &parts);
  const Expr *finish() { return finish(range); }
  const std::string &plainText() const { return pending; }

private:
  bool parseParts(unsigned level);
  bool parseLiteral(unsigned level);
  bool parseInterpolation(unsigned level);
  bool findExpressionEnd();
  bool closeNested(std::vector<char> &open, char c);
  const Expr *parseExpression(uint32_t begin, uint32_t end);
  bool parseConversion(int32_t &conversion);
  const Expr *parseFormatSpec(unsigned level);
  const Expr *finish(SourceRange last);
  void flush(SourceRange where);
  /// Position of an offset; offsets must not decrease within a token, so that
  /// a string is walked once.
  SourceRange positionOf(uint32_t offset);
  bool fail(uint32_t begin, uint32_t stop, std::string message,
            std::string hint = {}) {
    parser.fail(InvalidFString, parser.rangeInToken(*token, begin, stop),
                std::move(message), std::move(hint));
    return false;
  }
  char peek() const { return at < end ? text[at] : '\0'; }

  Parser &parser;
  std::string_view text;
  SourceRange range;
  bool isUnicode;
  bool isRaw = false;
  const Token *token = nullptr;
  uint32_t at = 0;
  uint32_t end = 0;
  SourceRange known;
  uint32_t knownOffset = 0;
  std::string pending;
  std::vector<const Expr *> values;
};

} // namespace tilewright::syntax

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

//===----------------------------------------------------------------------===//
// Adjacent strings
//===----------------------------------------------------------------------===//

const Expr *Parser::parseStrings() {
  const Token &first = peek();
  size_t begin = index;
  bool hasBytes = false, hasText = false, isFormatted = false;
  for (; at(K::String); take()) {
    StringParts parts = splitString(textOf(peek()));
    (parts.isBytes ? hasBytes : hasText) = true;
    isFormatted |= parts.isFormatted;
  }
  size_t stop = index;
  SourceRange range = rangeFrom(first);
  if (hasBytes && hasText)
    return fail(MixedStringKinds, range,
                "bytes and text cannot be joined into one literal",
                "prefix all of the strings with b, or none");

  StringParts firstParts = splitString(textOf(first));
  if (stop == begin + 1 && !isFormatted && hasText) {
    std::string_view body =
        text.substr(first.begin + firstParts.bodyBegin,
                    firstParts.bodyEnd - firstParts.bodyBegin);
    if (firstParts.isRaw || body.find('\\') == std::string_view::npos)
      return makeString(range, body, firstParts.isUnicode);
  }

  FStringParser joined(*this, range, firstParts.isUnicode);
  std::string bytes;
  for (size_t i = begin; i < stop; ++i) {
    const Token &token = tokens[i];
    StringParts parts = splitString(textOf(token));
    uint32_t bodyBegin = token.begin + parts.bodyBegin;
    uint32_t bodyEnd = token.begin + parts.bodyEnd;
    for (uint32_t at = bodyBegin; hasBytes && at < bodyEnd; ++at)
      if (text[at] & 0x80)
        return fail(NonASCIIBytes, rangeInToken(token, at, at + 1),
                    "expected ASCII characters in a bytes literal, got others",
                    "write other bytes as \\x escapes");
    bool isFine = hasBytes            ? appendDecoded(token, bodyBegin, bodyEnd,
                                                      parts.isRaw, true, bytes)
                  : parts.isFormatted ? joined.appendFormatted(token, parts)
                                      : joined.appendPlain(token, parts);
    if (!isFine)
      return nullptr;
  }
  if (isFormatted)
    return joined.finish();
  if (!hasBytes)
    return makeString(range, context.copy(joined.plainText()),
                      firstParts.isUnicode);
  ConstantValue value;
  value.kind = ConstantKind::Bytes;
  value.text = context.copy(bytes);
  return make<Constant>(range, value, false);
}
