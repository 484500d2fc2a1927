//===- ShapeTest.cpp - Reductions, scans, products, shapes ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small tiles whose results can be seen.
//===----------------------------------------------------------------------===//
#include "test/unit/reference/Harness.h"

namespace tilewright::reference::test {
namespace {

template <size_t N> using Integers = std::array<int32_t, N>;

TEST(Shape, ReductionsFoldTheUpperHalfOntoTheLower) {
  // 1e8 + 1 is 1e8 in f32: (1e8 + -1e8) + (1 + 1) is 2, left to right is 1.
  float data[] = {1e8f, 1, -1e8f, 1}, result = 0;
  Program program(storing("f32", "f32", R"(
    %i = kernel.range 0 to 4 : tensor<4xi32>
    %x = kernel.gather %in [%i : tensor<4xi32>] : !kernel.ptr<f32> -> tensor<4xf32>
    %r = "kernel.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      kernel.yield %s : f32
    }) : (tensor<4xf32>) -> f32)",
                          ", %in: !kernel.ptr<f32>"));
  ASSERT_TRUE(program.run({addressOf(&result), addressOf(data)}));
  EXPECT_EQ(result, 2);
}

std::string scan(const std::string &reverse) {
  return R"(
    %x = kernel.range 1 to 5 : tensor<4xi32>
    %r = "kernel.scan"(%x) <{axis = 0 : i32)" +
         reverse + R"(}> ({
    ^bb0(%a: i32, %b: i32):
      %two = arith.constant 2 : i32
      %d = arith.muli %a, %two : i32
      %s = arith.addi %d, %b : i32
      kernel.yield %s : i32
    }) : (tensor<4xi32>) -> tensor<4xi32>)";
}

TEST(Shape, ScansGoInOrder) {
  EXPECT_EQ((computeMany<int32_t, 4>("i32", scan(""))),
            (Integers<4>{1, 4, 11, 26}));
  EXPECT_EQ((computeMany<int32_t, 4>("i32", scan(", reverse"))),
            (Integers<4>{49, 24, 11, 4}));
}

