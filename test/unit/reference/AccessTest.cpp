//===- AccessTest.cpp - Memory, atomics, errors, prints -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only active elements touch memory; what goes wrong is named.
//===----------------------------------------------------------------------===//
#include "test/unit/reference/Harness.h"

#include <cmath>

namespace tilewright::reference::test {
namespace {

/// Reads in[offset ...] through a view of 4 elements, stores 4 results.
std::string throughView(const std::string &mode, int64_t offset) {
  return storing(
      "tensor<4xi32>", "i32",
      R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %four = arith.constant 4 : i64
    %at = arith.constant )" +
          std::to_string(offset) + R"( : i64
    %other = arith.constant -5 : i32
    %v = kernel.view %in sizes [%four] strides [%one] : !kernel.ptr<i32> -> !kernel.view<1, i32>
    %r = kernel.load %v[%at] lo [%zero] hi [%four] boundary [)" +
          mode +
          R"(] other %other : i32 : !kernel.view<1, i32> -> tensor<4xi32>)",
      ", %in: !kernel.ptr<i32>");
}

TEST(Access, BoundariesOfViews) {
  int32_t data[] = {10, 11, 12, 13}, result[4];
  Program checked(throughView("0", -1));
  ASSERT_TRUE(checked.run({addressOf(result), addressOf(data)}));
  EXPECT_EQ(std::vector<int32_t>(result, result + 4),
            (std::vector<int32_t>{-5, 10, 11, 12}));
  Program wrapped(throughView("2", -6));
  ASSERT_TRUE(wrapped.run({addressOf(result), addressOf(data)}));
  EXPECT_EQ(std::vector<int32_t>(result, result + 4),
            (std::vector<int32_t>{12, 13, 10, 11}));
}

TEST(Access, BooleansAreOneByte) {
  uint8_t in[] = {0, 2, 255, 1}, out[] = {9, 9, 9, 9};
  Program program(storing("tensor<4xi1>", "i1", R"(
    %i = kernel.range 0 to 4 : tensor<4xi32>
    %r = kernel.gather %in [%i : tensor<4xi32>] : !kernel.ptr<i1> -> tensor<4xi1>)",
                          ", %in: !kernel.ptr<i1>"));
  ASSERT_TRUE(program.run({addressOf(out), addressOf(in)}));
  EXPECT_EQ(std::vector<uint8_t>(out, out + 4),
            (std::vector<uint8_t>{0, 1, 1, 1}));
}

TEST(Access, EveryAtomicElementGetsItsOwnOldValue) {
  int32_t counter = 5, old[3] = {};
  Program program(storing("tensor<3xi32>", "i32", R"(
    %z = arith.constant dense<0> : tensor<3xi32>
    %v = kernel.range 1 to 4 : tensor<3xi32>
    %r = kernel.atomic_rmw add acq_rel gpu %v, %p [%z : tensor<3xi32>] : tensor<3xi32>, !kernel.ptr<i32> -> tensor<3xi32>)",
                          ", %p: !kernel.ptr<i32>"));
  ASSERT_TRUE(program.run({addressOf(old), addressOf(&counter)}));
  EXPECT_EQ(std::vector<int32_t>(old, old + 3),
            (std::vector<int32_t>{5, 6, 8}));
  EXPECT_EQ(counter, 11);
}

TEST(Access, CompareAndSwapComparesBits) {
  float memory = 0.0f, old = 1;
  Program program(storing("f32", "f32", R"(
    %c = arith.constant -0.0 : f32
    %v = arith.constant 2.0 : f32
    %r = kernel.atomic_cas relaxed gpu %c, %v, %p : f32, !kernel.ptr<f32> -> f32)",
                          ", %p: !kernel.ptr<f32>"));
  ASSERT_TRUE(program.run({addressOf(&old), addressOf(&memory)}));
  EXPECT_EQ(memory, 0.0f);
  EXPECT_FALSE(std::signbit(old));
}

/// Reads 4 elements from `in` + 2, masked to the first `count`.
std::string reading(const std::string &count) {
  return R"(
func.func @k(%in: !kernel.ptr<i32> {tw.name = "in_ptr", tw.dtype = "*i32"}) attributes {tw.kernel} {
  %i = kernel.range 2 to 6 : tensor<4xi32>
  %c = arith.constant dense<)" +
         count + R"(> : tensor<4xi32>
  %m = arith.cmpi slt, %i, %c : tensor<4xi32>
  %p = tensor.splat %in : tensor<4x!kernel.ptr<i32>>
  %q = kernel.addptr %p, %i : tensor<4x!kernel.ptr<i32>>, tensor<4xi32>
  %x = kernel.gather %q mask %m : tensor<4xi1> : tensor<4x!kernel.ptr<i32>> -> tensor<4xi32> loc("k.py":7:3)
  return
}
)";
}

TEST(Access, ChecksNameArgumentIndexExtentAndLine) {
  int32_t data[4] = {};
  auto findBuffer = [&](uint64_t address) -> std::optional<Buffer> {
    if (address - addressOf(data) < sizeof data)
      return Buffer{addressOf(data), sizeof data};
    return std::nullopt;
  };
  Program fine(reading("4"));
  fine.environment.findBuffer = findBuffer;
  fine.environment.checks.bounds = true;
  EXPECT_TRUE(fine.run({addressOf(data)}));
  Program wrong(reading("5"));
  wrong.environment.findBuffer = findBuffer;
  wrong.environment.checks.bounds = true;
  ASSERT_FALSE(wrong.run({addressOf(data)}));
  EXPECT_EQ(wrong.error.code, 6032u);
  EXPECT_EQ(wrong.error.message,
            "expected an index from 0 to 3 of argument 'in_ptr', which has 4 "
            "elements, got 4, in program (0, 0, 0) for element (2) of the "
            "tile");
  EXPECT_EQ(wrong.error.file, "k.py");
  EXPECT_EQ(wrong.error.line, 7u);
}

TEST(Access, AssertionsAndTrapsStopTheLaunch) {
  int32_t result = 0;
  Program program(storing("i32", "i32", R"(
    %one = arith.constant 1 : i32
    %r = kernel.program_id 0 : i32
    %c = arith.cmpi slt, %r, %one : i32
    kernel.assert %c, "too many" : i1)"));
  EXPECT_FALSE(program.run({addressOf(&result)}, 3));
  EXPECT_EQ(program.error.code, 6030u);
  EXPECT_EQ(program.error.message, "too many");
}

TEST(Access, PrintsALineAnElement) {
  int32_t result = 0;
  Program program(storing("i32", "i32", R"(
    %r = arith.constant 1 : i32
    %x = kernel.range -1 to 1 : tensor<2xi32>
    %f = arith.constant 1.5 : f32
    kernel.print "x" %x : tensor<2xi32> {signedness = array<i1: true>}
    kernel.print "f" %f : f32 {signedness = array<i1: true>})"));
  ASSERT_TRUE(program.run({addressOf(&result)}));
  EXPECT_EQ(program.printed, "pid (0, 0, 0) idx (0) x: -1\n"
                             "pid (0, 0, 0) idx (1) x: 0\n"
                             "pid (0, 0, 0) f: 1.500000\n");
}

} // namespace
} // namespace tilewright::reference::test
