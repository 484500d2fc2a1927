//===- NumberLiteral.cpp - Values of number tokens --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decimal, hexadecimal, octal and binary integers, floats, imaginaries.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/NumberLiteral.h"
#include "frontend/syntax/Parser.h"

#include <charconv>
#include <limits>

using namespace tilewright;
using namespace tilewright::syntax;
using ast::ConstantKind;
using ast::ConstantValue;

/// from_chars leaves the value alone when it is out of range; whether it was
/// too large or too small shows in the decimal exponent of its first digit.
static double outOfRangeValue(std::string_view digits) {
  size_t e = digits.find_first_of("eE");
  std::string_view mantissa = digits.substr(0, e);
  bool isNegative = e != std::string_view::npos && digits[e + 1] == '-';
  if (e != std::string_view::npos)
    return isNegative ? 0.0 : std::numeric_limits<double>::infinity();
  size_t dot = mantissa.find('.');
  bool hasInteger =
      mantissa.substr(0, dot).find_first_not_of('0') != std::string_view::npos;
  return hasInteger ? std::numeric_limits<double>::infinity() : 0.0;
}

static double floatValue(std::string_view digits) {
  double value = 0.0;
  std::from_chars_result result =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    return outOfRangeValue(digits);
  return value;
}

/// Decimal digits of a number in base 2^shift, by repeated multiply-and-add on
/// limbs of nine decimal digits.
static std::string toDecimal(std::string_view digits, unsigned shift) {
  constexpr uint64_t base = 1000000000;
  std::vector<uint32_t> limbs{0};
  for (char c : digits) {
    unsigned digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    uint64_t carry = digit;
    for (uint32_t &limb : limbs) {
      uint64_t sum = (static_cast<uint64_t>(limb) << shift) + carry;
      limb = static_cast<uint32_t>(sum % base);
      carry = sum / base;
    }
    if (carry)
      limbs.push_back(static_cast<uint32_t>(carry));
  }
  std::string result = std::to_string(limbs.back());
  for (size_t i = limbs.size() - 1; i-- > 0;) {
    std::string part = std::to_string(limbs[i]);
    result.append(9 - part.size(), '0');
    result += part;
  }
  return result;
}

static std::optional<ConstantValue> integerValue(std::string_view digits,
                                                 unsigned shift,
                                                 ast::ASTContext &context) {
  size_t first = digits.find_first_not_of('0');
  digits = first == std::string_view::npos ? std::string_view("0")
                                           : digits.substr(first);
  // A digit of 2^shift is at most 1.21 decimal ones: refuse before the
  // quadratic conversion of a huge literal.
  if (digits.size() > Limits::IntegerDigits * (shift == 0 ? 1 : 4))
    return std::nullopt;
  std::string decimal = shift ? toDecimal(digits, shift) : std::string(digits);
  if (decimal.size() > Limits::IntegerDigits)
    return std::nullopt;
  ConstantValue value;
  value.kind = ConstantKind::Int;
  value.text = context.copy(decimal);
  return value;
}

std::optional<ConstantValue> syntax::numberValue(std::string_view token,
                                                 ast::ASTContext &context) {
  std::string digits;
  digits.reserve(token.size());
  for (char c : token)
    if (c != '_')
      digits += c;

  char kind = digits.size() > 1 && digits[0] == '0' ? digits[1] | 0x20 : '\0';
  if (kind == 'x' || kind == 'o' || kind == 'b')
    return integerValue(std::string_view(digits).substr(2),
                        kind == 'x'   ? 4
                        : kind == 'o' ? 3
                                      : 1,
                        context);
  ConstantValue value;
  if ((digits.back() | 0x20) == 'j') {
    digits.pop_back();
    value.kind = ConstantKind::Complex;
    value.number = floatValue(digits);
    return value;
  }
  if (digits.find_first_of(".eE") == std::string::npos)
    return integerValue(digits, 0, context);
  value.kind = ConstantKind::Float;
  value.number = floatValue(digits);
  return value;
}
