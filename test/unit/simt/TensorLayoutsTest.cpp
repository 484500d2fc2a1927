//===- TensorLayoutsTest.cpp - Layouts built from shapes ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders against hand-written tables and against index arithmetic.
//===----------------------------------------------------------------------===//
#include "RandomLayouts.h"

#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/TensorLayouts.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

using Indices = std::vector<uint64_t>;

/// The tensor indices that (warp, lane, register) hold.
Indices at(const LinearLayout &layout, uint64_t warp, uint64_t lane,
           uint64_t reg) {
  return layout.apply(Indices{warp, lane, reg});
}

TensorShape randomShape(LayoutGenerator &generate, unsigned rank) {
  TensorShape shape;
  int64_t elements = 1;
  for (unsigned d = 0; d < rank; ++d) {
    int64_t extent = 1 + generate.below(elements > 64 ? 3 : 9);
    shape.push_back(extent);
    elements *= extent;
  }
  return shape;
}

std::vector<unsigned> randomOrder(LayoutGenerator &generate, unsigned rank) {
  std::vector<unsigned> order(rank);
  for (unsigned d = 0; d < rank; ++d)
    order[d] = d;
  for (unsigned d = rank; d > 1; --d)
    std::swap(order[d - 1], order[generate.below(d)]);
  return order;
}

template <typename Check> void forRandomSeeds(unsigned count, Check check) {
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    check(generate, 1 + seed % 5);
    if (testing::Test::HasFailure())
      return;
  }
}

} // namespace

TEST(TensorLayouts, BlockedByHand) {
  // 4x16: 4 registers along a row, 4 lanes along it, 2 down, 2 warps down.
  LinearLayout layout =
      blockedLayout({4, 16}, {{1, 4}, {2, 4}, {2, 1}, {1, 0}});
  EXPECT_EQ(layout.toString(), "warp=[[2, 0]], lane=[[0, 4], [0, 8], [1, 0]], "
                               "register=[[0, 1], [0, 2]] -> dim0=4, dim1=16");
  EXPECT_EQ(at(layout, 1, 5, 3), (Indices{3, 7}));
}

TEST(TensorLayouts, BlockedWrapsAndRepeats) {
  // 8 lanes on 4 elements hold each twice; 16 elements on 2 lanes repeat.
  EXPECT_EQ(blockedLayout({4}, {{1}, {8}, {1}, {0}}).toString(),
            "warp=[], lane=[[1], [2], [0]], register=[] -> dim0=4");
  EXPECT_EQ(blockedLayout({16}, {{2}, {2}, {1}, {0}}).toString(),
            "warp=[], lane=[[2]], register=[[1], [4], [8]] -> dim0=16");
  // 5 and 3 are padded to 8 and 4.
  EXPECT_EQ(
      paddedShape(blockedLayout({5, 3}, {{1, 1}, {1, 4}, {1, 1}, {1, 0}})),
      (TensorShape{8, 4}));
}

TEST(TensorLayouts, BlockedHoldsEveryElement) {
  forRandomSeeds(2000, [](LayoutGenerator &generate, unsigned rank) {
    TensorShape shape = randomShape(generate, rank);
    BlockedTile tile =
        chooseBlockedTile(shape, generate.below(6), generate.below(4),
                          1u << generate.below(4), randomOrder(generate, rank));
    LinearLayout layout = blockedLayout(shape, tile);
    ASSERT_TRUE(layout.isSurjective());
    for (size_t d = 0; d < rank; ++d) {
      ASSERT_GE(paddedShape(layout)[d], shape[d]);
      ASSERT_LT(paddedShape(layout)[d], std::max<int64_t>(2 * shape[d], 2));
    }
    // Registers never hold copies of one another.
    LinearLayout own = layout.removeInput(warpDim).removeInput(laneDim);
    ASSERT_TRUE(own.isInjective());
  });
}

TEST(TensorLayouts, ChosenTileUsesAllThreads) {
  forRandomSeeds(500, [](LayoutGenerator &generate, unsigned rank) {
    TensorShape shape = randomShape(generate, rank);
    unsigned lanes = generate.below(6), warps = generate.below(4);
    LinearLayout layout =
        blockedLayout(shape, chooseBlockedTile(shape, lanes, warps, 1,
                                               randomOrder(generate, rank)));
    ASSERT_EQ(layout.inputBits(laneDim), lanes);
    ASSERT_EQ(layout.inputBits(warpDim), warps);
    ASSERT_EQ(layout.inputBits(registerDim),
              layout.outputBits() > lanes + warps
                  ? layout.outputBits() - lanes - warps
                  : 0);
  });
}

