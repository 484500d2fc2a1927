//===- ConversionTest.cpp - Random conversions are exact ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of ranks 1 to 5 and any extents between random layouts, with copies
// in registers, lanes and warps.
//===----------------------------------------------------------------------===//
#include "RandomConversion.h"
#include "ThreadMachine.h"

#include "gtest/gtest.h"

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

/// Converts a tensor of distinct bytes and compares all of it.
void checkConversion(unsigned seed, MachineOptions options) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  LayoutGenerator generate(seed);
  options.numWarps = 1u << generate.below(3);
  options.lanes = 1u << (2 + generate.below(2));
  RandomConversion conversion(generate, 1 + seed % 5, options);
  std::string error;
  auto compiled = compile(conversion.text, options, error);
  ASSERT_TRUE(compiled) << error << conversion.text;
  for (Order order : {Order::Ascending, Order::Descending}) {
    Bytes source = randomBytes(generate, conversion.bytes);
    Bytes result(source.size(), 0);
    ASSERT_TRUE(compiled->run({source.data(), result.data()}, order));
    ASSERT_EQ(source, result) << conversion.text;
  }
}

} // namespace

TEST(Conversion, ThroughSharedMemory) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed)
    checkConversion(seed, {});
}

TEST(Conversion, WithShuffles) {
  MachineOptions options;
  options.hasShuffles = true;
  for (unsigned seed = 0; seed < 150 && !HasFailure(); ++seed)
    checkConversion(seed, options);
}

TEST(Conversion, InRounds) {
  MachineOptions options;
  options.sharedBytes = 256;
  for (unsigned seed = 1000; seed < 1150 && !HasFailure(); ++seed)
    checkConversion(seed, options);
}

TEST(Conversion, InLoops) {
  MachineOptions options;
  options.hasSmallChunks = true;
  for (unsigned seed = 2000; seed < 2300 && !HasFailure(); ++seed) {
    options.hasShuffles = seed % 3 == 0;
    options.sharedBytes = seed % 2 ? 256 : 48 << 10;
    checkConversion(seed, options);
  }
}
