//===- BuiltinsTest.cpp - Functions linked into kernels ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against the C library and the processor, on random bits and edge values.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

extern "C" {
void *builtin_memcpy(void *, const void *, size_t);
void *builtin_memmove(void *, const void *, size_t);
void *builtin_memset(void *, int, size_t);
int builtin_memcmp(const void *, const void *, size_t);
double builtin_trunc(double);
double builtin_floor(double);
double builtin_ceil(double);
double builtin_round(double);
double builtin_rint(double);
float builtin_floorf(float);
float builtin_roundf(float);
float builtin_rintf(float);
double builtin_fmod(double, double);
float builtin_fmodf(float, float);
double builtin_fma(double, double, double);
float builtin_fmaf(float, float, float);
_Float16 builtin_truncdfhf2(double);
_Float16 builtin_truncsfhf2(float);
float builtin_extendhfsf2(_Float16);
}

namespace tilewright::cpu {
namespace {

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

uint64_t bits(double x) {
  return std::isnan(x) ? 0x7ff8000000000000 : bitCast<uint64_t>(x);
}
uint32_t bits(float x) {
  return std::isnan(x) ? 0x7fc00000 : bitCast<uint32_t>(x);
}

/// Edge values, then random bits, then random values near one another.
std::vector<double> doubles(size_t count) {
  std::vector<double> list = {0.0,
                              -0.0,
                              0.5,
                              -0.5,
                              1.5,
                              2.5,
                              -2.5,
                              1.0,
                              -1.0,
                              0x1p52,
                              0x1p53,
                              0x1p-1074,
                              0x1p-1022,
                              0x1.fffffffffffffp1023,
                              INFINITY,
                              -INFINITY,
                              NAN,
                              0.49999999999999994,
                              0x1.fffffffffffffp51,
                              0x1p-1023};
  std::mt19937_64 random(7);
  while (list.size() < count) {
    list.push_back(bitCast<double>(random()));
    list.push_back(std::ldexp(double(int64_t(random()) >> 20), -22));
  }
  return list;
}

TEST(Builtins, RoundingOfDoubles) {
  for (double x : doubles(200000)) {
    ASSERT_EQ(bits(builtin_trunc(x)), bits(std::trunc(x))) << x;
    ASSERT_EQ(bits(builtin_floor(x)), bits(std::floor(x))) << x;
    ASSERT_EQ(bits(builtin_ceil(x)), bits(std::ceil(x))) << x;
    ASSERT_EQ(bits(builtin_round(x)), bits(std::round(x))) << x;
    ASSERT_EQ(bits(builtin_rint(x)), bits(std::rint(x))) << x;
  }
}

TEST(Builtins, RoundingOfFloats) {
  std::mt19937 random(3);
  for (int i = 0; i < 200000; ++i) {
    float x = i % 2 ? bitCast<float>(uint32_t(random()))
                    : float(int32_t(random()) >> 12) * 0.125f;
    ASSERT_EQ(bits(builtin_floorf(x)), bits(std::floor(x))) << x;
    ASSERT_EQ(bits(builtin_roundf(x)), bits(std::round(x))) << x;
    ASSERT_EQ(bits(builtin_rintf(x)), bits(std::rint(x))) << x;
  }
}

TEST(Builtins, Remainder) {
  std::vector<double> values = doubles(4000);
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    double x = values[random() % values.size()];
    double y = values[random() % values.size()];
    ASSERT_EQ(bits(builtin_fmod(x, y)), bits(std::fmod(x, y))) << x << " " << y;
    float xf = float(x), yf = float(y);
    ASSERT_EQ(bits(builtin_fmodf(xf, yf)), bits(std::fmod(xf, yf)));
  }
}

TEST(Builtins, FusedMultiplyAdd) {
  std::vector<double> values = doubles(5000);
  std::mt19937_64 random(13);
  auto pick = [&] { return values[random() % values.size()]; };
  for (int i = 0; i < 400000; ++i) {
    int exponent;
    double x = pick(), y = pick(), z = pick();
    // Cancellation and results near the ends of the range.
    if (i % 4 == 1)
      z = -x * y;
    if (i % 4 == 2)
      z = std::nextafter(-x * y, 0.0);
    if (i % 4 == 3) {
      x = std::ldexp(std::frexp(x, &exponent), -500);
      y = std::ldexp(std::frexp(y, &exponent), -560);
      z = std::ldexp(z == z && !std::isinf(z) ? std::frexp(z, &exponent) : 1.0,
                     -1060);
    }
    ASSERT_EQ(bits(builtin_fma(x, y, z)), bits(std::fma(x, y, z)))
        << std::hexfloat << x << " " << y << " " << z;
  }
}

TEST(Builtins, FusedMultiplyAddOfFloats) {
  std::mt19937 random(17);
  for (int i = 0; i < 1000000; ++i) {
    float x = bitCast<float>(uint32_t(random()));
    float y = bitCast<float>(uint32_t(random()));
    float z = i % 2 ? -x * y : bitCast<float>(uint32_t(random()));
    if (i % 4 == 3)
      z = std::nextafter(z, 0.0f);
    ASSERT_EQ(bits(builtin_fmaf(x, y, z)), bits(std::fma(x, y, z)))
        << std::hexfloat << x << " " << y << " " << z;
  }
}

TEST(Builtins, Halves) {
  for (uint32_t i = 0; i < 0x10000; ++i) {
    _Float16 half = bitCast<_Float16>(uint16_t(i));
    float wide = builtin_extendhfsf2(half);
    ASSERT_EQ(bits(wide), bits(float(half))) << i;
    if (!std::isnan(wide))
      ASSERT_EQ(bitCast<uint16_t>(builtin_truncsfhf2(wide)), uint16_t(i));
  }
  std::mt19937_64 random(19);
  for (int i = 0; i < 300000; ++i) {
    double x = std::ldexp(double(int64_t(random())), int(random() % 60) - 100);
    ASSERT_EQ(bits(float(builtin_truncdfhf2(x))), bits(float(_Float16(x))))
        << x;
    float f = float(x);
    ASSERT_EQ(bits(float(builtin_truncsfhf2(f))), bits(float(_Float16(f))))
        << f;
  }
}

TEST(Builtins, Memory) {
  std::string text = "abcdefghij", copy(10, '.');
  builtin_memcpy(copy.data(), text.data(), 10);
  EXPECT_EQ(copy, text);
  builtin_memmove(copy.data() + 2, copy.data(), 6);
  EXPECT_EQ(copy, "ababcdefij");
  copy = text;
  builtin_memmove(copy.data(), copy.data() + 3, 6);
  EXPECT_EQ(copy, "defghighij");
  builtin_memset(copy.data(), 'x', 3);
  EXPECT_EQ(copy, "xxxghighij");
  EXPECT_EQ(builtin_memcmp("abc", "abd", 3), -1);
  EXPECT_EQ(builtin_memcmp("ab\xff", "abc", 3), 1);
  EXPECT_EQ(builtin_memcmp("abc", "abd", 2), 0);
}

} // namespace
} // namespace tilewright::cpu
