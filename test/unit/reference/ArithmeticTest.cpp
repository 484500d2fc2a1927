//===- ArithmeticTest.cpp - Scalars, worked out by hand -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules that languages leave open: division by zero, shifts, saturation,
// rounding of small floats, NaN.
//===----------------------------------------------------------------------===//
#include "test/unit/reference/Harness.h"

#include <cmath>

namespace tilewright::reference::test {
namespace {

int32_t binary(const std::string &name, int32_t a, int32_t b) {
  return compute<int32_t>("i32", "%a = arith.constant " + std::to_string(a) +
                                     " : i32\n%b = arith.constant " +
                                     std::to_string(b) +
                                     " : i32\n%r = " + name + " %a, %b : i32");
}

TEST(Arithmetic, IntegersAreTotal) {
  constexpr int32_t least = INT32_MIN;
  EXPECT_EQ(binary("arith.divsi", 7, 0), -1);
  EXPECT_EQ(binary("arith.divui", 7, 0), -1);
  EXPECT_EQ(binary("arith.remsi", -7, 0), -7);
  EXPECT_EQ(binary("arith.remui", 7, 0), 7);
  EXPECT_EQ(binary("arith.divsi", least, -1), least);
  EXPECT_EQ(binary("arith.remsi", least, -1), 0);
  EXPECT_EQ(binary("arith.divsi", -7, 2), -3);
  EXPECT_EQ(binary("arith.remsi", -7, 2), -1);
  EXPECT_EQ(binary("arith.shli", 1, 32), 0);
  EXPECT_EQ(binary("arith.shrui", -1, 32), 0);
  EXPECT_EQ(binary("arith.shrsi", -8, 40), -1);
  EXPECT_EQ(binary("arith.shrsi", 8, 40), 0);
  EXPECT_EQ(binary("arith.addi", INT32_MAX, 1), least);
  EXPECT_EQ(binary("kernel.mulhi", -1, -1), -2);
  EXPECT_EQ(binary("arith.maxui", -1, 1), -1);
  EXPECT_EQ(binary("arith.maxsi", -1, 1), 1);
}

/// `value` is the f32 in hexadecimal.
uint8_t toFloat8(const std::string &value, const std::string &type,
                 const std::string &attributes = "") {
  return compute<uint8_t>(
      "i8", "%a = arith.constant " + value + " : f32\n%s = arith.truncf %a " +
                attributes + " : f32 to " + type +
                "\n%r = arith.bitcast %s : " + type + " to i8");
}

TEST(Arithmetic, SmallFloatsRoundOnceAndSaturateWhenAsked) {
  EXPECT_EQ(toFloat8("448.0", "f8E4M3FN"), 0x7e);
  EXPECT_EQ(toFloat8("464.0", "f8E4M3FN"), 0x7e); // a tie goes to even
  EXPECT_EQ(toFloat8("465.0", "f8E4M3FN"), 0x7f); // NaN
  EXPECT_EQ(toFloat8("465.0", "f8E4M3FN", "{tw.saturate}"), 0x7e);
  EXPECT_EQ(toFloat8("-1.0e9", "f8E4M3FN", "{tw.saturate}"), 0xfe);
  EXPECT_EQ(toFloat8("0x7FC00000", "f8E4M3FN", "{tw.saturate}") & 0x7f, 0x7f);
  EXPECT_EQ(toFloat8("1.0e9", "f8E5M2"), 0x7c); // infinity
  EXPECT_EQ(toFloat8("1.0e9", "f8E5M2", "{tw.saturate}"), 0x7b);
  EXPECT_EQ(toFloat8("0x7F800000", "f8E5M2", "{tw.saturate}"), 0x7b);
  EXPECT_EQ(toFloat8("-0.0", "f8E4M3FNUZ"), 0x00);       // no negative zero
  EXPECT_EQ(toFloat8("0.0009765625", "f8E4M3FN"), 0x00); // half the smallest
}

int32_t toInteger(const std::string &value, const std::string &op) {
  return compute<int32_t>("i32", "%a = arith.constant " + value +
                                     " : f32\n%r = arith." + op +
                                     " %a : f32 to i32");
}

TEST(Arithmetic, FloatToIntegerSaturates) {
  EXPECT_EQ(toInteger("-1.9", "fptosi"), -1);
  EXPECT_EQ(toInteger("3.0e9", "fptosi"), INT32_MAX);
  EXPECT_EQ(toInteger("-3.0e9", "fptosi"), INT32_MIN);
  EXPECT_EQ(toInteger("0x7FC00000", "fptosi"), 0);
  EXPECT_EQ(toInteger("-3.0", "fptoui"), 0);
  EXPECT_EQ(toInteger("1.0e10", "fptoui"), -1);
}

float floats(const std::string &name, const std::string &a,
             const std::string &b) {
  return compute<float>("f32", "%a = arith.constant " + a +
                                   " : f32\n%b = arith.constant " + b +
                                   " : f32\n%r = " + name + " %a, %b : f32");
}

TEST(Arithmetic, MinimaAndMaximaOfNaNAndZeros) {
  const std::string nan = "0x7FC00000";
  EXPECT_EQ(floats("arith.maxnumf", nan, "2.0"), 2);
  EXPECT_EQ(floats("arith.minnumf", "2.0", nan), 2);
  EXPECT_TRUE(std::isnan(floats("arith.maximumf", nan, "2.0")));
  EXPECT_TRUE(std::isnan(floats("arith.minimumf", "2.0", nan)));
  EXPECT_FALSE(std::signbit(floats("arith.maxnumf", "-0.0", "0.0")));
  EXPECT_TRUE(std::signbit(floats("arith.minnumf", "0.0", "-0.0")));
  EXPECT_EQ(floats("arith.remf", "-7.5", "2.0"), -1.5f);
}

TEST(Arithmetic, LargeIntegersRoundOnce) {
  // 2^24 + 1 is a tie in f32; 2^53 + 2^29 + 1 would be one after double.
  EXPECT_EQ(compute<float>("f32", "%a = arith.constant 16777217 : i64\n"
                                  "%r = arith.sitofp %a : i64 to f32"),
            16777216.0f);
  EXPECT_EQ(compute<float>("f32", "%a = arith.constant 9007199791611905 : i64\n"
                                  "%r = arith.sitofp %a : i64 to f32"),
            9007200328482816.0f);
}

TEST(Arithmetic, FusedMultiplyAddIsNotRoundedTwice) {
  // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24: lost when the product is rounded.
  EXPECT_EQ(compute<float>("f32", "%a = arith.constant 1.000244140625 : f32\n"
                                  "%c = arith.constant -1.00048828125 : f32\n"
                                  "%r = math.fma %a, %a, %c : f32"),
            std::ldexp(1.0f, -24));
}

} // namespace
} // namespace tilewright::reference::test
