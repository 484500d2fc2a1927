//===- BigIntTest.cpp - Unbounded integers ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are Python's.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/BigInt.h"

#include <gtest/gtest.h>

using tilewright::sema::BigInt;

static BigInt big(const char *text) { return *BigInt::fromDecimal(text); }

TEST(BigInt, FloorDivisionFollowsTheDivisorsSign) {
  struct Row {
    int64_t a, b, quotient, remainder;
  };
  for (Row row : {Row{7, 2, 3, 1}, Row{-7, 2, -4, 1}, Row{7, -2, -4, -1},
                  Row{-7, -2, 3, -1}, Row{6, 3, 2, 0}, Row{-6, 3, -2, 0}}) {
    EXPECT_EQ(BigInt(row.a).floorDiv(row.b), BigInt(row.quotient));
    EXPECT_EQ(BigInt(row.a).floorMod(row.b), BigInt(row.remainder));
  }
}

TEST(BigInt, GrowsBeyondSixtyFourBits) {
  BigInt product = big("18446744073709551616") * big("-3");
  EXPECT_EQ(product.str(), "-55340232221128654848");
  EXPECT_EQ((product + big("55340232221128654849")).str(), "1");
  EXPECT_EQ(BigInt(INT64_MIN).floorDiv(-1).str(), "9223372036854775808");
  EXPECT_EQ(BigInt(1).shiftLeft(100).str(), "1267650600228229401496703205376");
  EXPECT_EQ(BigInt(1).shiftLeft(100).shiftRight(98), BigInt(4));
  EXPECT_EQ(BigInt(-1).shiftRight(70), BigInt(-1));
}

TEST(BigInt, BitOperationsExtendTheSign) {
  EXPECT_EQ((BigInt(-1) & big("18446744073709551615")).str(),
            "18446744073709551615");
  EXPECT_EQ((~BigInt(5)).str(), "-6");
  EXPECT_EQ((BigInt(-8) ^ BigInt(3)).str(), "-5");
}

TEST(BigInt, KnowsItsWidth) {
  EXPECT_TRUE(BigInt(INT32_MAX).fitsSigned(32));
  EXPECT_FALSE((BigInt(INT32_MAX) + 1).fitsSigned(32));
  EXPECT_TRUE((BigInt(INT32_MAX) + 1).fitsUnsigned(32));
  EXPECT_FALSE(BigInt(-1).fitsUnsigned(32));
  EXPECT_TRUE(big("18446744073709551615").fitsUnsigned(64));
  EXPECT_FALSE(big("18446744073709551616").fitsUnsigned(64));
}

TEST(BigInt, ConvertsDoubles) {
  EXPECT_EQ(BigInt::fromDouble(-2.9)->str(), "-2");
  EXPECT_EQ(BigInt::fromDouble(1e20)->str(), "100000000000000000000");
  EXPECT_FALSE(BigInt::fromDouble(HUGE_VAL));
  EXPECT_EQ(big("9007199254740993").toDouble(), 9007199254740992.0);
}

TEST(BigInt, RoundsLargeNumbersToNearest) {
  EXPECT_EQ(big("9223372036854775808").toDouble(), 0x1p63);
  EXPECT_EQ(big("18446744073709551616").toDouble(), 0x1p64);
  EXPECT_EQ(big("-18446744073709551616").toDouble(), -0x1p64);
  EXPECT_EQ(big("1000000000000000000000000000000").toDouble(), 1e30);
  // 2^100 + 2^47 is a tie and goes to even; one more goes up.
  BigInt tie = BigInt(1).shiftLeft(100) + BigInt(1).shiftLeft(47);
  EXPECT_EQ(tie.toDouble(), 0x1p100);
  EXPECT_EQ((tie + 1).toDouble(), 0x1.0000000000001p100);
  EXPECT_EQ(BigInt(1).shiftLeft(2000).toDouble(), HUGE_VAL);
}

TEST(BigInt, DividesWithOneRounding) {
  EXPECT_EQ(BigInt(7).trueDivide(2), 3.5);
  EXPECT_EQ(BigInt(-7).trueDivide(2), -3.5);
  BigInt large = BigInt(1).shiftLeft(2000);
  EXPECT_EQ((large * 3).trueDivide(large), 3.0);
  EXPECT_EQ(large.trueDivide(large * -8), -0.125);
  // 2^53 + 1 over 1 is a tie.
  EXPECT_EQ(big("9007199254740993").trueDivide(1), 9007199254740992.0);
  EXPECT_EQ(big("27021597764222979").trueDivide(3), 9007199254740992.0);
}
