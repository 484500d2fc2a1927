//===- Source.cpp - Decoding of source text ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte order mark, encoding declaration (PEP 263), UTF-8 check, line ends.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/Source.h"
#include "frontend/syntax/lex/Unicode.h"

using namespace tilewright;
using namespace tilewright::syntax;

static bool isCodecCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

/// Finds `coding[:=]\s*name` in a line that is a comment; sets `isBlank` when
/// the line holds nothing but white space or a comment, because only then may
/// the second line declare the encoding.
static std::string_view encodingInLine(std::string_view line, bool &isBlank) {
  size_t start = line.find_first_not_of(" \t\f");
  isBlank = start == std::string_view::npos || line[start] == '#' ||
            line[start] == '\r';
  if (start == std::string_view::npos || line[start] != '#')
    return {};
  for (size_t at = line.find("coding", start); at != std::string_view::npos;
       at = line.find("coding", at + 1)) {
    size_t p = at + 6;
    if (p >= line.size() || (line[p] != ':' && line[p] != '='))
      continue;
    ++p;
    while (p < line.size() && (line[p] == ' ' || line[p] == '\t'))
      ++p;
    size_t end = p;
    while (end < line.size() && isCodecCharacter(line[end]))
      ++end;
    if (end > p)
      return line.substr(p, end - p);
  }
  return {};
}

std::string_view syntax::declaredEncoding(std::string_view bytes) {
  for (int i = 0; i < 2; ++i) {
    size_t end = bytes.find_first_of("\r\n");
    bool isBlank = false;
    std::string_view found = encodingInLine(bytes.substr(0, end), isBlank);
    if (!found.empty() || !isBlank || end == std::string_view::npos)
      return found;
    bool isPair = bytes.substr(end, 2) == "\r\n";
    bytes.remove_prefix(end + (isPair ? 2 : 1));
  }
  return {};
}

namespace {
enum class Codec { UTF8, Latin1, ASCII, Unknown };
} // namespace

static Codec codecOf(std::string_view name) {
  std::string normal;
  for (char c : name)
    normal += c == '_' ? '-' : (c >= 'A' && c <= 'Z') ? char(c + 32) : c;
  auto startsWith = [&](std::string_view prefix) {
    return normal == prefix ||
           normal.compare(0, prefix.size() + 1, std::string(prefix) + "-") == 0;
  };
  if (startsWith("utf-8") || normal == "utf8" || normal == "u8" ||
      normal == "utf" || normal == "cp65001")
    return Codec::UTF8;
  if (startsWith("latin-1") || startsWith("iso-8859-1") ||
      startsWith("iso-latin-1") || normal == "latin1" || normal == "latin" ||
      normal == "l1" || normal == "iso8859-1" || normal == "8859" ||
      normal == "cp819")
    return Codec::Latin1;
  if (normal == "ascii" || normal == "us-ascii" || normal == "646")
    return Codec::ASCII;
  return Codec::Unknown;
}

/// Replaces "\r\n" and lone '\r' by '\n'.
static std::string unifyLineEnds(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
      continue;
    }
    result += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n')
      ++i;
  }
  return result;
}

static std::string latin1ToUTF8(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (char c : text)
    appendUTF8(result, static_cast<unsigned char>(c));
  return result;
}

/// The position of byte `offset`, as a one-byte range.
static SourceRange positionOf(std::string_view text, size_t offset) {
  uint32_t line = 1;
  size_t start = 0;
  for (size_t i = 0; i < offset; ++i)
    if (text[i] == '\n') {
      ++line;
      start = i + 1;
    }
  uint32_t column = static_cast<uint32_t>(offset - start);
  return {line, column, line, column + 1};
}

/// Makes broken text showable: each bad byte becomes '?'.
static std::string scrub(std::string_view text) {
  std::string result(text);
  for (size_t bad = 0; (bad = findInvalidUTF8(result, bad)) != result.size();)
    result[bad] = '?';
  for (char &c : result)
    if (c == '\0')
      c = '?';
  return result;
}

static std::string hexByte(char c) {
  const char *digits = "0123456789abcdef";
  unsigned char byte = static_cast<unsigned char>(c);
  return std::string("0x") + digits[byte >> 4] + digits[byte & 15];
}

std::optional<std::string> syntax::decodeSource(std::string_view bytes,
                                                Reporter &reporter,
                                                std::string &lossy) {
  bool hasMark = bytes.substr(0, 3) == "\xEF\xBB\xBF";
  if (hasMark)
    bytes.remove_prefix(3);
  std::string_view declared = declaredEncoding(bytes);
  Codec codec = declared.empty() ? Codec::UTF8 : codecOf(declared);

  std::string text = unifyLineEnds(bytes);
  auto fail = [&](Code code, size_t offset, std::string message,
                  std::string hint) -> std::optional<std::string> {
    lossy = scrub(text);
    reporter.error(code, positionOf(text, offset), std::move(message),
                   std::move(hint));
    return std::nullopt;
  };

  // CPython asks for this very spelling after a byte order mark.
  bool contradictsMark = hasMark && !declared.empty() &&
                         (codec != Codec::UTF8 || declared.size() < 5 ||
                          (declared[3] != '-' && declared[3] != '_'));
  if (codec == Codec::Unknown || contradictsMark) {
    size_t offset = text.find(declared);
    std::string name(declared);
    if (codec != Codec::Unknown)
      return fail(InvalidEncoding, offset,
                  "expected encoding utf-8 after a byte order mark, got '" +
                      name + "'",
                  "remove the byte order mark or the declaration");
    return fail(InvalidEncoding, offset,
                "expected encoding utf-8, latin-1 or ascii, got '" + name + "'",
                "convert the file to UTF-8 and remove the declaration");
  }
  if (size_t null = text.find('\0'); null != std::string::npos)
    return fail(NullByte, null, "source text contains a null byte",
                "remove the byte; is this a binary or UTF-16 file?");
  if (codec == Codec::Latin1)
    return latin1ToUTF8(text);

  size_t bad = findInvalidUTF8(text, 0);
  if (codec == Codec::ASCII)
    for (bad = 0; bad < text.size() && !(text[bad] & 0x80);)
      ++bad;
  if (bad != text.size())
    return fail(InvalidEncoding, bad,
                std::string("expected ") +
                    (codec == Codec::ASCII ? "ASCII" : "UTF-8") +
                    " text, got byte " + hexByte(text[bad]),
                "save the file as UTF-8 or declare its encoding in the first "
                "line, as in '# -*- coding: latin-1 -*-'");
  return text;
}
