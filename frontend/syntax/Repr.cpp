//===- Repr.cpp - Python's repr() of constants ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shortest round-trip floats, and strings with Python's choice of quotes and
// escapes.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/ASTDump.h"
#include "frontend/syntax/lex/Unicode.h"

#include <charconv>
#include <cmath>

using namespace tilewright;
using namespace tilewright::syntax;
using ast::ConstantKind;
using ast::ConstantValue;

/// Digits are the shortest that read back as the same double; exponents are
/// used below 1e-4 and from 1e16 on, as float.__repr__ does.
static std::string reprOfFloat(double value, bool needsPoint) {
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  std::to_chars_result written = std::to_chars(
      buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  std::string_view text(buffer, written.ptr - buffer);
  size_t e = text.find('e');
  std::string digits;
  for (char c : text.substr(0, e))
    if (c != '.')
      digits += c;
  int exponent = 0;
  const char *exponentBegin = buffer + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponentBegin, written.ptr, exponent);

  if (exponent < -4 || exponent >= 16) {
    std::string out = digits.substr(0, 1);
    if (digits.size() > 1)
      out += "." + digits.substr(1);
    std::string magnitude = std::to_string(std::abs(exponent));
    if (magnitude.size() < 2)
      magnitude.insert(0, "0");
    return out + (exponent < 0 ? "e-" : "e+") + magnitude;
  }
  if (exponent < 0)
    return "0." + std::string(-exponent - 1, '0') + digits;
  size_t point = static_cast<size_t>(exponent) + 1;
  if (digits.size() < point)
    digits.append(point - digits.size(), '0');
  if (digits.size() > point)
    return digits.substr(0, point) + "." + digits.substr(point);
  return needsPoint ? digits + ".0" : digits;
}

static void appendHex(std::string &out, uint32_t value, unsigned digits) {
  const char *table = "0123456789abcdef";
  for (unsigned shift = digits * 4; shift > 0; shift -= 4)
    out += table[(value >> (shift - 4)) & 15];
}

/// Single quotes, unless the text has some and no double quote.
static char quoteFor(std::string_view text) {
  bool hasSingle = text.find('\'') != std::string_view::npos;
  bool hasDouble = text.find('"') != std::string_view::npos;
  return hasSingle && !hasDouble ? '"' : '\'';
}

/// Escapes that text and bytes share; false when `c` needs none of them.
static bool appendEscape(std::string &out, uint32_t c, char quote) {
  switch (c) {
  case '\n':
    out += "\\n";
    return true;
  case '\r':
    out += "\\r";
    return true;
  case '\t':
    out += "\\t";
    return true;
  case '\\':
    out += "\\\\";
    return true;
  default:
    if (c != static_cast<unsigned char>(quote))
      return false;
    out += '\\';
    out += quote;
    return true;
  }
}

static std::string reprOfText(std::string_view text) {
  char quote = quoteFor(text);
  std::string out(1, quote);
  for (size_t offset = 0; offset < text.size();) {
    size_t begin = offset;
    uint32_t c = nextCodePoint(text, offset);
    if (appendEscape(out, c, quote))
      continue;
    if (isPrintable(c)) {
      out += text.substr(begin, offset - begin);
    } else if (c < 0x100) {
      out += "\\x";
      appendHex(out, c, 2);
    } else if (c < 0x10000) {
      out += "\\u";
      appendHex(out, c, 4);
    } else {
      out += "\\U";
      appendHex(out, c, 8);
    }
  }
  return out + quote;
}

static std::string reprOfBytes(std::string_view bytes) {
  char quote = quoteFor(bytes);
  std::string out = std::string("b") + quote;
  for (char byte : bytes) {
    unsigned char c = byte;
    if (appendEscape(out, c, quote))
      continue;
    if (c >= 0x20 && c < 0x7F) {
      out += byte;
    } else {
      out += "\\x";
      appendHex(out, c, 2);
    }
  }
  return out + quote;
}

std::string syntax::reprOf(const ConstantValue &value) {
  switch (value.kind) {
  case ConstantKind::None:
    return "None";
  case ConstantKind::Ellipsis:
    return "Ellipsis";
  case ConstantKind::Bool:
    return value.boolean ? "True" : "False";
  case ConstantKind::Int:
    return std::string(value.text);
  case ConstantKind::Float:
    return reprOfFloat(value.number, /*needsPoint=*/true);
  case ConstantKind::Complex:
    return reprOfFloat(value.number, /*needsPoint=*/false) + "j";
  case ConstantKind::Str:
    return reprOfText(value.text);
  case ConstantKind::Bytes:
    return reprOfBytes(value.text);
  }
  return {};
}
