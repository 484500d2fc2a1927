//===- Utf8.cpp - Texts that plugins give -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Well-formed byte sequences as Unicode's table 3-7 has them.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Utf8.h"

#include "plugins/loader/Problem.h"

namespace tilewright::plugins {

/// Bytes of the character that a text starts with; 0 where there is none.
static size_t characterBytes(std::string_view text) {
  auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  unsigned lead = byte(0), low = 0x80, high = 0xbf;
  if (lead < 0x80)
    return 1;
  size_t bytes = lead < 0xc2   ? 0
                 : lead < 0xe0 ? 2
                 : lead < 0xf0 ? 3
                 : lead < 0xf5 ? 4
                               : 0;
  // Longer than needed, a surrogate, behind the last character.
  low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : low;
  high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : high;
  for (size_t i = 1; i < bytes; ++i, low = 0x80, high = 0xbf)
    if (byte(i) < low || byte(i) > high)
      return 0;
  return bytes;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    size_t bytes = characterBytes(text);
    if (!bytes)
      return false;
    text.remove_prefix(bytes);
  }
  return true;
}

/// Bytes of the printable character, line feed or tab that a text starts with;
/// 0 where there is none.
static size_t printableBytes(std::string_view text) {
  auto lead = static_cast<unsigned char>(text[0]);
  bool isC0 = (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7f;
  bool isC1 = lead == 0xc2 && text.size() > 1 &&
              static_cast<unsigned char>(text[1]) < 0xa0;
  return isC0 || isC1 ? 0 : characterBytes(text);
}

bool isText(std::string_view text) {
  while (!text.empty()) {
    size_t bytes = printableBytes(text);
    if (!bytes)
      return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string readable(tw_str given) {
  std::string text = toString(given);
  if (isText(text))
    return text;
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    size_t bytes = printableBytes(rest);
    out += bytes ? rest.substr(0, bytes) : "\xef\xbf\xbd";
    rest.remove_prefix(bytes ? bytes : 1);
  }
  return out;
}

} // namespace tilewright::plugins
