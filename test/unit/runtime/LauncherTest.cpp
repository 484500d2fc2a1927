//===- LauncherTest.cpp - Expressions, facts, packing -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a launch that need no device.
//===----------------------------------------------------------------------===//
#include "runtime/Facts.h"
#include "runtime/Packing.h"
#include "test/unit/runtime/TestArtifact.h"
#include "tilewright/expression.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::test;

namespace {
/// Assembles expressions.
class Code {
public:
  Code &constant(int64_t value) {
    bytes.push_back(TW_EXPR_CONST);
    for (int i = 0; i < 8; ++i)
      bytes.push_back(
          static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
    return *this;
  }
  Code &argument(uint16_t index) {
    bytes.insert(bytes.end(),
                 {TW_EXPR_ARGUMENT, static_cast<uint8_t>(index & 255),
                  static_cast<uint8_t>(index >> 8)});
    return *this;
  }
  Code &programs(uint8_t axis) {
    bytes.insert(bytes.end(), {TW_EXPR_PROGRAMS, axis});
    return *this;
  }
  Code &op(uint8_t code) {
    bytes.push_back(code);
    return *this;
  }
  tw_bytes view() const { return {bytes.data(), bytes.size()}; }
  artifact::Bytes bytes;
};

/// The value of a op b, or nothing where the evaluation fails.
std::optional<int64_t> apply(uint8_t op, int64_t a, int64_t b) {
  Code code;
  code.constant(a).constant(b).op(op);
  EXPECT_TRUE(tw_expr_check(code.view(), 0));
  tw_expr_input input = {};
  int64_t result = 0;
  if (!tw_expr_evaluate(code.view(), &input, &result))
    return std::nullopt;
  return result;
}
} // namespace

TEST(Expression, RoundsDivisionsDown) {
  EXPECT_EQ(apply(TW_EXPR_FLOOR_DIV, 7, 2), 3);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_DIV, -7, 2), -4);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_DIV, 7, -2), -4);
  EXPECT_EQ(apply(TW_EXPR_CEIL_DIV, 7, 2), 4);
  EXPECT_EQ(apply(TW_EXPR_CEIL_DIV, -7, 2), -3);
  EXPECT_EQ(apply(TW_EXPR_CEIL_DIV, 8, 2), 4);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_MOD, -7, 4), 1);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_MOD, 7, -4), -1);
}

TEST(Expression, FailsInsteadOfOverflowing) {
  EXPECT_EQ(apply(TW_EXPR_ADD, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_ADD, INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_ADD, INT64_MAX, INT64_MIN), -1);
  EXPECT_EQ(apply(TW_EXPR_SUB, INT64_MIN, 1), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_SUB, 0, INT64_MIN), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_SUB, -1, INT64_MIN), INT64_MAX);
  EXPECT_EQ(apply(TW_EXPR_MUL, INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_MUL, -1, INT64_MIN), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_MUL, 1ll << 32, 1ll << 31), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_MUL, 1ll << 31, -(1ll << 32)), INT64_MIN);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_DIV, 1, 0), std::nullopt);
  EXPECT_EQ(apply(TW_EXPR_FLOOR_MOD, INT64_MIN, -1), std::nullopt);
}

TEST(Expression, ReadsArgumentsAndPrograms) {
  Code code; // argument 1 < programs(2) ? argument 0 : -1
  code.argument(1)
      .programs(2)
      .op(TW_EXPR_LT)
      .argument(0)
      .constant(-1)
      .op(TW_EXPR_SELECT);
  const int64_t arguments[] = {77, 5};
  tw_expr_input input = {arguments, 2, {1, 2, 6}};
  ASSERT_TRUE(tw_expr_check(code.view(), 2));
  int64_t result = 0;
  ASSERT_TRUE(tw_expr_evaluate(code.view(), &input, &result));
  EXPECT_EQ(result, 77);
  input.programs[2] = 5;
  ASSERT_TRUE(tw_expr_evaluate(code.view(), &input, &result));
  EXPECT_EQ(result, -1);
  EXPECT_FALSE(tw_expr_check(code.view(), 1)) << "argument 1 does not exist";
}

