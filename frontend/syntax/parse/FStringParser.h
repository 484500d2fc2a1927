//===- FStringParser.h - State of f-string parsing --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes f-strings apart; used by ParseString.cpp, implemented by
// ParseFString.cpp.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_PARSE_FSTRINGPARSER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_PARSE_FSTRINGPARSER_H

#include "frontend/syntax/lex/StringLiteral.h"
#include "frontend/syntax/parse/ParserImpl.h"

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
            std::string hint = "check the braces and brackets of the string") {
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

#endif // TILEWRIGHT_FRONTEND_SYNTAX_PARSE_FSTRINGPARSER_H
