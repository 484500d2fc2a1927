//===- GatherTest.cpp - Gathers, histograms and reshapes ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against index arithmetic, for random layouts, extents and shared memories.
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "RandomTensors.h"
#include "ThreadMachine.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

MachineOptions randomMachine(LayoutGenerator &generate) {
  MachineOptions options;
  options.numWarps = 1u << generate.below(3);
  options.lanes = 1u << (1 + generate.below(3));
  if (generate.below(4) == 0)
    options.sharedBytes = 512;
  options.hasSmallChunks = generate.below(3) == 0;
  return options;
}

using Line = std::vector<int32_t>;

void runBoth(const std::string &text, const MachineOptions &options,
             std::vector<Line> arguments, const Line &expected) {
  std::string error;
  auto compiled = compile(text, options, error);
  ASSERT_TRUE(compiled) << error << text;
  for (Order order : {Order::Ascending, Order::Descending}) {
    Line result(expected.size(), -1);
    std::vector<void *> buffers;
    for (Line &argument : arguments)
      buffers.push_back(argument.data());
    buffers.push_back(result.data());
    ASSERT_TRUE(compiled->run(buffers, order));
    ASSERT_EQ(result, expected) << text;
  }
}

} // namespace

TEST(Gather, PicksAlongTheAxisAndClamps) {
  for (unsigned seed = 0; seed < 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    unsigned rank = 1 + seed % 4, axis = generate.below(rank);
    TensorShape from = randomShape(generate, rank, 8), to = from;
    to[axis] = 1 + generate.below(9);
    MachineOptions options = randomMachine(generate);
    LinearLayout source = randomLayout(generate, from, options);
    LinearLayout result = randomLayout(generate, to, options);
    Line values, indices, expected;
    for (uint64_t i = 0; i < elementCount(from); ++i)
      values.push_back(generate.below(1 << 20));
    int64_t inner = 1;
    for (size_t d = axis + 1; d < rank; ++d)
      inner *= from[d];
    for (uint64_t i = 0; i < elementCount(to); ++i) {
      int64_t index = int64_t(generate.below(from[axis] + 4)) - 2;
      indices.push_back(index);
      int64_t clamped = std::clamp<int64_t>(index, 0, from[axis] - 1);
      int64_t outer = i / (inner * to[axis]);
      expected.push_back(
          values[(outer * from[axis] + clamped) * inner + i % inner]);
    }
    KernelText kernel;
    for (unsigned i = 0; i < 3; ++i)
      kernel.addArgument("i32");
    std::string tile = kernel.load(0, from, "i32", source);
    std::string index = kernel.load(1, to, "i32", result);
    std::string toType = tensorType(to, "i32", result);
    kernel.add("%g = kernel.gather_in_tile " + tile + "[" + index + "] axis " +
               std::to_string(axis) + " : " + tensorType(from, "i32", source) +
               ", " + toType + " -> " + toType);
    kernel.store(2, to, "i32", result, "%g");
    runBoth(kernel.text(), options, {values, indices}, expected);
  }
}

TEST(Gather, ReshapesOfAnyExtents) {
  const std::pair<TensorShape, TensorShape> shapes[] = {
      {{6}, {2, 3}},     {{3, 4}, {12}},    {{4, 3}, {2, 6}},
      {{5, 6}, {3, 10}}, {{2, 9}, {3, 6}},  {{8, 4}, {4, 8}},
      {{15, 7}, {105}},  {{3, 5, 2}, {30}}, {{16}, {4, 4}}};
  for (unsigned seed = 0; seed < 90 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    const auto &[from, to] = shapes[seed % 9];
    MachineOptions options = randomMachine(generate);
    LinearLayout source = randomLayout(generate, from, options);
    LinearLayout result = randomLayout(generate, to, options);
    Line values;
    for (uint64_t i = 0; i < elementCount(from); ++i)
      values.push_back(generate.below(1 << 20));
    KernelText kernel;
    kernel.addArgument("i32");
    kernel.addArgument("i32");
    std::string tile = kernel.load(0, from, "i32", source);
    kernel.add("%g = simt.reshape " + tile + " : " +
               tensorType(from, "i32", source) + " -> " +
               tensorType(to, "i32", result));
    kernel.store(1, to, "i32", result, "%g");
    runBoth(kernel.text(), options, {values}, values);
  }
}

TEST(Histogram, CountsEachElementOnce) {
  for (unsigned seed = 0; seed < 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    TensorShape from = randomShape(generate, 1, 9);
    TensorShape to = {1 + int64_t(generate.below(40))};
    MachineOptions options = randomMachine(generate);
    LinearLayout source = randomLayout(generate, from, options);
    LinearLayout result = randomLayout(generate, to, options);
    Line values, expected(to[0], 0);
    for (int64_t i = 0; i < from[0]; ++i) {
      int32_t value = int32_t(generate.below(to[0] + 4)) - 2;
      values.push_back(value);
      if (value >= 0 && value < to[0])
        ++expected[value];
    }
    KernelText kernel;
    kernel.addArgument("i32");
    kernel.addArgument("i32");
    std::string tile = kernel.load(0, from, "i32", source);
    kernel.add("%h = kernel.histogram " + tile + " : " +
               tensorType(from, "i32", source) + " -> " +
               tensorType(to, "i32", result));
    kernel.store(1, to, "i32", result, "%h");
    runBoth(kernel.text(), options, {values}, expected);
  }
}
