//===- ParseString.cpp - String literals ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins adjacent string tokens, decodes them and makes their nodes.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/parse/FStringParser.h"

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
