//===- BigInt.h - Integers without bound ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time integers follow Python: no width, floor division, infinite two's
// complement for bit operations. The value is a signed APInt that is widened
// as needed and shrunk back after each operation.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BIGINT_H
#define TILEWRIGHT_FRONTEND_SEMA_BIGINT_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilewright::sema {

class BigInt {
public:
  /// Results wider than this are refused by the callers that can grow them.
  static constexpr unsigned MaxBits = 1 << 16;

  BigInt(int64_t value = 0) : bits(64, static_cast<uint64_t>(value), true) {}
  static BigInt fromUnsigned(uint64_t value);
  /// Takes a signed two's complement number of any width.
  static BigInt fromSigned(llvm::APInt value);
  /// Digits of base 10 with an optional sign.
  static std::optional<BigInt> fromDecimal(llvm::StringRef text);
  /// Truncates toward zero; nullopt for NaN and infinities.
  static std::optional<BigInt> fromDouble(double value);

  std::optional<int64_t> asInt64() const;
  /// The low `width` bits.
  llvm::APInt toAPInt(unsigned width) const { return bits.sextOrTrunc(width); }
  /// Rounds to nearest even; too large numbers become infinite.
  llvm::APFloat toFloat(const llvm::fltSemantics &semantics) const;
  double toDouble() const;
  /// The quotient as Python's `/` gives it: rounded once.
  double trueDivide(const BigInt &divisor) const;
  std::string str() const;

  bool isZero() const { return bits.isZero(); }
  bool isNegative() const { return bits.isNegative(); }
  /// Smallest width that holds the value as a signed number.
  unsigned signedBits() const { return bits.getSignificantBits(); }
  bool fitsSigned(unsigned width) const { return signedBits() <= width; }
  bool fitsUnsigned(unsigned width) const {
    return !isNegative() && bits.getActiveBits() <= width;
  }
  /// -1, 0 or 1.
  int compare(const BigInt &other) const;
  friend bool operator==(const BigInt &a, const BigInt &b) {
    return a.compare(b) == 0;
  }

  BigInt operator+(const BigInt &other) const;
  BigInt operator-(const BigInt &other) const;
  BigInt operator*(const BigInt &other) const;
  BigInt operator-() const { return BigInt(0) - *this; }
  BigInt operator~() const { return fromSigned(~bits); }
  BigInt operator&(const BigInt &other) const;
  BigInt operator|(const BigInt &other) const;
  BigInt operator^(const BigInt &other) const;
  /// Floor division and modulo; the divisor is not zero.
  BigInt floorDiv(const BigInt &other) const;
  BigInt floorMod(const BigInt &other) const;
  BigInt shiftLeft(unsigned amount) const;
  BigInt shiftRight(unsigned amount) const;

private:
  explicit BigInt(llvm::APInt value) : bits(std::move(value)) {}
  llvm::APInt bits;
};

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BIGINT_H
