//===- ChunkTest.cpp - Tensors of many registers a thread -----------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of elementwise operations become loops: results, masks of padding,
// copies in lanes, and values that cross runs, reductions and loops.
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "RandomTensors.h"
#include "ThreadMachine.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

using Words = std::vector<uint32_t>;

struct Case {
  TensorShape shape;
  MachineOptions options;
  std::vector<unsigned> order;
  unsigned elements; ///< of a thread along the fastest dimension
};

MachineOptions machine(unsigned numWarps, unsigned lanes) {
  MachineOptions options;
  options.numWarps = numWarps;
  options.lanes = lanes;
  return options;
}

LinearLayout layoutOf(const Case &each) {
  return blockedLayout(
      each.shape, chooseBlockedTile(each.shape, ceilLog2(each.options.lanes),
                                    ceilLog2(each.options.numWarps),
                                    each.elements, each.order));
}

const std::vector<Case> cases = {{{4096}, machine(1, 4), {0}, 4},
                                 {{4, 1024}, machine(2, 4), {1, 0}, 4},
                                 {{1024, 4}, machine(2, 2), {0, 1}, 1},
                                 {{3, 900}, machine(2, 4), {1, 0}, 2},
                                 {{2, 3, 700}, machine(1, 8), {2, 0, 1}, 4}};

std::string typeOf(const Case &each) {
  return tensorType(each.shape, "i32", layoutOf(each));
}

/// `%name = operation %lhs, %rhs`.
std::string arith(const std::string &name, const std::string &operation,
                  const std::string &lhs, const std::string &rhs,
                  const std::string &type) {
  return name + " = arith." + operation + " " + lhs + ", " + rhs + " : " + type;
}

Words randomWords(const TensorShape &shape) {
  LayoutGenerator generate(shape.size());
  Words words;
  for (uint64_t i = 0; i < elementCount(shape); ++i)
    words.push_back(generate.below(1u << 30));
  return words;
}

void runBoth(const KernelText &kernel, const Case &each, const Words &source,
             const Words &expected, uint64_t mostInstructions) {
  // Buffers that may overlap would need a barrier, which ends a run.
  std::string text = kernel.text(), error;
  for (size_t at = 0; (at = text.find("tw.index", at)) != std::string::npos;
       at += 24)
    text.insert(at, "tw.disjoint, ");
  auto compiled = compile(text, each.options, error);
  ASSERT_TRUE(compiled) << error << text;
  EXPECT_LT(compiled->instructions(), mostInstructions) << kernel.text();
  for (Order order : {Order::Ascending, Order::Descending}) {
    Words values = source, result(expected.size(), 7);
    ASSERT_TRUE(compiled->run({values.data(), result.data()}, order));
    ASSERT_EQ(result, expected) << kernel.text();
  }
}

} // namespace

TEST(Chunks, Elementwise) {
  for (const Case &each : cases) {
    KernelText kernel;
    kernel.addArgument("i32");
    kernel.addArgument("i32");
    std::string type = typeOf(each);
    std::string x = kernel.load(0, each.shape, "i32", layoutOf(each));
    kernel.add("%three = arith.constant dense<3> : " + type);
    kernel.add(arith("%a", "muli", x, "%three", type));
    kernel.add(arith("%b", "addi", "%a", x, type));
    kernel.store(1, each.shape, "i32", layoutOf(each), "%b");
    Words source = randomWords(each.shape), expected;
    for (uint32_t word : source)
      expected.push_back(word * 4);
    // Unrolled it would take four or more a register.
    runBoth(kernel, each, source, expected, 1200);
  }
}

TEST(Chunks, AcrossReductionsAndLoops) {
  for (const Case &each : cases) {
    // y = x * 3; sum over all of y, added five times in a loop to y.
    KernelText kernel;
    kernel.addArgument("i32");
    kernel.addArgument("i32");
    std::string type = typeOf(each);
    TensorShape flat = {int64_t(elementCount(each.shape))};
    LinearLayout flatLayout = blockedLayout(
        flat, chooseBlockedTile(flat, ceilLog2(each.options.lanes),
                                ceilLog2(each.options.numWarps), 4, {0}));
    std::string flatType = tensorType(flat, "i32", flatLayout);
    std::string x = kernel.load(0, each.shape, "i32", layoutOf(each));
    kernel.add("%three = arith.constant dense<3> : " + type);
    kernel.add(arith("%a", "muli", x, "%three", type));
    kernel.add(arith("%y", "addi", "%a", "%three", type));
    kernel.add("%f = simt.reshape %y : " + type + " -> " + flatType);
    kernel.add("%s = \"kernel.reduce\"(%f) <{axis = 0 : i32}> ({\n"
               "  ^bb0(%l: i32, %r: i32):\n  %w = arith.addi %l, %r : i32\n"
               "  kernel.yield %w : i32\n  }) : (" +
               flatType + ") -> i32");
    for (const char *number : {"0", "1", "5"})
      kernel.add(std::string("%c") + number + " = arith.constant " + number +
                 " : i32");
    kernel.add("%z = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %y) -> (" +
               type + ") : i32 {");
    kernel.add("%v = tensor.splat %s : " + type);
    kernel.add(arith("%u", "addi", "%t", "%v", type));
    kernel.add(arith("%u1", "addi", "%u", "%three", type));
    kernel.add("scf.yield %u1 : " + type + "\n  }");
    kernel.store(1, each.shape, "i32", layoutOf(each), "%z");
    Words source = randomWords(each.shape), expected;
    uint32_t sum = 0;
    for (uint32_t word : source)
      sum += word * 3 + 3;
    for (uint32_t word : source)
      expected.push_back(word * 3 + 3 + 5 * (sum + 3));
    runBoth(kernel, each, source, expected, 1 << 20);
  }
}

