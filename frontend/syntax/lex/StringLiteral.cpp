//===- StringLiteral.cpp - Contents of string tokens ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefixes and escapes.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/StringLiteral.h"
#include "frontend/syntax/lex/Unicode.h"

using namespace tilewright;
using namespace tilewright::syntax;

StringParts syntax::splitString(std::string_view token) {
  StringParts parts;
  uint32_t at = 0;
  for (; token[at] != '\'' && token[at] != '"'; ++at) {
    char c = token[at] | 0x20;
    parts.isBytes |= c == 'b';
    parts.isRaw |= c == 'r';
    parts.isFormatted |= c == 'f';
  }
  parts.isUnicode = token[0] == 'u';
  bool isTriple = token.size() >= at + 6 && token[at + 1] == token[at] &&
                  token[at + 2] == token[at];
  uint32_t quotes = isTriple ? 3 : 1;
  parts.bodyBegin = at + quotes;
  parts.bodyEnd = static_cast<uint32_t>(token.size()) - quotes;
  return parts;
}

static int hexValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

namespace {
/// Decodes one body; `at` stands behind the backslash and the letter.
class EscapeDecoder {
public:
  EscapeDecoder(std::string_view body, bool isBytes, std::string &out)
      : body(body), isBytes(isBytes), out(out) {}

  std::optional<EscapeError> run();

private:
  std::optional<EscapeError> decodeOne(size_t begin);
  std::optional<EscapeError> hexEscape(size_t begin, unsigned digits);
  std::optional<EscapeError> namedEscape(size_t begin);
  void octalEscape();
  void append(uint32_t value) {
    if (isBytes)
      out += static_cast<char>(value & 0xff);
    else
      appendUTF8(out, value);
  }
  EscapeError errorFrom(size_t begin, std::string message, std::string hint) {
    return {begin, at - begin, std::move(message), std::move(hint)};
  }

  std::string_view body;
  bool isBytes;
  std::string &out;
  size_t at = 0;
};
} // namespace

std::optional<EscapeError> EscapeDecoder::run() {
  while (at < body.size()) {
    size_t backslash = body.find('\\', at);
    if (backslash == std::string_view::npos)
      backslash = body.size();
    out.append(body, at, backslash - at);
    at = backslash;
    if (at == body.size())
      break;
    if (++at == body.size()) {
      out += '\\';
      break;
    }
    if (std::optional<EscapeError> error = decodeOne(backslash))
      return error;
  }
  return std::nullopt;
}

std::optional<EscapeError> EscapeDecoder::decodeOne(size_t begin) {
  char c = body[at++];
  switch (c) {
  case '\n':
    break;
  case '\\':
  case '\'':
  case '"':
    out += c;
    break;
  case 'a':
    out += '\a';
    break;
  case 'b':
    out += '\b';
    break;
  case 'f':
    out += '\f';
    break;
  case 'n':
    out += '\n';
    break;
  case 'r':
    out += '\r';
    break;
  case 't':
    out += '\t';
    break;
  case 'v':
    out += '\v';
    break;
  case 'x':
    return hexEscape(begin, 2);
  default:
    if (c >= '0' && c <= '7')
      octalEscape();
    else if (!isBytes && c == 'u')
      return hexEscape(begin, 4);
    else if (!isBytes && c == 'U')
      return hexEscape(begin, 8);
    else if (!isBytes && c == 'N')
      return namedEscape(begin);
    else {
      out += '\\';
      out += c;
    }
  }
  return std::nullopt;
}

void EscapeDecoder::octalEscape() {
  uint32_t value = body[at - 1] - '0';
  for (int i = 0;
       i < 2 && at < body.size() && body[at] >= '0' && body[at] <= '7'; ++i)
    value = value * 8 + (body[at++] - '0');
  append(value);
}

std::optional<EscapeError> EscapeDecoder::hexEscape(size_t begin,
                                                    unsigned digits) {
  char letter = body[at - 1];
  uint32_t value = 0;
  for (unsigned i = 0; i < digits; ++i) {
    int digit = at < body.size() ? hexValue(body[at]) : -1;
    if (digit < 0)
      return errorFrom(begin,
                       "expected " + std::to_string(digits) +
                           " hexadecimal digits after '\\" + letter +
                           "', got " + std::to_string(i),
                       "double the backslash, or prefix the string with r, to "
                       "mean the characters themselves");
    value = value * 16 + static_cast<uint32_t>(digit);
    ++at;
  }
  if (value > 0x10FFFF)
    return errorFrom(begin, "expected a code point up to 10FFFF, got more",
                     "check the digits of the escape");
  append(value);
  return std::nullopt;
}

std::optional<EscapeError> EscapeDecoder::namedEscape(size_t begin) {
  size_t close = at < body.size() && body[at] == '{' ? body.find('}', at)
                                                     : std::string_view::npos;
  if (close == std::string_view::npos || close == at + 1)
    return errorFrom(begin, "expected '{name}' after '\\N'",
                     "write a Unicode character name, as in \\N{BULLET}");
  std::string_view name = body.substr(at + 1, close - at - 1);
  at = close + 1;
  std::optional<uint32_t> character = characterNamed(name);
  if (!character)
    return errorFrom(
        begin, "unknown Unicode character name '" + std::string(name) + "'",
        "check the name, or write the character or its \\u "
        "escape");
  append(*character);
  return std::nullopt;
}

std::optional<EscapeError>
syntax::decodeEscapes(std::string_view body, bool isBytes, std::string &out) {
  return EscapeDecoder(body, isBytes, out).run();
}
