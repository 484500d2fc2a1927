//===- PrintFormat.cpp - Printed lines --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's printf does the numbers, one conversion at a time, with the type
// that the format itself names: a wrong format cannot read past a value.
//===----------------------------------------------------------------------===//
#include "backends/common/host/PrintFormat.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tilewright::host {

namespace {
/// One conversion, "%-8.3lld": where it ends, its letter and width.
struct Conversion {
  std::string spec; ///< without length letters
  char letter = 0;
  bool isLong = false;
};
} // namespace

/// Reads the conversion at `at` (just behind '%') and moves behind it.
static Conversion readConversion(const std::string &format, size_t &at) {
  Conversion found;
  found.spec = "%";
  while (at < format.size() && std::strchr("-+ #0123456789.", format[at]) &&
         found.spec.size() < 16)
    found.spec += format[at++];
  while (at < format.size() && format[at] == 'l') {
    found.isLong = true;
    ++at;
  }
  if (at < format.size())
    found.letter = format[at++];
  return found;
}

static std::string print(const Conversion &conversion, uint64_t bits) {
  char line[512];
  int length = 0;
  if (conversion.letter && std::strchr("eEfFgG", conversion.letter)) {
    double number;
    std::memcpy(&number, &bits, sizeof number);
    std::string spec = conversion.spec + conversion.letter;
    length = std::snprintf(line, sizeof line, spec.c_str(), number);
  } else if (conversion.letter && std::strchr("di", conversion.letter)) {
    long long number = conversion.isLong ? static_cast<long long>(bits)
                                         : static_cast<int32_t>(bits);
    std::string spec = conversion.spec + "ll" + conversion.letter;
    length = std::snprintf(line, sizeof line, spec.c_str(), number);
  } else if (conversion.letter && std::strchr("uxXo", conversion.letter)) {
    unsigned long long number =
        conversion.isLong ? bits : static_cast<uint32_t>(bits);
    std::string spec = conversion.spec + "ll" + conversion.letter;
    length = std::snprintf(line, sizeof line, spec.c_str(), number);
  } else if (conversion.letter == 'c') {
    return std::string(1, static_cast<char>(bits));
  }
  return length > 0
             ? std::string(line, std::min<size_t>(length, sizeof line - 1))
             : std::string();
}

std::string formatRecord(const std::string &format, const uint64_t *values,
                         size_t count) {
  std::string text;
  size_t next = 0;
  for (size_t at = 0; at < format.size();) {
    char c = format[at++];
    if (c != '%') {
      text += c;
    } else if (at < format.size() && format[at] == '%') {
      text += '%';
      ++at;
    } else {
      Conversion conversion = readConversion(format, at);
      if (next < count)
        text += print(conversion, values[next++]);
    }
  }
  return text;
}

} // namespace tilewright::host
