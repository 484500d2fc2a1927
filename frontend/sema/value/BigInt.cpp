//===- BigInt.cpp - Integers without bound ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation extends both operands far enough that it cannot overflow.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/BigInt.h"

#include "llvm/ADT/APFloat.h"
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

double BigInt::toDouble() const { return bits.signedRoundToDouble(); }

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
