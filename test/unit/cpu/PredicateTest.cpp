//===- PredicateTest.cpp - Launch predicates ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each expression is compiled and run by the evaluator that launchers use.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/Predicate.h"
#include "tilewright/record.h"

#include <gtest/gtest.h>
#include <vector>

namespace tilewright::sdk {
namespace {

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t apply(uint8_t opcode, int64_t a, int64_t b) {
  switch (opcode) {
  case TW_EXPR_ADD:
    return a + b;
  case TW_EXPR_SUB:
    return a - b;
  case TW_EXPR_MUL:
    return a * b;
  case TW_EXPR_FLOOR_DIV:
    return floorDivide(a, b);
  case TW_EXPR_CEIL_DIV:
    return -floorDivide(-a, b);
  case TW_EXPR_FLOOR_MOD:
    return a - b * floorDivide(a, b);
  case TW_EXPR_MIN:
    return std::min(a, b);
  case TW_EXPR_MAX:
    return std::max(a, b);
  case TW_EXPR_AND:
    return a & b;
  case TW_EXPR_OR:
    return a | b;
  case TW_EXPR_XOR:
    return a ^ b;
  case TW_EXPR_EQ:
    return a == b;
  case TW_EXPR_NE:
    return a != b;
  case TW_EXPR_LT:
    return a < b;
  case TW_EXPR_LE:
    return a <= b;
  }
  ADD_FAILURE() << "opcode " << int(opcode);
  return 0;
}

/// Runs postfix code on arguments M = 256, N = 100, K = -7 and a 5x6x7 grid.
int64_t run(const std::string &code) {
  const int64_t arguments[] = {256, 100, -7}, programs[] = {5, 6, 7};
  std::vector<int64_t> stack;
  for (size_t i = 0; i < code.size();) {
    uint8_t opcode = code[i++];
    if (opcode == TW_EXPR_CONST) {
      uint64_t value = 0;
      for (unsigned k = 0; k < 8; ++k)
        value |= uint64_t(uint8_t(code[i++])) << (8 * k);
      stack.push_back(int64_t(value));
    } else if (opcode == TW_EXPR_ARGUMENT) {
      stack.push_back(arguments[uint8_t(code[i])]);
      i += 2;
    } else if (opcode == TW_EXPR_PROGRAMS) {
      stack.push_back(programs[uint8_t(code[i++])]);
    } else if (opcode == TW_EXPR_NOT) {
      stack.back() = stack.back() == 0;
    } else {
      int64_t b = stack.back();
      stack.pop_back();
      stack.back() = apply(opcode, stack.back(), b);
    }
  }
  EXPECT_EQ(stack.size(), 1u);
  return stack.empty() ? -1 : stack.back();
}

int64_t value(const char *text) {
  std::string error;
  std::optional<std::string> code =
      compilePredicate(text, {"M", "N", "K"}, error);
  EXPECT_TRUE(code) << text << ": " << error;
  return code ? run(*code) : -1;
}

std::string problem(const std::string &text) {
  std::string error;
  EXPECT_FALSE(compilePredicate(text, {"M", "N", "K"}, error)) << text;
  return error;
}

TEST(Predicate, Values) {
  EXPECT_EQ(value("M % 128 == 0"), 1);
  EXPECT_EQ(value("N % 128 == 0"), 0);
  EXPECT_EQ(value("M % 128 == 0 and N % 4 == 0"), 1);
  EXPECT_EQ(value("M and N"), 1) << "256 & 100 is 0, but both are true";
  EXPECT_EQ(value("not M or K"), 1);
  EXPECT_EQ(value("not (M == 256)"), 0);
  EXPECT_EQ(value("not M == 255"), 1) << "not binds weaker than ==";
  EXPECT_EQ(value("M > N"), 1);
  EXPECT_EQ(value("M >= 257"), 0);
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("10 - 3 - 2"), 5) << "left to right";
  EXPECT_EQ(value("K // 2"), -4);
  EXPECT_EQ(value("K % 4"), 1);
  EXPECT_EQ(value("-K"), 7);
  EXPECT_EQ(value("cdiv(N, 64)"), 2);
  EXPECT_EQ(value("min(M, N) + max(M, N)"), 356);
  EXPECT_EQ(value("num_programs(2)"), 7);
  EXPECT_EQ(value("M & 0x100 | 1"), 257);
  EXPECT_EQ(value("True"), 1);
}

TEST(Predicate, Refusals) {
  EXPECT_EQ(problem("Q == 1"), "expected the name of an argument, got 'Q'");
  EXPECT_EQ(problem("M =="), "expected a name, a number or '(', got ''");
  EXPECT_EQ(problem("(M"), "expected ')', got ''");
  EXPECT_EQ(problem("M N"), "expected an operator, got 'N'");
  EXPECT_EQ(problem("abs(M)"),
            "expected min, max, cdiv or num_programs, got 'abs'");
  EXPECT_EQ(problem("99999999999999999999"),
            "expected an integer, got '99999999999999999999'");
  EXPECT_EQ(problem("num_programs(3)"),
            "expected an axis 0, 1 or 2 in num_programs()");
  std::string deep(200, '(');
  EXPECT_EQ(problem(deep + "M"), "expected a shallower expression");
}

} // namespace
} // namespace tilewright::sdk
