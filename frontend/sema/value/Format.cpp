//===- Format.cpp - Python's format() of compile-time values ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the specification, formats the body, pads it.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/Format.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>

using namespace tilewright;
using namespace tilewright::sema;

namespace {
struct FormatSpec {
  char fill = ' ';
  char align = '\0';
  char sign = '-';
  bool alternate = false;
  unsigned width = 0;
  std::optional<unsigned> precision;
  char type = '\0';
};
} // namespace

static std::optional<FormatSpec> parseSpec(llvm::StringRef text) {
  FormatSpec spec;
  auto isAlign = [](char c) { return llvm::StringRef("<>=^").contains(c); };
  if (text.size() >= 2 && isAlign(text[1])) {
    spec.fill = text[0];
    spec.align = text[1];
    text = text.drop_front(2);
  } else if (!text.empty() && isAlign(text[0])) {
    spec.align = text[0];
    text = text.drop_front();
  }
  if (!text.empty() && llvm::StringRef("+- ").contains(text[0])) {
    spec.sign = text[0];
    text = text.drop_front();
  }
  spec.alternate = text.consume_front("#");
  if (text.consume_front("0") && !spec.align) {
    spec.fill = '0';
    spec.align = '=';
  }
  if (!text.empty() && llvm::isDigit(text[0]) &&
      (text.consumeInteger(10, spec.width) || spec.width > 1000))
    return std::nullopt;
  if (text.consume_front(".")) {
    unsigned precision;
    if (text.consumeInteger(10, precision) || precision > 100)
      return std::nullopt;
    spec.precision = precision;
  }
  if (!text.empty()) {
    spec.type = text[0];
    text = text.drop_front();
  }
  return text.empty() ? std::optional(spec) : std::nullopt;
}

static std::optional<std::string> integerBody(const BigInt &value,
                                              const FormatSpec &spec) {
  unsigned radix = spec.type == 'x' || spec.type == 'X' ? 16
                   : spec.type == 'o'                   ? 8
                   : spec.type == 'b'                   ? 2
                                                        : 10;
  if (radix == 10 && spec.type && spec.type != 'd')
    return std::nullopt;
  BigInt magnitude = value.isNegative() ? -value : value;
  llvm::SmallString<32> digits;
  magnitude.toAPInt(magnitude.signedBits() + 1)
      .toString(digits, radix, /*Signed=*/false,
                /*formatAsCLiteral=*/false, /*UpperCase=*/spec.type == 'X');
  std::string prefix;
  if (spec.alternate && radix != 10)
    prefix = std::string("0") + spec.type;
  return prefix + std::string(digits);
}

static std::optional<std::string> floatBody(double value,
                                            const FormatSpec &spec) {
  char type = spec.type ? spec.type : 'g';
  if (!llvm::StringRef("feEgG%F").contains(type))
    return std::nullopt;
  bool isPercent = type == '%';
  char pattern[8] = {'%', '.', '*', isPercent ? 'f' : type, '\0'};
  char buffer[512];
  int length = std::snprintf(buffer, sizeof buffer, pattern,
                             int(spec.precision.value_or(6)),
                             isPercent ? value * 100 : value);
  if (length < 0 || size_t(length) >= sizeof buffer)
    return std::nullopt;
  return std::string(buffer) + (isPercent ? "%" : "");
}

static std::string pad(std::string sign, std::string body,
                       const FormatSpec &spec, char defaultAlign) {
  size_t length = sign.size() + body.size();
  if (length >= spec.width)
    return sign + body;
  size_t missing = spec.width - length;
  switch (spec.align ? spec.align : defaultAlign) {
  case '<':
    return sign + body + std::string(missing, spec.fill);
  case '^':
    return std::string(missing / 2, spec.fill) + sign + body +
           std::string(missing - missing / 2, spec.fill);
  case '=':
    return sign + std::string(missing, spec.fill) + body;
  default:
    return std::string(missing, spec.fill) + sign + body;
  }
}

std::optional<std::string> sema::formatValue(const Value &value,
                                             llvm::StringRef text) {
  if (text.empty())
    return value.pythonStr();
  std::optional<FormatSpec> spec = parseSpec(text);
  if (!spec)
    return std::nullopt;
  bool isFloatType = llvm::StringRef("feEgG%F").contains(spec->type);
  if (value.isNumber()) {
    std::optional<std::string> body;
    bool isNegative = value.toDouble() < 0;
    if (value.isFloat() && !spec->type && !spec->precision) {
      body = value.pythonStr();
      if (isNegative)
        body->erase(0, 1);
    } else if (value.isFloat() || (spec->type && isFloatType)) {
      double number = value.toDouble();
      body = floatBody(isNegative ? -number : number, *spec);
    } else {
      body = integerBody(value.intValue(), *spec);
    }
    if (!body)
      return std::nullopt;
    std::string sign = isNegative          ? "-"
                       : spec->sign == '-' ? ""
                                           : std::string(1, spec->sign);
    return pad(sign, *body, *spec, '>');
  }
  if (spec->type && spec->type != 's')
    return std::nullopt;
  std::string body = value.pythonStr();
  if (spec->precision)
    body = body.substr(0, *spec->precision);
  return pad("", body, *spec, '<');
}
