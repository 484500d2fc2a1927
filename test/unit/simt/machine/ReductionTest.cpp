//===- ReductionTest.cpp - Reductions and scans of any layout -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against loops over the elements. The stated order is checked with a function
// that is not associative, so that any other order gives another result.
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "RandomTensors.h"
#include "ThreadMachine.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

using Line = std::vector<uint32_t>;
using Combine = std::function<uint32_t(uint32_t, uint32_t)>;

struct Function {
  const char *name;
  const char *body; ///< from %a and %b to %r
  Combine combine;
};

const Function sum = {"sum", "%r = arith.addi %a, %b : i32",
                      [](uint32_t a, uint32_t b) { return a + b; }};
/// Neither commutative nor associative: tells every order apart.
const Function ordered = {
    "ordered",
    "%c = arith.constant 31 : i32\n  %m = arith.muli %a, %c : i32\n"
    "  %r = arith.subi %m, %b : i32",
    [](uint32_t a, uint32_t b) { return a * 31 - b; }};
/// Associative but not commutative: the right one of two, unless it is 0.
const Function latest = {
    "latest",
    "%z = arith.constant 0 : i32\n  %q = arith.cmpi eq, %b, %z : i32\n"
    "  %r = arith.select %q, %a, %b : i32",
    [](uint32_t a, uint32_t b) { return b ? b : a; }};

/// A tensor of random 32-bit words in row-major order.
struct Words {
  TensorShape shape;
  Line values;

  Words(LayoutGenerator &generate, TensorShape shape)
      : shape(std::move(shape)) {
    for (uint64_t i = 0; i < elementCount(this->shape); ++i)
      values.push_back(generate.below(4) ? generate.below(1u << 31) : 0);
  }
};

uint64_t strideOf(const TensorShape &shape, unsigned axis) {
  uint64_t stride = 1;
  for (size_t d = axis + 1; d < shape.size(); ++d)
    stride *= shape[d];
  return stride;
}

/// Calls `visit(first, stride)` for each line along the axis, in row-major
/// order of the other dimensions.
template <typename Visit>
void forEachLine(const TensorShape &shape, unsigned axis, Visit visit) {
  uint64_t stride = strideOf(shape, axis);
  uint64_t outer = elementCount(shape) / (stride * shape[axis]);
  for (uint64_t o = 0; o < outer; ++o)
    for (uint64_t i = 0; i < stride; ++i)
      visit(o * shape[axis] * stride + i, stride);
}

/// The stated order: the upper half onto the lower, halves rounded up.
uint32_t foldStated(Line line, const Combine &combine) {
  while (line.size() > 1) {
    size_t half = (line.size() + 1) / 2;
    for (size_t i = 0; i + half < line.size(); ++i)
      line[i] = combine(line[i], line[i + half]);
    line.resize(half);
  }
  return line[0];
}

std::string region(const std::string &arguments, const std::string &body,
                   const std::string &results) {
  return "({\n  ^bb0(" + arguments + "):\n  " + body + "\n  kernel.yield " +
         results + "\n  })";
}

const std::string wordRegion(const Function &function) {
  return region("%a: i32, %b: i32", function.body, "%r : i32");
}

MachineOptions randomMachine(LayoutGenerator &generate) {
  MachineOptions options;
  options.numWarps = 1u << generate.below(3);
  options.lanes = 1u << (1 + generate.below(3));
  options.hasShuffles = generate.below(2);
  if (generate.below(4) == 0)
    options.sharedBytes = 512;
  options.hasSmallChunks = generate.below(3) == 0;
  return options;
}

void runBoth(const std::string &text, const MachineOptions &options,
             const Words &source, const Line &expected) {
  std::string error;
  auto compiled = compile(text, options, error);
  ASSERT_TRUE(compiled) << error << text;
  for (Order order : {Order::Ascending, Order::Descending}) {
    Line values = source.values, result(expected.size(), 0xdeadbeef);
    ASSERT_TRUE(compiled->run({values.data(), result.data()}, order));
    ASSERT_EQ(result, expected) << text;
  }
}

