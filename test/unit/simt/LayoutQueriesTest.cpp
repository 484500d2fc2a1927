//===- LayoutQueriesTest.cpp - Costs of accesses --------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector widths, segments and bank passes against counts over all lanes.
//===----------------------------------------------------------------------===//
#include "RandomLayouts.h"

#include "backends/simt/layout/LayoutQueries.h"
#include "backends/simt/layout/TensorLayouts.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

LinearLayout parse(const char *text) {
  std::string error;
  auto layout = LinearLayout::parse(text, error);
  EXPECT_TRUE(layout) << error;
  return *layout;
}

/// The registers of one vector, in order of their elements.
std::vector<uint64_t> vectorRegisters(const std::vector<unsigned> &bits) {
  std::vector<uint64_t> registers = {0};
  for (unsigned bit : bits) {
    size_t half = registers.size();
    for (size_t i = 0; i < half; ++i)
      registers.push_back(registers[i] | uint64_t(1) << bit);
  }
  return registers;
}

/// A blocked layout of extents 4 whose threads hold whole rows.
LinearLayout rowsOfFour(unsigned rank) {
  TensorShape shape(rank, 4);
  std::vector<unsigned> order;
  for (unsigned d = rank; d-- > 0;)
    order.push_back(d);
  return blockedLayout(shape, chooseBlockedTile(shape, 2, 1, 4, order));
}

} // namespace

TEST(LayoutQueries, ContiguousRegisters) {
  EXPECT_EQ(contiguousRegisterBits(
                parse("warp=[], lane=[[0, 4]], register=[[1, 0], [0, 2], [0, "
                      "1]] -> dim0=2, dim1=8"),
                "dim1"),
            (std::vector<unsigned>{2, 1}));
  // A lane that flips the low bit permutes the run: not a vector.
  EXPECT_TRUE(
      contiguousRegisterBits(
          parse("warp=[], lane=[[3]], register=[[1], [2]] -> dim0=4"), "dim0")
          .empty());
}

TEST(LayoutQueries, VectorsAreAlignedRuns) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    unsigned rank = 1 + seed % 5;
    LinearLayout layout =
        seed % 2 ? generate.tensor(rank, 8) : rowsOfFour(rank);
    std::string last = tensorDim(rank - 1);
    auto bits = contiguousRegisterBits(layout, last);
    auto registers = vectorRegisters(bits);
    if (seed % 2 == 0) {
      ASSERT_EQ(bits.size(), 2u);
    }
    uint64_t mask = registers.back();
    for (uint64_t x = 0; x < uint64_t(1) << layout.inputBits(); ++x) {
      if ((x & layout.inputMask(registerDim)) & mask)
        continue; // the inputs of vectors' first elements
      uint64_t first = layout.apply(x);
      ASSERT_EQ(first % registers.size(), 0u);
      for (size_t i = 0; i < registers.size(); ++i)
        ASSERT_EQ(layout.apply(x | registers[i]), first + i);
    }
  }
}

TEST(LayoutQueries, AlignmentBoundsVectors) {
  LinearLayout layout = parse("warp=[], lane=[], register=[[1], [2], [4], [8]] "
                              "-> dim0=16");
  EXPECT_EQ(vectorAccess(layout, "dim0", 4, 1 << 20).elements(), 4u);
  EXPECT_EQ(vectorAccess(layout, "dim0", 4, 8).elements(), 2u);
  EXPECT_EQ(vectorAccess(layout, "dim0", 4, 4).elements(), 1u);
  EXPECT_EQ(vectorAccess(layout, "dim0", 1, 64).elements(), 16u);
  EXPECT_EQ(vectorAccess(layout, "dim0", 2, 64, 8).elements(), 4u);
  EXPECT_EQ(vectorAccess(layout, "dim0", 8, 1).elements(), 1u);
}

TEST(LayoutQueries, CoalescingCountsSegments) {
  LinearLayout rows = parse("warp=[], lane=[[0, 4], [0, 8], [0, 16], [0, 32], "
                            "[0, 64]], register=[[0, 1], [0, 2]] -> dim0=1, "
                            "dim1=128");
  VectorAccess wide = vectorAccess(rows, "dim1", 4, 16);
  EXPECT_EQ(coalescing(rows, "dim1", 4, wide).segments, 16u);
  EXPECT_EQ(coalescing(rows, "dim1", 4, wide).ideal, 16u);
  VectorAccess narrow = vectorAccess(rows, "dim1", 4, 4);
  EXPECT_EQ(coalescing(rows, "dim1", 4, narrow).segments, 16u);
  EXPECT_EQ(coalescing(rows, "dim1", 4, narrow).ideal, 4u);
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    unsigned rank = 1 + seed % 3;
    LinearLayout layout = generate.tensor(rank, 9);
    std::string last = tensorDim(rank - 1);
    unsigned bytes = 1u << generate.below(4);
    VectorAccess access = vectorAccess(layout, last, bytes, 16);
    std::set<std::pair<uint64_t, uint64_t>> segments;
    uint64_t columns = uint64_t(1) << layout.outputBits(last);
    for (uint64_t lane = 0; lane < 1u << layout.inputBits(laneDim); ++lane)
      for (uint64_t reg : vectorRegisters(access.registerBits)) {
        uint64_t element =
            layout.apply(lane << layout.inputShift(laneDim) | reg);
        segments.insert({element / columns, element % columns * bytes / 32});
      }
    ASSERT_EQ(coalescing(layout, last, bytes, access).segments,
              segments.size());
  }
}