TEST(Expression, MalformedCodeIsRefused) {
  auto refused = [](const Code &code) {
    return !tw_expr_check(code.view(), 1);
  };
  EXPECT_TRUE(refused(Code()));
  EXPECT_TRUE(refused(Code().op(TW_EXPR_ADD)));
  EXPECT_TRUE(refused(Code().constant(1).op(TW_EXPR_ADD)));
  EXPECT_TRUE(refused(Code().constant(1).constant(2)));
  EXPECT_TRUE(refused(Code().op(TW_EXPR_CONST).op(1)));
  EXPECT_TRUE(refused(Code().programs(3)));
  for (int op = 0; op < 256; ++op) {
    bool known =
        op == TW_EXPR_ADD || (op > 16 && op <= 26) || (op >= 32 && op <= 35);
    EXPECT_EQ(!refused(Code().constant(1).constant(1).op(uint8_t(op))), known)
        << op;
  }
  Code deep;
  for (int i = 0; i < TW_EXPR_STACK; ++i)
    deep.constant(1);
  Code deeper = deep;
  deeper.constant(1);
  for (int i = 1; i < TW_EXPR_STACK; ++i)
    deep.op(TW_EXPR_ADD);
  for (int i = 0; i < TW_EXPR_STACK; ++i)
    deeper.op(TW_EXPR_ADD);
  EXPECT_FALSE(refused(deep));
  EXPECT_TRUE(refused(deeper));
}

//===--- Facts ------------------------------------------------------------===//

namespace {
class FactsTest : public testing::Test {
protected:
  FactsTest()
      : kernel(makeKernel("k", {pointer("p", TW_DTYPE_F32),
                                pointer("q", TW_DTYPE_F32),
                                scalar("n", TW_DTYPE_I32)})) {}
  bool holds(tw_fact fact) {
    kernel.facts = {fact};
    return firstBrokenFact(
               kernel, &block, {1, 1, 1},
               {[](void *ctx, uint32_t argument, uint64_t) {
                  return static_cast<FactsTest *>(ctx)->extents[argument];
                },
                this}) < 0;
  }
  artifact::Kernel kernel;
  struct {
    uint64_t p, q;
    int32_t n;
  } block = {0x1000, 0x2008, 48};
  Extent extents[2] = {{0x1000, 0x2000, true}, {0x2000, 0x3000, true}};
};
} // namespace

TEST_F(FactsTest, Divisibility) {
  EXPECT_TRUE(holds(makeFact(TW_FACT_DIVISIBLE, 0, 16)));
  EXPECT_FALSE(holds(makeFact(TW_FACT_DIVISIBLE, 1, 16)));
  EXPECT_TRUE(holds(makeFact(TW_FACT_DIVISIBLE, 2, 16)));
  block.n = -48;
  EXPECT_TRUE(holds(makeFact(TW_FACT_DIVISIBLE, 2, 16)));
  block.n = -47;
  EXPECT_FALSE(holds(makeFact(TW_FACT_DIVISIBLE, 2, 16)));
  block.p = 0xfffffffffffffff0; // as unsigned a multiple of 7, as -16 not
  EXPECT_TRUE(holds(makeFact(TW_FACT_DIVISIBLE, 0, 7)));
}

TEST_F(FactsTest, ValueAndRange) {
  EXPECT_TRUE(holds(makeFact(TW_FACT_VALUE, 2, 48)));
  EXPECT_FALSE(holds(makeFact(TW_FACT_VALUE, 2, 1)));
  EXPECT_TRUE(holds(makeFact(TW_FACT_RANGE, 2, 48, 48)));
  EXPECT_FALSE(holds(makeFact(TW_FACT_RANGE, 2, 49, 100)));
  EXPECT_FALSE(holds(makeFact(TW_FACT_RANGE, 2, 0, 47)));
  block.n = -1;
  EXPECT_TRUE(holds(makeFact(TW_FACT_RANGE, 2, -1, 0)));
}