void checkReduce(unsigned seed, const Function &function, bool isStated) {
  SCOPED_TRACE(function.name + (" seed " + std::to_string(seed)));
  LayoutGenerator generate(seed);
  unsigned rank = 1 + seed % 5;
  Words source(generate, randomShape(generate, rank, 9));
  unsigned axis = generate.below(rank);
  MachineOptions options = randomMachine(generate);
  int64_t extent = source.shape[axis];
  if (isStated && (extent & (extent - 1)))
    options.sharedBytes = 48 << 10; // such a line is not cut into windows
  LinearLayout layout = randomLayout(generate, source.shape, options);
  TensorShape reduced = source.shape;
  reduced.erase(reduced.begin() + axis);
  LinearLayout result = generate.below(2)
                            ? sliceLayout(layout, axis)
                            : randomLayout(generate, reduced, options);
  Line expected;
  forEachLine(source.shape, axis, [&](uint64_t first, uint64_t stride) {
    Line line;
    for (int64_t i = 0; i < source.shape[axis]; ++i)
      line.push_back(source.values[first + i * stride]);
    expected.push_back(foldStated(line, function.combine));
  });
  KernelText kernel;
  kernel.addArgument("i32");
  kernel.addArgument("i32");
  std::string loaded = kernel.load(0, source.shape, "i32", layout);
  std::string value = kernel.fresh();
  std::string type = rank == 1 ? "i32" : tensorType(reduced, "i32", result);
  kernel.add(value + " = \"kernel.reduce\"(" + loaded +
             ") <{axis = " + std::to_string(axis) + " : i32" +
             (isStated ? ", order = #kernel<order stated>" : "") + "}> " +
             wordRegion(function) + " : (" +
             tensorType(source.shape, "i32", layout) + ") -> " + type);
  if (rank == 1)
    kernel.store(1, "i32", value);
  else
    kernel.store(1, reduced, "i32", result, value);
  runBoth(kernel.text(), options, source, expected);
}

void checkScan(LayoutGenerator &generate, const TensorShape &shape,
               unsigned axis, bool isReversed, const MachineOptions &options,
               const Function &function) {
  Words source(generate, shape);
  LinearLayout layout = randomLayout(generate, source.shape, options);
  Line expected(source.values.size());
  forEachLine(source.shape, axis, [&](uint64_t first, uint64_t stride) {
    int64_t extent = source.shape[axis];
    uint32_t running = 0;
    for (int64_t step = 0; step < extent; ++step) {
      uint64_t at = first + (isReversed ? extent - 1 - step : step) * stride;
      running = step ? function.combine(running, source.values[at])
                     : source.values[at];
      expected[at] = running;
    }
  });
  std::string type = tensorType(source.shape, "i32", layout);
  KernelText kernel;
  kernel.addArgument("i32");
  kernel.addArgument("i32");
  std::string loaded = kernel.load(0, source.shape, "i32", layout);
  std::string value = kernel.fresh();
  kernel.add(value + " = \"kernel.scan\"(" + loaded + ") <{axis = " +
             std::to_string(axis) + " : i32" + (isReversed ? ", reverse" : "") +
             "}> " + wordRegion(function) + " : (" + type + ") -> " + type);
  kernel.store(1, source.shape, "i32", layout, value);
  runBoth(kernel.text(), options, source, expected);
}

void checkScan(unsigned seed, const Function &function) {
  SCOPED_TRACE(function.name + (" seed " + std::to_string(seed)));
  LayoutGenerator generate(seed);
  unsigned rank = 1 + seed % 5;
  TensorShape shape = randomShape(generate, rank, 9);
  unsigned axis = generate.below(rank);
  bool isReversed = generate.below(2);
  checkScan(generate, shape, axis, isReversed, randomMachine(generate),
            function);
}

} // namespace

TEST(Reduction, CountsEachElementOnce) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed)
    checkReduce(seed, sum, false);
}

TEST(Reduction, StatedOrder) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed)
    checkReduce(seed, ordered, true);
}

