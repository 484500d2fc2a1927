//===- BigInt.cpp - Integers without bound ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation extends both operands far enough that it cannot overflow.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/BigInt.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"

#include <cmath>

using namespace tilewright::sema;
using llvm::APInt;

/// Numbers up to 64 bits stay inline in the APInt.
BigInt BigInt::fromSigned(APInt value) {
  unsigned needed = value.getSignificantBits();
  unsigned width = needed <= 64 ? 64 : ((needed + 63) / 64) * 64;
  return BigInt(value.sextOrTrunc(width));
}

BigInt BigInt::fromUnsigned(uint64_t value) {
  return fromSigned(APInt(65, value));
}

std::optional<BigInt> BigInt::fromDecimal(llvm::StringRef text) {
  llvm::StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  if (digits.empty() ||
      digits.find_first_not_of("0123456789") != llvm::StringRef::npos)
    return std::nullopt;
  if (digits.size() > MaxBits / 4)
    return std::nullopt;
  APInt value(digits.size() * 4 + 2, digits, 10);
  if (negative)
    value.negate();
  return fromSigned(value);
}

std::optional<BigInt> BigInt::fromDouble(double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  llvm::APSInt result(1100, /*isUnsigned=*/false);
  bool exact;
  llvm::APFloat(value).convertToInteger(result, llvm::APFloat::rmTowardZero,
                                        &exact);
  return fromSigned(result);
}

std::optional<int64_t> BigInt::asInt64() const {
  if (bits.getSignificantBits() > 64)
    return std::nullopt;
  return bits.getSExtValue();
}

llvm::APFloat BigInt::toFloat(const llvm::fltSemantics &semantics) const {
  llvm::APFloat result(semantics);
  result.convertFromAPInt(bits, /*IsSigned=*/true,
                          llvm::APFloat::rmNearestTiesToEven);
  return result;
}

double BigInt::toDouble() const {
  return toFloat(llvm::APFloat::IEEEdouble()).convertToDouble();
}

double BigInt::trueDivide(const BigInt &divisor) const {
  constexpr unsigned exactBits = 54;
  if (signedBits() <= exactBits && divisor.signedBits() <= exactBits)
    return toDouble() / divisor.toDouble();
  // Scaled to a quotient of at least 66 bits whose last bit stands for all
  // that follow.
  BigInt above = isNegative() ? -*this : *this;
  BigInt below = divisor.isNegative() ? -divisor : divisor;
  int scale = std::max<int>(0, 66 + static_cast<int>(below.signedBits()) -
                                   static_cast<int>(above.signedBits()));
  BigInt scaled = above.shiftLeft(scale);
  BigInt quotient = scaled.floorDiv(below);
  if (!scaled.floorMod(below).isZero())
    quotient = quotient | BigInt(1);
  double result = std::ldexp(quotient.toDouble(), -scale);
  return isNegative() != divisor.isNegative() ? -result : result;
}

std::string BigInt::str() const {
  llvm::SmallString<32> text;
  bits.toStringSigned(text);
  return std::string(text);
}

/// Sign-extends both to a common width with `extra` bits of room.
static std::pair<APInt, APInt> widen(const APInt &a, const APInt &b,
                                     unsigned extra) {
  unsigned width = std::max(a.getBitWidth(), b.getBitWidth()) + extra;
  return {a.sext(width), b.sext(width)};
}

int BigInt::compare(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 0);
  return a.slt(b) ? -1 : a == b ? 0 : 1;
}

BigInt BigInt::operator+(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 1);
  return fromSigned(a + b);
}
BigInt BigInt::operator-(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 1);
  return fromSigned(a - b);
}
BigInt BigInt::operator*(const BigInt &other) const {
  unsigned width = bits.getBitWidth() + other.bits.getBitWidth();
  return fromSigned(bits.sext(width) * other.bits.sext(width));
}
BigInt BigInt::operator&(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 0);
  return fromSigned(a & b);
}
BigInt BigInt::operator|(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 0);
  return fromSigned(a | b);
}
BigInt BigInt::operator^(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 0);
  return fromSigned(a ^ b);
}

BigInt BigInt::floorDiv(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 1);
  APInt quotient, remainder;
  APInt::sdivrem(a, b, quotient, remainder);
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative())
    --quotient;
  return fromSigned(quotient);
}

BigInt BigInt::floorMod(const BigInt &other) const {
  auto [a, b] = widen(bits, other.bits, 1);
  APInt remainder = a.srem(b);
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative())
    remainder += b;
  return fromSigned(remainder);
}

BigInt BigInt::shiftLeft(unsigned amount) const {
  return fromSigned(bits.sext(bits.getBitWidth() + amount).shl(amount));
}

BigInt BigInt::shiftRight(unsigned amount) const {
  return fromSigned(bits.ashr(std::min(amount, bits.getBitWidth() - 1)));
}