TEST(TensorLayouts, SliceDropsOneIndex) {
  forRandomSeeds(2000, [](LayoutGenerator &generate, unsigned rank) {
    LinearLayout parent = generate.tensor(rank, 7);
    unsigned axis = generate.below(rank);
    LinearLayout slice = sliceLayout(parent, axis);
    ASSERT_EQ(slice.outputs().size(), rank - 1);
    ASSERT_TRUE(slice.isSurjective());
    ASSERT_EQ(slice.inputBits(laneDim), parent.inputBits(laneDim));
    ASSERT_EQ(slice.inputBits(warpDim), parent.inputBits(warpDim));
    // Each thread holds exactly the rows that it held before.
    for (uint64_t w = 0; w < 1u << parent.inputBits(warpDim); ++w)
      for (uint64_t l = 0; l < 1u << parent.inputBits(laneDim); ++l) {
        std::vector<Indices> before, after;
        for (uint64_t r = 0; r < 1u << parent.inputBits(registerDim); ++r) {
          Indices indices = at(parent, w, l, r);
          indices.erase(indices.begin() + axis);
          before.push_back(indices);
        }
        for (uint64_t r = 0; r < 1u << slice.inputBits(registerDim); ++r)
          after.push_back(at(slice, w, l, r));
        std::sort(before.begin(), before.end());
        before.erase(std::unique(before.begin(), before.end()), before.end());
        std::sort(after.begin(), after.end());
        ASSERT_EQ(before, after);
      }
  });
}

TEST(TensorLayouts, BroadcastAddsRegisters) {
  forRandomSeeds(1000, [](LayoutGenerator &generate, unsigned rank) {
    LinearLayout source = generate.tensor(rank, 6);
    unsigned axis = generate.below(rank + 1);
    int64_t extent = 1 + generate.below(8);
    LinearLayout result = broadcastLayout(source, axis, extent);
    unsigned bits = ceilLog2(extent);
    unsigned registers = source.inputBits(registerDim);
    ASSERT_EQ(result.inputBits(registerDim), registers + bits);
    for (uint64_t x = 0; x < uint64_t(1) << result.inputBits(); ++x) {
      Indices in = unpackIndices(result.inputs(), x);
      Indices out = result.apply(in);
      ASSERT_EQ(out[axis], in[2] >> registers);
      out.erase(out.begin() + axis);
      in[2] &= (1u << registers) - 1;
      ASSERT_EQ(out, source.apply(in));
    }
    ASSERT_EQ(sliceLayout(result, axis).isSurjective(), true);
  });
}

TEST(TensorLayouts, TransposePermutesIndices) {
  forRandomSeeds(1000, [](LayoutGenerator &generate, unsigned rank) {
    LinearLayout source = generate.tensor(rank, 8);
    std::vector<unsigned> permutation = randomOrder(generate, rank);
    LinearLayout result = transposeLayout(source, permutation);
    for (uint64_t x = 0; x < uint64_t(1) << source.inputBits(); ++x) {
      Indices in = unpackIndices(source.inputs(), x);
      Indices from = source.apply(in), to = result.apply(in);
      for (unsigned d = 0; d < rank; ++d)
        ASSERT_EQ(to[d], from[permutation[d]]);
    }
  });
}

/// The row-major number of an element.
static uint64_t flatIndex(const TensorShape &shape, const Indices &indices) {
  uint64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    flat = flat * shape[d] + indices[d];
  return flat;
}

TEST(TensorLayouts, ReshapeKeepsTheFlatIndex) {
  const std::pair<TensorShape, TensorShape> linear[] = {
      {{8, 4}, {32}},           {{32}, {2, 4, 4}},
      {{3, 8}, {3, 2, 4}},      {{3, 1, 8}, {3, 8}},
      {{5}, {1, 5, 1}},         {{2, 6, 4}, {2, 6, 2, 2}},
      {{4, 4, 7}, {16, 7}},     {{1}, {}},
      {{7, 3}, {7, 3}},         {{1, 1}, {1}},
      {{4, 3, 2}, {4, 3, 2, 1}}};
  for (const auto &[from, to] : linear) {
    LayoutGenerator generate(from.size());
    LinearLayout source = generate.covering(tensorDims(from), 1, 2, 0);
    auto result = reshapeLayout(source, from, to);
    ASSERT_TRUE(result);
    for (uint64_t x = 0; x < uint64_t(1) << source.inputBits(); ++x) {
      Indices a = unpackIndices(source.outputs(), source.apply(x));
      bool padded = false;
      for (size_t d = 0; d < from.size(); ++d)
        padded |= a[d] >= uint64_t(from[d]);
      if (!padded) {
        Indices b = unpackIndices(result->outputs(), result->apply(x));
        ASSERT_EQ(flatIndex(from, a), flatIndex(to, b));
      }
    }
  }
  const std::pair<TensorShape, TensorShape> other[] = {{{6}, {2, 3}},
                                                       {{6}, {3, 2}},
                                                       {{3, 4}, {12}},
                                                       {{3, 4}, {4, 3}},
                                                       {{2, 3}, {3, 2}}};
  for (const auto &[from, to] : other)
    EXPECT_FALSE(reshapeLayout(
        blockedLayout(from,
                      chooseBlockedTile(from, 2, 1, 1,
                                        from.size() == 1
                                            ? std::vector<unsigned>{0}
                                            : std::vector<unsigned>{1, 0})),
        from, to));
}