TEST(Reduction, LongAxes) {
  // 1024 elements over all threads of four warps, and an odd extent.
  for (int64_t extent : {1024, 1000, 4096})
    for (bool hasShuffles : {false, true})
      for (bool isStated : {false, true}) {
        LayoutGenerator generate(extent);
        MachineOptions options;
        options.hasShuffles = hasShuffles;
        Words source(generate, {extent});
        LinearLayout layout = blockedLayout({extent}, {{4}, {32}, {4}, {0}});
        const Function &function = isStated ? ordered : sum;
        KernelText kernel;
        kernel.addArgument("i32");
        kernel.addArgument("i32");
        std::string loaded = kernel.load(0, {extent}, "i32", layout);
        kernel.add("%s = \"kernel.reduce\"(" + loaded + ") <{axis = 0 : i32" +
                   (isStated ? ", order = #kernel<order stated>" : "") + "}> " +
                   wordRegion(function) + " : (" +
                   tensorType({extent}, "i32", layout) + ") -> i32");
        kernel.store(1, "i32", "%s");
        runBoth(kernel.text(), options, source,
                {foldStated(source.values, function.combine)});
      }
}

TEST(Reduction, SeveralOperandsAndTypes) {
  // The place of the smallest, the lowest of equals: i16 values and i64 places.
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    TensorShape shape = randomShape(generate, 2, 9);
    MachineOptions options = randomMachine(generate);
    LinearLayout layout = randomLayout(generate, shape, options);
    LinearLayout result = sliceLayout(layout, 1);
    std::vector<int16_t> values;
    std::vector<int64_t> places, expected;
    for (int64_t row = 0; row < shape[0]; ++row) {
      int64_t best = 0;
      for (int64_t i = 0; i < shape[1]; ++i) {
        values.push_back(int16_t(generate.below(16)) - 8);
        places.push_back(i);
        size_t begin = row * shape[1];
        if (values[begin + i] < values[begin + best])
          best = i;
      }
      expected.push_back(best);
    }
    std::string body = "%lt = arith.cmpi slt, %a, %b : i16\n"
                       "  %eq = arith.cmpi eq, %a, %b : i16\n"
                       "  %lo = arith.cmpi slt, %i, %j : i64\n"
                       "  %tie = arith.andi %eq, %lo : i1\n"
                       "  %q = arith.ori %lt, %tie : i1\n"
                       "  %r = arith.select %q, %a, %b : i16\n"
                       "  %k = arith.select %q, %i, %j : i64";
    KernelText kernel;
    for (const char *element : {"i16", "i64", "i64"})
      kernel.addArgument(element);
    std::string first = kernel.load(0, shape, "i16", layout);
    std::string second = kernel.load(1, shape, "i64", layout);
    TensorShape rows = {shape[0]};
    kernel.add("%m:2 = \"kernel.reduce\"(" + first + ", " + second +
               ") <{axis = 1 : i32}> " +
               region("%a: i16, %i: i64, %b: i16, %j: i64", body,
                      "%r, %k : i16, i64") +
               " : (" + tensorType(shape, "i16", layout) + ", " +
               tensorType(shape, "i64", layout) + ") -> (" +
               tensorType(rows, "i16", result) + ", " +
               tensorType(rows, "i64", result) + ")");
    kernel.store(2, rows, "i64", result, "%m#1");
    std::string error;
    auto compiled = compile(kernel.text(), options, error);
    ASSERT_TRUE(compiled) << error << kernel.text();
    std::vector<int64_t> got(expected.size(), -1);
    ASSERT_TRUE(compiled->run({values.data(), places.data(), got.data()},
                              Order::Descending));
    ASSERT_EQ(got, expected);
  }
}

TEST(Scan, PrefixSums) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed)
    checkScan(seed, sum);
}

TEST(Scan, LinesThatAreLongerThanTheBuffer) {
  // The last window of 70 elements, or of 300, is not the last of the padded
  // line; what one line carries must not reach the next.
  for (const TensorShape &shape : {TensorShape{3, 70}, TensorShape{2, 300}})
    for (bool isReversed : {false, true})
      for (bool hasSmallChunks : {false, true}) {
        LayoutGenerator generate(shape[1]);
        MachineOptions options;
        options.lanes = 4;
        options.sharedBytes = 512;
        options.hasSmallChunks = hasSmallChunks;
        checkScan(generate, shape, 1, isReversed, options, sum);
      }
}

TEST(Scan, KeepsTheOrderOfOperands) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed)
    checkScan(seed, latest);
}