TEST(Shape, TransposeAndReshape) {
  EXPECT_EQ((computeMany<int32_t, 6>("i32", R"(
    %x = kernel.range 0 to 6 : tensor<6xi32>
    %m = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xi32> into tensor<2x3xi32>
    %e = tensor.empty() : tensor<3x2xi32>
    %t = linalg.transpose ins(%m : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) permutation = [1, 0]
    %r = tensor.collapse_shape %t [[0, 1]] : tensor<3x2xi32> into tensor<6xi32>)")),
            (Integers<6>{0, 3, 1, 4, 2, 5}));
}

TEST(Shape, BroadcastAndReduceWithInit) {
  EXPECT_EQ((computeMany<int32_t, 3>("i32", R"(
    %x = kernel.range 1 to 4 : tensor<3xi32>
    %e = tensor.empty() : tensor<2x3xi32>
    %m = linalg.broadcast ins(%x : tensor<3xi32>) outs(%e : tensor<2x3xi32>) dimensions = [0]
    %i = arith.constant dense<100> : tensor<3xi32>
    %r = linalg.reduce ins(%m : tensor<2x3xi32>) outs(%i : tensor<3xi32>) dimensions = [0]
      (%a: i32, %b: i32) {
        %s = arith.addi %a, %b : i32
        linalg.yield %s : i32
      })")),
            (Integers<3>{102, 104, 106}));
}

TEST(Shape, MatrixProductAddsToTheAccumulator) {
  EXPECT_EQ((computeMany<int32_t, 4>("i32", R"(
    %x = kernel.range 1 to 5 : tensor<4xi32>
    %n = arith.trunci %x : tensor<4xi32> to tensor<4xi8>
    %a = tensor.expand_shape %n [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>
    %c = arith.constant dense<-1> : tensor<2x2xi32>
    %p = linalg.matmul ins(%a, %a : tensor<2x2xi8>, tensor<2x2xi8>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
    %r = tensor.collapse_shape %p [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>)")),
            (Integers<4>{6, 9, 14, 21}));
}

TEST(Shape, JoinSplitCatGatherHistogram) {
  EXPECT_EQ((computeMany<int32_t, 4>("i32", R"(
    %a = kernel.range 0 to 2 : tensor<2xi32>
    %b = kernel.range 5 to 7 : tensor<2xi32>
    %j = kernel.join %a, %b : tensor<2xi32> -> tensor<2x2xi32>
    %r = tensor.collapse_shape %j [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>)")),
            (Integers<4>{0, 5, 1, 6}));
  EXPECT_EQ((computeMany<int32_t, 4>("i32", R"(
    %x = kernel.range 0 to 4 : tensor<4xi32>
    %m = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %h:2 = kernel.split %m : tensor<2x2xi32> -> tensor<2xi32>, tensor<2xi32>
    %r = kernel.cat %h#0, %h#1 : tensor<2xi32> -> tensor<4xi32>)")),
            (Integers<4>{0, 2, 1, 3}));
  // Indices -1 .. 2 into two elements are clamped.
  EXPECT_EQ((computeMany<int32_t, 4>("i32", R"(
    %s = kernel.range 7 to 9 : tensor<2xi32>
    %i = kernel.range -1 to 3 : tensor<4xi32>
    %r = kernel.gather_in_tile %s[%i] axis 0 : tensor<2xi32>, tensor<4xi32> -> tensor<4xi32>)")),
            (Integers<4>{7, 7, 8, 8}));
  EXPECT_EQ((computeMany<int32_t, 4>("i32", R"(
    %x = kernel.range -2 to 6 : tensor<8xi32>
    %one = arith.constant dense<1> : tensor<8xi32>
    %h = arith.shrsi %x, %one : tensor<8xi32>
    %r = kernel.histogram %h : tensor<8xi32> -> tensor<4xi32>)")),
            (Integers<4>{2, 2, 2, 0}));
}

TEST(Shape, LoopsAndBranches) {
  // 10 + (0 + 3 + 6), doubled until it is above 100.
  EXPECT_EQ(compute<int32_t>("i32", R"(
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %seven = arith.constant 7 : i32
    %ten = arith.constant 10 : i32
    %limit = arith.constant 100 : i32
    %sum = scf.for %i = %zero to %seven step %three iter_args(%s = %ten) -> i32 : i32 {
      %n = arith.addi %s, %i : i32
      scf.yield %n : i32
    }
    %r = scf.while (%x = %sum) : (i32) -> i32 {
      %more = arith.cmpi sle, %x, %limit : i32
      scf.condition(%more) %x : i32
    } do {
    ^bb0(%x: i32):
      %d = arith.addi %x, %x : i32
      scf.yield %d : i32
    })"),
            152);
}

TEST(Shape, ScaledProduct) {
  // A row of ones (e4m3 0x38) scaled by 2 against a column of 0.5 (e5m2 0x38).
  EXPECT_EQ(compute<float>("f32", R"(
    %ab = arith.constant dense<56> : tensor<1x32xi8>
    %bb = arith.constant dense<56> : tensor<32x1xi8>
    %a = arith.bitcast %ab : tensor<1x32xi8> to tensor<1x32xf8E4M3FN>
    %b = arith.bitcast %bb : tensor<32x1xi8> to tensor<32x1xf8E5M2>
    %s = arith.constant dense<-128> : tensor<1x1xi8>
    %c = arith.constant dense<1.0> : tensor<1x1xf32>
    %p = kernel.dot_scaled %a "e4m3" scale %s : tensor<1x1xi8>, %b "e5m2", %c : tensor<1x32xf8E4M3FN>, tensor<32x1xf8E5M2>, tensor<1x1xf32>
    %l = tensor.collapse_shape %p [[0, 1]] : tensor<1x1xf32> into tensor<1xf32>
    %r = "kernel.reduce"(%l) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      kernel.yield %x : f32
    }) : (tensor<1xf32>) -> f32)"),
            33.0f);
}

} // namespace
} // namespace tilewright::reference::test