TEST(Chunks, BroadcastAlongTheRows) {
  Case each = cases[1];
  KernelText kernel;
  kernel.addArgument("i32");
  kernel.addArgument("i32");
  std::string type = typeOf(each);
  LinearLayout rows = sliceLayout(layoutOf(each), 1);
  std::string x = kernel.load(0, each.shape, "i32", layoutOf(each));
  std::string rowType = tensorType({4}, "i32", rows);
  kernel.add("%m = \"kernel.reduce\"(" + x +
             ") <{axis = 1 : i32}> ({\n  ^bb0(%l: i32, %r: i32):\n"
             "  %w = arith.maxui %l, %r : i32\n  kernel.yield %w : i32\n  }) : "
             "(" +
             type + ") -> " + rowType);
  kernel.add("%b = simt.broadcast %m [1] : " + rowType + " -> " + type);
  kernel.add(arith("%d", "subi", "%b", x, type));
  kernel.add(arith("%e", "muli", "%d", "%d", type));
  kernel.store(1, each.shape, "i32", layoutOf(each), "%e");
  Words source = randomWords(each.shape), expected;
  for (int64_t row = 0; row < 4; ++row) {
    auto begin = source.begin() + row * 1024;
    uint32_t most = *std::max_element(begin, begin + 1024);
    for (int64_t i = 0; i < 1024; ++i)
      expected.push_back((most - begin[i]) * (most - begin[i]));
  }
  runBoth(kernel, each, source, expected, 1 << 20);
}

/// `%name = "kernel.reduce"(operands)` of i32 along an axis.
static std::string reduce(const std::string &name, const std::string &operand,
                          unsigned axis, const std::string &operation,
                          const std::string &type, const std::string &result) {
  return name + " = \"kernel.reduce\"(" + operand +
         ") <{axis = " + std::to_string(axis) +
         " : i32}> ({\n  ^bb0(%l: i32, %r: i32):\n" + "  %w = arith." +
         operation + " %l, %r : i32\n  kernel.yield %w : i32\n  }) : (" + type +
         ") -> " + result;
}

TEST(Chunks, ReductionsInTheLoop) {
  const std::vector<Case> large = {{{4, 4096}, machine(2, 4), {1, 0}, 4},
                                   {{4096, 4}, machine(2, 2), {0, 1}, 1},
                                   {{3, 5000}, machine(1, 8), {1, 0}, 2},
                                   {{2, 3, 2100}, machine(1, 4), {2, 0, 1}, 4},
                                   {{1, 8192}, machine(1, 4), {1, 0}, 4}};
  for (const Case &each : large)
    for (unsigned axis = 0; axis < each.shape.size(); ++axis) {
      // The sum of x * 3 plus the largest x, along the axis.
      KernelText kernel;
      kernel.addArgument("i32");
      kernel.addArgument("i32");
      std::string type = typeOf(each);
      TensorShape shape = each.shape;
      shape.erase(shape.begin() + axis);
      LinearLayout layout = sliceLayout(layoutOf(each), axis);
      std::string result = tensorType(shape, "i32", layout);
      std::string x = kernel.load(0, each.shape, "i32", layoutOf(each));
      kernel.add("%three = arith.constant dense<3> : " + type);
      kernel.add(arith("%y", "muli", x, "%three", type));
      kernel.add(reduce("%s", "%y", axis, "addi", type, result));
      kernel.add(reduce("%m", x, axis, "maxui", type, result));
      kernel.add(arith("%z", "addi", "%s", "%m", result));
      kernel.store(1, shape, "i32", layout, "%z");
      Words source = randomWords(each.shape), sums(elementCount(shape), 0);
      Words expected = sums;
      uint64_t inner = 1;
      for (unsigned dim = axis + 1; dim < each.shape.size(); ++dim)
        inner *= each.shape[dim];
      for (uint64_t i = 0; i < source.size(); ++i) {
        uint64_t at = i / (inner * each.shape[axis]) * inner + i % inner;
        sums[at] += source[i] * 3;
        expected[at] = std::max(expected[at], source[i]);
      }
      for (uint64_t i = 0; i < sums.size(); ++i)
        expected[i] += sums[i];
      // Unrolled each reduction would take two a register, of up to 4096. What
      // goes on in shared memory is unrolled over the result's registers.
      uint64_t crossing = 0;
      for (const char *input : {laneDim, warpDim})
        for (unsigned bit = 0; bit < layoutOf(each).inputBits(input); ++bit)
          crossing |= layoutOf(each).basis(input, bit) &
                      layoutOf(each).outputMask(tensorDim(axis));
      bool isUnrolled = crossing && elementCount(shape) > 1024;
      runBoth(kernel, each, source, expected, isUnrolled ? 1 << 17 : 3000);
    }
}