TEST(LayoutQueries, BankConflictsByHand) {
  // 32 lanes down a column of 32 floats a row: all in one bank.
  LinearLayout column =
      parse("warp=[], lane=[[32], [64], [128], [256], [512]], "
            "register=[] -> offset=1024");
  EXPECT_EQ(bankConflicts(column, 4, {}).wavefronts, 32u);
  EXPECT_EQ(bankConflicts(column, 4, {}).ideal, 1u);
  LinearLayout row = parse("warp=[], lane=[[1], [2], [4], [8], [16]], "
                           "register=[] -> offset=1024");
  EXPECT_EQ(bankConflicts(row, 4, {}).wavefronts, 1u);
  EXPECT_EQ(bankConflicts(row, 2, {}).wavefronts, 1u); // pairs share words
  EXPECT_EQ(bankConflicts(row, 8, {}).wavefronts, 2u);
  EXPECT_EQ(bankConflicts(row, 8, {}).ideal, 2u);
  LinearLayout same = parse("warp=[], lane=[[0], [0], [0], [0], [0]], "
                            "register=[] -> offset=1024");
  EXPECT_EQ(bankConflicts(same, 4, {}).wavefronts, 1u);
  // The usual swizzle makes columns as good as rows.
  LinearLayout swizzled =
      column.renameOutput("offset", "flat")
          .reshapeOutputs({{"dim0", 5}, {"dim1", 5}})
          .compose(sharedLayout({32, 32}, {1, 0}, {1, 1, 32}).inverse());
  EXPECT_EQ(bankConflicts(swizzled, 4, {}).wavefronts, 1u);
}

TEST(LayoutQueries, BankConflictsCountPasses) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    LinearLayout offsets = generate.any(
        {{warpDim, 1}, {laneDim, 5}, {registerDim, 2}}, {{offsetDim, 10}});
    unsigned bytes = 1u << generate.below(4);
    // Whole vectors: the register bits are the offset's lowest.
    std::vector<unsigned> vectorBits;
    LinearLayout layout = offsets;
    if (seed % 2 && bytes <= 4) {
      auto columns = offsets.columns();
      for (size_t i = 0; i < columns.size(); ++i)
        columns[i] &= ~uint64_t(3);
      columns[0] = 1;
      columns[1] = 2;
      layout = LinearLayout(offsets.inputs(), offsets.outputs(), columns);
      vectorBits = {0, 1};
    }
    uint64_t vectorBytes = bytes << vectorBits.size();
    uint64_t lanesTogether =
        vectorBytes > 4 ? std::min<uint64_t>(32, 128 / vectorBytes) : 32;
    uint64_t passes = 0;
    for (uint64_t first = 0; first < 32; first += lanesTogether) {
      std::map<uint64_t, std::set<uint64_t>> wordsOfBank;
      for (uint64_t lane = first; lane < first + lanesTogether; ++lane)
        for (uint64_t reg : vectorRegisters(vectorBits))
          for (uint64_t byte = 0; byte < bytes; ++byte) {
            uint64_t word = (layout.apply(lane << 2 | reg) * bytes + byte) / 4;
            wordsOfBank[word % 32].insert(word);
          }
      size_t worst = 0;
      for (const auto &[bank, words] : wordsOfBank)
        worst = std::max(worst, words.size());
      passes += worst;
    }
    BankConflicts conflicts = bankConflicts(layout, bytes, vectorBits);
    ASSERT_EQ(conflicts.wavefronts, passes);
    ASSERT_LE(conflicts.ideal, conflicts.wavefronts);
  }
}

TEST(LayoutQueries, ReplicationCountsCopies) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    LayoutGenerator generate(seed);
    LinearLayout layout = generate.tensor(1 + seed % 5, 7);
    std::map<uint64_t, uint64_t> copies;
    for (uint64_t element : tableOf(layout))
      ++copies[element];
    for (const auto &[element, count] : copies)
      ASSERT_EQ(count, replication(layout)) << "seed " << seed;
  }
}