TEST_F(FactsTest, DisjointnessNeedsKnownExtents) {
  tw_fact fact = makeFact(TW_FACT_DISJOINT, 0, 0, 0, 1);
  EXPECT_TRUE(holds(fact));
  extents[0].end = 0x2001;
  EXPECT_FALSE(holds(fact));
  extents[0] = {0x2800, 0x2800, true}; // empty
  EXPECT_TRUE(holds(fact));
  extents[1].known = false;
  EXPECT_FALSE(holds(fact));
}

TEST_F(FactsTest, APredicateThatFailsDoesNotHold) {
  kernel.facts.clear();
  ExtentSource none = {nullptr, nullptr};
  kernel.predicate = Code()
                         .argument(2)
                         .constant(16)
                         .op(TW_EXPR_FLOOR_MOD)
                         .op(TW_EXPR_NOT)
                         .bytes;
  EXPECT_EQ(firstBrokenFact(kernel, &block, {1, 1, 1}, none), -1);
  block.n = 47;
  EXPECT_EQ(firstBrokenFact(kernel, &block, {1, 1, 1}, none), 0);
  kernel.predicate = Code().constant(1).constant(0).op(TW_EXPR_FLOOR_DIV).bytes;
  EXPECT_EQ(firstBrokenFact(kernel, &block, {1, 1, 1}, none), 0);
}

//===--- Packing ----------------------------------------------------------===//

static tw_rt_value integer(int64_t number) {
  tw_rt_value value = {};
  value.kind = TW_RT_VALUE_INT;
  value.integer = number;
  return value;
}

TEST(Packing, IntegersMustFit) {
  struct Row {
    uint32_t dtype;
    int64_t low, high;
  };
  for (Row row :
       {Row{TW_DTYPE_I1, 0, 1}, Row{TW_DTYPE_I8, -128, 127},
        Row{TW_DTYPE_U8, 0, 255}, Row{TW_DTYPE_I16, -32768, 32767},
        Row{TW_DTYPE_U16, 0, 65535}, Row{TW_DTYPE_I32, INT32_MIN, INT32_MAX},
        Row{TW_DTYPE_U32, 0, UINT32_MAX}}) {
    artifact::Kernel kernel = makeKernel("k", {scalar("n", row.dtype)});
    const artifact::Parameter &parameter = kernel.parameters[0];
    uint64_t block = 0;
    for (int64_t number : {row.low, row.high}) {
      Problem problem;
      EXPECT_TRUE(packValue(parameter, integer(number), &block, problem));
      EXPECT_EQ(readArgument(parameter, &block), number);
    }
    for (int64_t number : {row.low - 1, row.high + 1}) {
      Problem problem;
      EXPECT_FALSE(packValue(parameter, integer(number), &block, problem))
          << row.dtype << " " << number;
      EXPECT_EQ(problem.code, 6005u);
    }
  }
}

TEST(Packing, SixtyFourBitsKeepTheirSign) {
  artifact::Kernel kernel =
      makeKernel("k", {scalar("s", TW_DTYPE_I64), scalar("u", TW_DTYPE_U64)});
  uint64_t block[2];
  Problem problem;
  tw_rt_value large = {};
  large.kind = TW_RT_VALUE_UINT;
  large.address = UINT64_MAX;
  EXPECT_TRUE(
      packValue(kernel.parameters[0], integer(INT64_MIN), block, problem));
  EXPECT_TRUE(packValue(kernel.parameters[1], large, block, problem));
  EXPECT_EQ(block[1], UINT64_MAX);
  EXPECT_FALSE(packValue(kernel.parameters[0], large, block, problem));
  EXPECT_FALSE(packValue(kernel.parameters[1], integer(-1), block, problem));
}

