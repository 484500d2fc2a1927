//===- ExchangeLayoutTest.cpp - Moves between layouts ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a move crosses, and buffers that are exact and no worse than row-major.
//===----------------------------------------------------------------------===//
#include "RandomLayouts.h"

#include "backends/simt/layout/ExchangeLayout.h"
#include "backends/simt/layout/TensorLayouts.h"

#include "gtest/gtest.h"

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

LinearLayout parse(const std::string &text) {
  std::string error;
  auto layout = LinearLayout::parse(text, error);
  EXPECT_TRUE(layout) << error;
  return *layout;
}

Crossing crossing(const std::string &from, const std::string &to) {
  return planMove(parse(from), parse(to)).crossing;
}

} // namespace

TEST(ExchangeLayout, CrossesNoMoreThanNeeded) {
  const char *rows = "warp=[[4]], lane=[[2]], register=[[1]] -> dim0=8";
  EXPECT_EQ(crossing(rows, rows), Crossing::Registers);
  EXPECT_EQ(crossing("warp=[], lane=[[4]], register=[[1], [2]] -> dim0=8",
                     "warp=[], lane=[[4]], register=[[2], [1]] -> dim0=8"),
            Crossing::Registers);
  EXPECT_EQ(crossing(rows, "warp=[[4]], lane=[[1]], register=[[2]] -> dim0=8"),
            Crossing::Lanes);
  EXPECT_EQ(crossing(rows, "warp=[[2]], lane=[[4]], register=[[1]] -> dim0=8"),
            Crossing::Warps);
  // Each thread already has a copy of all.
  EXPECT_EQ(crossing("warp=[[0]], lane=[[0]], register=[[1], [2]] -> dim0=4",
                     "warp=[[0]], lane=[[0]], register=[[2], [1]] -> dim0=4"),
            Crossing::Registers);
  // A thread's own register, but which one depends on the lane.
  EXPECT_EQ(crossing("warp=[], lane=[[0]], register=[[1]] -> dim0=2",
                     "warp=[], lane=[[1]], register=[] -> dim0=2"),
            Crossing::Lanes);
}

TEST(ExchangeLayout, BuffersAreExact) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    LayoutDims dims = generate.dims("dim", 1 + seed % 5, 9);
    unsigned warps = generate.below(3), lanes = generate.below(6);
    LinearLayout from = generate.covering(dims, warps, lanes, 0);
    LinearLayout to = generate.covering(dims, warps, lanes, 1);
    unsigned bytes = 1u << generate.below(4);
    Exchange exchange = chooseExchange(from, to, bytes);
    ASSERT_TRUE(exchange.buffer.isInvertible());
    ASSERT_EQ(tableOf(exchange.write.compose(exchange.buffer)), tableOf(from));
    ASSERT_EQ(tableOf(exchange.read.compose(exchange.buffer)), tableOf(to));
    std::vector<uint64_t> unit;
    for (unsigned bit = 0; bit < totalBits(dims); ++bit)
      unit.push_back(uint64_t(1) << bit);
    LinearLayout rowMajor({{offsetDim, totalBits(dims)}}, dims, unit);
    ASSERT_LE(exchangeCost(exchange),
              exchangeCost(makeExchange(from, to, rowMajor, bytes)));
  }
}

TEST(ExchangeLayout, TransposesWithoutConflicts) {
  // Rows of floats written, columns read, by 4 warps of 32 lanes.
  LinearLayout rows =
      blockedLayout({64, 64}, chooseBlockedTile({64, 64}, 5, 2, 4, {1, 0}));
  LinearLayout columns =
      blockedLayout({64, 64}, chooseBlockedTile({64, 64}, 5, 2, 4, {0, 1}));
  Exchange exchange = chooseExchange(rows, columns, 4);
  EXPECT_EQ(exchange.writeConflicts.wavefronts, exchange.writeConflicts.ideal);
  EXPECT_EQ(exchange.readConflicts.wavefronts, exchange.readConflicts.ideal);
  LinearLayout plain = sharedLayout({64, 64}, {1, 0});
  EXPECT_GE(exchangeCost(makeExchange(rows, columns, plain, 4)),
            4 * exchangeCost(exchange));
}

TEST(ExchangeLayout, KeepsVectorsOfBothSides) {
  LinearLayout from = parse("warp=[], lane=[[0, 4], [1, 0]], register=[[0, 1], "
                            "[0, 2], [2, 0]] -> dim0=4, dim1=8");
  LinearLayout to = parse("warp=[], lane=[[2, 0], [0, 4]], register=[[0, 1], "
                          "[0, 2], [1, 0]] -> dim0=4, dim1=8");
  Exchange exchange = chooseExchange(from, to, 4);
  EXPECT_EQ(exchange.writeVector.elements(), 4u);
  EXPECT_EQ(exchange.readVector.elements(), 4u);
}
