//===- PolynomialTest.cpp - Exact integer polynomials ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical form, exactness, and refusal to overflow or to grow.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/Polynomial.h"

#include <gtest/gtest.h>

namespace tilewright::lowering {
namespace {

const Polynomial x = Polynomial::atom(0), y = Polynomial::atom(1);

TEST(Polynomial, DifferencesCancel) {
  auto square = multiply(*add(x, y), *subtract(x, y));
  ASSERT_TRUE(square);
  EXPECT_EQ(*square, *subtract(*multiply(x, x), *multiply(y, y)));
  EXPECT_TRUE(subtract(*square, *square)->isZero());
  EXPECT_EQ(square->getCoefficient({0, 1}), 0);
  EXPECT_EQ(square->getCoefficient({1, 1}), -1);
}

TEST(Polynomial, Constants) {
  EXPECT_EQ(Polynomial(7).getConstant(), 7);
  EXPECT_EQ(Polynomial().getConstant(), 0);
  EXPECT_EQ(x.getConstant(), std::nullopt);
  EXPECT_EQ(add(x, 1)->getConstant(), std::nullopt);
}

TEST(Polynomial, RefusesOverflow) {
  EXPECT_FALSE(add(INT64_MAX, 1));
  EXPECT_FALSE(multiply(Polynomial::term({0}, INT64_MIN), -1));
  EXPECT_FALSE(subtract(INT64_MIN, 1));
  EXPECT_TRUE(add(INT64_MAX, -1));
}

TEST(Polynomial, RefusesToGrow) {
  std::optional<Polynomial> power = x;
  unsigned degree = 1;
  while (power && degree < 100) {
    power = multiply(*power, x);
    ++degree;
  }
  EXPECT_FALSE(power);
  std::optional<Polynomial> sum = Polynomial();
  for (unsigned atom = 0; sum && atom < 1000; ++atom)
    sum = add(*sum, Polynomial::atom(atom));
  EXPECT_FALSE(sum);
}

TEST(Polynomial, DividesExactlyOrNotAtAll) {
  EXPECT_EQ(divideTerm({0, 1}, 6, Polynomial::term({0}, 3)),
            Polynomial::term({1}, 2));
  EXPECT_FALSE(divideTerm({0, 1}, 7, Polynomial::term({0}, 3)));
  EXPECT_FALSE(divideTerm({0}, 6, Polynomial::term({1}, 3)));
  EXPECT_FALSE(divideTerm({0}, 6, *add(x, 1)));
  EXPECT_FALSE(divideTerm({0}, INT64_MIN, Polynomial(-1)));
  EXPECT_EQ(divideByConstant(*add(*multiply(x, 64), 128), 64), add(x, 2));
  EXPECT_FALSE(divideByConstant(*add(*multiply(x, 64), 32), 64));
}

} // namespace
} // namespace tilewright::lowering