TEST(TensorLayouts, JoinAndSplitAreInverse) {
  forRandomSeeds(1000, [](LayoutGenerator &generate, unsigned rank) {
    LinearLayout source = generate.tensor(rank, 7);
    LinearLayout joined = joinLayout(source);
    for (uint64_t x = 0; x < uint64_t(1) << source.inputBits(); ++x)
      for (uint64_t half = 0; half < 2; ++half) {
        Indices in = unpackIndices(source.inputs(), x);
        Indices expected = source.apply(in);
        expected.push_back(half);
        in[2] = 2 * in[2] + half;
        ASSERT_EQ(joined.apply(in), expected);
      }
    auto split = splitLayout(joined);
    ASSERT_TRUE(split);
    ASSERT_EQ(split->half, source);
    ASSERT_EQ(split->registerBit, 0u);
  });
  // Held by a lane, or by two registers: no register tells the halves apart.
  std::string error;
  for (const char *text :
       {"warp=[], lane=[[1]], register=[] -> dim0=2",
        "warp=[], lane=[], register=[[1], [1]] -> dim0=2",
        "warp=[], lane=[[1, 1]], register=[[0, 1]] -> dim0=2, dim1=2"})
    EXPECT_FALSE(splitLayout(*LinearLayout::parse(text, error))) << text;
}

TEST(TensorLayouts, SharedIsDenseAndSwizzled) {
  // Row r of 8 columns: vectors of 2 elements flip by (r / 2) % 4.
  LinearLayout layout = sharedLayout({8, 8}, {1, 0}, {2, 2, 4});
  for (uint64_t offset = 0; offset < 64; ++offset) {
    uint64_t row = offset / 8, place = offset % 8;
    uint64_t column = place ^ ((row / 2) % 4 * 2);
    EXPECT_EQ(layout.apply(Indices{offset}), (Indices{row, column}));
  }
  forRandomSeeds(1000, [](LayoutGenerator &generate, unsigned rank) {
    TensorShape shape = randomShape(generate, rank);
    LinearLayout shared =
        sharedLayout(shape, randomOrder(generate, rank),
                     {1u << generate.below(3), 1u << generate.below(3),
                      1u << generate.below(4)});
    ASSERT_TRUE(shared.isInvertible());
  });
}

TEST(TensorLayouts, FragmentRepeatsTheAtom) {
  // The 16x8 result of mma.sync: rows by lanes / 4, pairs of columns.
  FragmentTable atom{
      {16, 8}, {{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}};
  LinearLayout layout = fragmentLayout({64, 32}, atom, {2, 2}, {1, 0});
  EXPECT_TRUE(layout.isInvertible());
  for (uint64_t warp = 0; warp < 4; ++warp)
    for (uint64_t lane = 0; lane < 32; ++lane)
      for (uint64_t reg = 0; reg < 16; ++reg) {
        // Registers: the atom's four, then columns by 16, then rows by 32.
        uint64_t row = lane / 4 + (reg >> 1 & 1) * 8 + (warp >> 1) * 16 +
                       (reg >> 3 & 1) * 32;
        uint64_t column =
            lane % 4 * 2 + (reg & 1) + (warp & 1) * 8 + (reg >> 2 & 1) * 16;
        ASSERT_EQ(at(layout, warp, lane, reg), (Indices{row, column}));
      }
  // More warps than tiles: they hold copies.
  LinearLayout small = fragmentLayout({16, 8}, atom, {2, 2}, {1, 0});
  EXPECT_EQ(small.freeBits(warpDim), 3u);
}
