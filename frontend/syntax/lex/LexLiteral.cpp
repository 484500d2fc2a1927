//===- LexLiteral.cpp - Number and string tokens ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds where literals end and refuses malformed ones; their values are made
// by NumberLiteral.cpp and StringLiteral.cpp.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/LexerImpl.h"

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// True when the letters at the cursor are a prefix such as rb and a quote
/// follows them.
bool Lexer::isStringPrefix() const {
  bool b = false, u = false, r = false, f = false;
  for (uint32_t ahead = 0; ahead < 3; ++ahead) {
    char c = peek(ahead);
    if (c == '\'' || c == '"')
      return ahead != 0;
    c |= 0x20;
    if (c == 'b' && !b && !u && !f)
      b = true;
    else if (c == 'u' && !b && !u && !r && !f)
      u = true;
    else if (c == 'r' && !r && !u)
      r = true;
    else if (c == 'f' && !b && !u && !f)
      f = true;
    else
      return false;
  }
  return false;
}

void Lexer::lexString(uint32_t begin) {
  while (text[cur] != '\'' && text[cur] != '"')
    ++cur;
  char quote = text[cur];
  bool isTriple = peek(1) == quote && peek(2) == quote;
  SourceRange start{line, begin - lineStart, line,
                    cur + (isTriple ? 3 : 1) - lineStart};
  cur += isTriple ? 3 : 1;

  unsigned quotes = 0;
  const unsigned wanted = isTriple ? 3 : 1;
  while (quotes < wanted && cur < limit) {
    char c = text[cur];
    if (c == '\n' && !isTriple)
      break;
    ++cur;
    quotes = c == quote ? quotes + 1 : 0;
    if (c == '\\' && cur < limit)
      c = text[cur++];
    if (c == '\n')
      startLine();
  }
  bool isClosed = quotes == wanted;
  if (!isClosed)
    error(UnterminatedString, start, begin,
          isTriple ? "unterminated triple-quoted string"
                   : "unterminated string",
          isTriple ? std::string("close it with ") + std::string(3, quote)
                   : std::string("close it with ") + quote +
                         ", or use triple quotes for several lines");
  file.tokens.push_back({isClosed ? TokenKind::String : TokenKind::Error,
                         begin,
                         cur,
                         {start.line, start.column, line, cur - lineStart}});
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Reports a malformed number and makes one token of all that looks part of
/// it.
void Lexer::invalidNumber(uint32_t begin, std::string message,
                          std::string hint) {
  while (cur < limit && isNameByte(text[cur]))
    ++cur;
  error(InvalidNumber, rangeFrom(begin), begin, std::move(message),
        std::move(hint));
  emit(TokenKind::Error, begin);
}

static int digitValue(char c) {
  if (isDecimalDigit(c))
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/// Moves past digits, each of which an underscore may precede.
bool Lexer::lexRadixDigits(unsigned radix) {
  bool isFine = true;
  do {
    if (peek() == '_')
      ++cur;
    isFine = digitValue(peek()) < static_cast<int>(radix);
    while (digitValue(peek()) < static_cast<int>(radix))
      ++cur;
  } while (isFine && peek() == '_');
  return isFine;
}

/// Moves past decimal digits that single underscores may separate.
bool Lexer::lexDigits() {
  for (;;) {
    while (isDecimalDigit(peek()))
      ++cur;
    if (peek() != '_')
      return true;
    ++cur;
    if (!isDecimalDigit(peek()))
      return false;
  }
}

/// After a number: an operator word such as `else` may follow at once, other
/// letters may not.
bool Lexer::endsNumber() {
  char c = peek();
  if (!isNameByte(c))
    return true;
  std::string_view rest = text.substr(cur, limit - cur);
  for (std::string_view word :
       {"and", "else", "for", "if", "in", "is", "or", "not"})
    if (rest.substr(0, word.size()) == word)
      return true;
  return false;
}

void Lexer::lexNumber() {
  uint32_t begin = cur;
  char kind = peek() == '0' ? peek(1) | 0x20 : '\0';
  unsigned radix = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
  if (!radix)
    return lexDecimal(begin);

  const char *name = radix == 16  ? "hexadecimal"
                     : radix == 8 ? "octal"
                                  : "binary";
  const char *digits = radix == 16  ? "0-9 and a-f"
                       : radix == 8 ? "0-7"
                                    : "0 and 1";
  cur += 2;
  if (!lexRadixDigits(radix) || isDecimalDigit(peek()) || !endsNumber())
    return invalidNumber(begin, std::string("invalid ") + name + " number",
                         std::string("its digits are ") + digits +
                             ", single underscores may separate them");
  emit(TokenKind::Number, begin);
}

void Lexer::lexDecimal(uint32_t begin) {
  const char *hint = "separate a number from a name with a space or an "
                     "operator; names cannot start with a digit";
  if (!lexDigits())
    return invalidNumber(begin, "invalid decimal number",
                         "an underscore must stand between digits");
  uint32_t integerEnd = cur;
  bool isInteger = true;
  if (peek() == '.') {
    isInteger = false;
    ++cur;
    if (isDecimalDigit(peek()) && !lexDigits())
      return invalidNumber(begin, "invalid decimal number",
                           "an underscore must stand between digits");
  }
  if ((peek() | 0x20) == 'e') {
    uint32_t signSize = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (isDecimalDigit(peek(1 + signSize))) {
      isInteger = false;
      cur += 1 + signSize;
      if (!lexDigits())
        return invalidNumber(begin, "invalid decimal number",
                             "an underscore must stand between digits");
    } else if (signSize) {
      ++cur;
      return invalidNumber(begin, "expected digits in the exponent, got none",
                           "write it as in 1e-3");
    }
  }
  bool isImaginary = (peek() | 0x20) == 'j';
  if (isImaginary)
    ++cur;
  if (!endsNumber())
    return invalidNumber(begin, "invalid decimal number", hint);

  std::string_view digits = text.substr(begin, integerEnd - begin);
  if (isInteger && !isImaginary && digits.size() > 1 && digits[0] == '0' &&
      digits.find_first_not_of("0_") != std::string_view::npos)
    return invalidNumber(begin, "leading zeros in a decimal number",
                         "write octal numbers as 0o17, decimal ones without "
                         "leading zeros");
  emit(TokenKind::Number, begin);
}