TEST(Packing, ArraysNeedMemory) {
  artifact::Kernel kernel = makeKernel("k", {pointer("p", TW_DTYPE_F32)});
  tw_rt_value nowhere = {};
  nowhere.kind = TW_RT_VALUE_ADDRESS;
  char block[8];
  Problem problem;
  EXPECT_TRUE(packValue(kernel.parameters[0], nowhere, block, problem));
  nowhere.bytes = 40;
  EXPECT_FALSE(packValue(kernel.parameters[0], nowhere, block, problem));
  EXPECT_EQ(problem.code, 6021u);
}

TEST(Packing, KindsMustMatch) {
  artifact::Kernel kernel =
      makeKernel("k", {pointer("p", TW_DTYPE_F32), scalar("n", TW_DTYPE_I32),
                       scalar("x", TW_DTYPE_F32), scalar("q", TW_DTYPE_F8E5)});
  tw_rt_value number = {};
  number.kind = TW_RT_VALUE_FLOAT;
  number.number = 1.5;
  tw_rt_value address = {};
  address.kind = TW_RT_VALUE_ADDRESS;
  char block[32];
  const std::pair<int, tw_rt_value> refused[] = {{0, integer(1)}, {0, number},
                                                 {1, number},     {1, address},
                                                 {2, address},    {3, number}};
  for (const auto &[index, value] : refused) {
    Problem problem;
    EXPECT_FALSE(
        packValue(kernel.parameters[size_t(index)], value, block, problem));
    EXPECT_EQ(problem.code, 6004u) << index;
  }
  Problem problem;
  EXPECT_TRUE(packValue(kernel.parameters[2], integer(3), block, problem));
  float stored;
  std::memcpy(&stored, block + kernel.parameters[2].offset, 4);
  EXPECT_EQ(stored, 3.0f);
}

TEST(Packing, HalfRoundsToNearestEven) {
  // Expected bits from the IEEE 754 binary16 format.
  const std::pair<double, uint16_t> rows[] = {
      {0.0, 0x0000},
      {-0.0, 0x8000},
      {1.0, 0x3c00},
      {-2.0, 0xc000},
      {65504.0, 0x7bff},
      {65519.999, 0x7bff},
      {65520.0, 0x7c00},
      {1e300, 0x7c00},
      {0x1p-14, 0x0400},
      {0x1p-24, 0x0001},
      {0x1p-25, 0x0000},
      {0x1.8p-25, 0x0001},
      {0x1.ff8p-15, 0x03ff},
      {0x1.ffcp-15, 0x0400},
      {1 + 0x1p-11, 0x3c00},
      {1 + 0x3p-11, 0x3c02},
      {1 + 0x1p-11 + 0x1p-40, 0x3c01}, // a stop at float would round to 0x3c00
      {INFINITY, 0x7c00},
      {-INFINITY, 0xfc00}};
  for (auto [value, bits] : rows)
    EXPECT_EQ(roundToHalf(value), bits) << value;
  EXPECT_EQ(roundToHalf(NAN) & 0x7fff, 0x7e00);
}

TEST(Packing, BfloatRoundsToNearestEven) {
  // A bfloat is the upper half of a float.
  const std::pair<double, uint16_t> rows[] = {{1.0, 0x3f80},
                                              {-1.5, 0xbfc0},
                                              {1 + 0x1p-8, 0x3f80},
                                              {1 + 0x3p-8, 0x3f82},
                                              {1 + 0x1p-8 + 0x1p-45, 0x3f81},
                                              {0x1.fep127, 0x7f7f},
                                              {0x1.ffp127, 0x7f80},
                                              {0x1p-126, 0x0080},
                                              {0x1p-133, 0x0001},
                                              {0x1p-134, 0x0000},
                                              {INFINITY, 0x7f80}};
  for (auto [value, bits] : rows)
    EXPECT_EQ(roundToBfloat(value), bits) << value;
}
