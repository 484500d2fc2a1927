//===- LinearLayoutTest.cpp - Properties of the layout algebra ------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each property of thousands of random layouts is compared with what listing
// all their elements says.
//===----------------------------------------------------------------------===//
#include "RandomLayouts.h"

#include "backends/simt/layout/GF2.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace tilewright::simt;
using namespace tilewright::simt::test;

namespace {

/// The sum (exclusive or) of two indices in each dimension.
std::vector<uint64_t> flip(std::vector<uint64_t> a,
                           const std::vector<uint64_t> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] ^= b[i];
  return a;
}

size_t distinct(const Table &table) {
  return std::set<uint64_t>(table.begin(), table.end()).size();
}

/// Calls `check` on random layouts of 1 to 5 dimensions a side.
template <typename Check> void forRandomLayouts(unsigned count, Check check) {
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    LayoutDims ins = generate.dims("in", 1 + generate.below(5), 9);
    LayoutDims outs = generate.dims("out", 1 + generate.below(5), 9);
    check(generate, generate.any(ins, outs));
    if (testing::Test::HasFailure())
      return;
  }
}

} // namespace

TEST(LinearLayout, PackingIsRowMajor) {
  LayoutDims dims = {{"a", 2}, {"b", 0}, {"c", 3}};
  EXPECT_EQ(packIndices(dims, {3, 0, 5}), 3u * 8 + 5);
  EXPECT_EQ(unpackIndices(dims, 29), (std::vector<uint64_t>{3, 0, 5}));
}

TEST(LinearLayout, DocumentedExample) {
  std::string error;
  auto layout = LinearLayout::parse(
      "lane=[[0, 2], [1, 0]], register=[[0, 1]] -> dim0=2, dim1=4", error);
  ASSERT_TRUE(layout) << error;
  EXPECT_EQ(layout->apply(std::vector<uint64_t>{3, 1}),
            (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(layout->basis("lane", 1), 4u);
}

TEST(LinearLayout, IsLinear) {
  forRandomLayouts(1000, [](LayoutGenerator &, const LinearLayout &layout) {
    for (const LayoutDim &in : layout.inputs())
      for (unsigned bit = 0; bit < in.bits; ++bit) {
        uint64_t x = uint64_t(1) << (layout.inputShift(in.name) + bit);
        ASSERT_EQ(layout.apply(x), layout.basis(in.name, bit));
      }
    uint64_t last = (uint64_t(1) << layout.inputBits()) - 1;
    for (uint64_t x = 0; x <= last; ++x) {
      auto a = layout.apply(unpackIndices(layout.inputs(), x));
      auto b = layout.apply(unpackIndices(layout.inputs(), last ^ x));
      auto all = layout.apply(unpackIndices(layout.inputs(), last));
      ASSERT_EQ(flip(a, b), all);
    }
  });
}

TEST(LinearLayout, RankCountsWhatIsReached) {
  forRandomLayouts(3000, [](LayoutGenerator &, const LinearLayout &layout) {
    Table table = tableOf(layout);
    size_t reached = distinct(table);
    ASSERT_EQ(uint64_t(1) << layout.rank(), reached);
    ASSERT_EQ(layout.isInjective(), reached == table.size());
    ASSERT_EQ(layout.isSurjective(), reached == 1u << layout.outputBits());
  });
}

TEST(LinearLayout, KernelAndImageSpan) {
  forRandomLayouts(2000, [](LayoutGenerator &, const LinearLayout &layout) {
    Table table = tableOf(layout);
    auto span = [](const std::vector<uint64_t> &vectors) {
      std::set<uint64_t> all = {0};
      for (uint64_t vector : vectors) {
        std::set<uint64_t> more;
        for (uint64_t x : all)
          more.insert(x ^ vector);
        all.insert(more.begin(), more.end());
      }
      return all;
    };
    std::set<uint64_t> zeros, reached(table.begin(), table.end());
    for (uint64_t x = 0; x < table.size(); ++x)
      if (table[x] == 0)
        zeros.insert(x);
    ASSERT_EQ(span(layout.kernel()), zeros);
    ASSERT_EQ(size_t(1) << layout.kernel().size(), zeros.size());
    ASSERT_EQ(span(layout.image()), reached);
    ASSERT_EQ(size_t(1) << layout.image().size(), reached.size());
  });
}

TEST(LinearLayout, FreeBitsLeaveOneOfEachElement) {
  forRandomLayouts(2000, [](LayoutGenerator &, const LinearLayout &layout) {
    Table table = tableOf(layout);
    uint64_t free = layout.freeInputBits();
    std::set<uint64_t> seen;
    for (uint64_t x = 0; x < table.size(); ++x)
      if ((x & free) == 0) {
        ASSERT_TRUE(seen.insert(table[x]).second) << "an element twice";
      }
    ASSERT_EQ(seen.size(), distinct(table)) << "an element is missing";
    uint64_t joined = 0;
    for (const LayoutDim &in : layout.inputs())
      joined |= layout.freeBits(in.name) << layout.inputShift(in.name);
    ASSERT_EQ(joined, free);
  });
}

TEST(LinearLayout, ComposesAsFunctions) {
  forRandomLayouts(
      2000, [](LayoutGenerator &generate, const LinearLayout &inner) {
        LayoutDims outerIns = inner.outputs();
        std::reverse(outerIns.begin(), outerIns.end());
        outerIns.front().bits += generate.below(3);
        LayoutDims outs = generate.dims("end", 1 + generate.below(3), 8);
        LinearLayout outer = generate.any(outerIns, outs);
        LinearLayout both = inner.compose(outer);
        for (uint64_t x = 0; x < uint64_t(1) << inner.inputBits(); ++x) {
          auto middle = unpackIndices(inner.outputs(), inner.apply(x));
          std::reverse(middle.begin(), middle.end());
          ASSERT_EQ(both.apply(x), outer.apply(packIndices(outerIns, middle)));
        }
      });
}

TEST(LinearLayout, InvertsBothWays) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    LayoutGenerator generate(seed);
    LayoutDims outs = generate.dims("out", 1 + generate.below(5), 10);
    LayoutDims ins = {{"in", totalBits(outs)}};
    LinearLayout layout = generate.invertible(ins, outs);
    ASSERT_TRUE(layout.isInvertible());
    LinearLayout inverse = layout.inverse();
    ASSERT_TRUE(layout.compose(inverse).isIdentity());
    ASSERT_TRUE(inverse.compose(layout).isIdentity());
    ASSERT_EQ(inverse.inverse(), layout);
  }
}

TEST(LinearLayout, PseudoInverseIsRightInverseInLowBits) {
  unsigned surjective = 0;
  forRandomLayouts(3000, [&](LayoutGenerator &, const LinearLayout &layout) {
    if (!layout.isSurjective())
      return;
    ++surjective;
    LinearLayout back = layout.pseudoInverse();
    ASSERT_TRUE(back.compose(layout).isIdentity());
    for (uint64_t column : back.columns())
      ASSERT_EQ(column & layout.freeInputBits(), 0u);
  });
  EXPECT_GT(surjective, 500u);
}

TEST(LinearLayout, RelativeToFindsEachElement) {
  unsigned stays = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    LayoutDims dims = generate.dims("dim", 1 + seed % 5, 8);
    unsigned warps = generate.below(4), lanes = generate.below(6);
    LinearLayout source = generate.covering(dims, warps, lanes, 1);
    LinearLayout result = generate.covering(dims, warps, lanes, 0);
    auto map = result.relativeTo(source);
    ASSERT_TRUE(map);
    ASSERT_EQ(map->outputs(), source.inputs());
    ASSERT_EQ(tableOf(map->compose(source)), tableOf(result));
    auto same = source.relativeTo(source);
    ASSERT_TRUE(same && same->isIdentity());
    stays += map->isIdentity();
  }
  EXPECT_LT(stays, 1500u);
}

TEST(LinearLayout, RelativeToStaysInTheWarpThatHoldsACopy) {
  std::string error;
  // Both warps hold both elements, in two registers.
  auto source = LinearLayout::parse(
      "warp=[[0]], lane=[], register=[[1]] -> dim0=2", error);
  auto result =
      LinearLayout::parse("warp=[[1]], lane=[], register=[] -> dim0=2", error);
  ASSERT_TRUE(source && result);
  EXPECT_EQ(result->relativeTo(*source)->columns(),
            (std::vector<uint64_t>{3})); // own warp, register 1
}

TEST(LinearLayout, RelativeToRefusesWhatIsNotThere) {
  auto part = LinearLayout({{"r", 1}}, {{"dim0", 2}}, {1});
  auto all = LinearLayout::identity("r", "dim0", 2);
  EXPECT_FALSE(all.relativeTo(part));
  EXPECT_TRUE(part.relativeTo(all));
}

TEST(LinearLayout, ProductAndDivide) {
  unsigned refused = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LayoutGenerator generate(seed);
    LayoutDims ins = generate.dims("in", 1 + generate.below(3), 4);
    LayoutDims outs = generate.dims("out", 1 + generate.below(3), 4);
    LinearLayout inner = generate.any(ins, outs);
    LinearLayout outer =
        generate.any(generate.dims("in", 1 + generate.below(3), 4),
                     generate.dims("out", 1 + generate.below(3), 4));
    LinearLayout both = inner.product(outer);
    auto x = [&](const LinearLayout &layout, uint64_t packed) {
      return unpackIndices(layout.inputs(), packed);
    };
    for (uint64_t i = 0; i < uint64_t(1) << inner.inputBits(); ++i)
      for (uint64_t o = 0; o < uint64_t(1) << outer.inputBits(); ++o) {
        std::vector<uint64_t> at(both.inputs().size(), 0);
        std::vector<uint64_t> expected(both.outputs().size(), 0);
        auto join =
            [](const LayoutDims &dims, const LayoutDims &innerDims,
               const LayoutDims &outerDims, const std::vector<uint64_t> &low,
               const std::vector<uint64_t> &high, std::vector<uint64_t> &into) {
              for (size_t d = 0; d < dims.size(); ++d) {
                unsigned up = 0;
                for (size_t k = 0; k < innerDims.size(); ++k)
                  if (innerDims[k].name == dims[d].name) {
                    into[d] |= low[k];
                    up = innerDims[k].bits;
                  }
                for (size_t k = 0; k < outerDims.size(); ++k)
                  if (outerDims[k].name == dims[d].name)
                    into[d] |= high[k] << up;
              }
            };
        join(both.inputs(), inner.inputs(), outer.inputs(), x(inner, i),
             x(outer, o), at);
        join(both.outputs(), inner.outputs(), outer.outputs(),
             inner.apply(x(inner, i)), outer.apply(x(outer, o)), expected);
        ASSERT_EQ(both.apply(at), expected);
      }
    auto quotient = both.divide(inner);
    ASSERT_TRUE(quotient);
    ASSERT_EQ(inner.product(*quotient), both);
    refused += !inner.divide(outer).has_value();
  }
  EXPECT_GT(refused, 500u);
}

TEST(LinearLayout, PartsAndSums) {
  forRandomLayouts(
      1000, [](LayoutGenerator &generate, const LinearLayout &layout) {
        const LayoutDim &in =
            layout.inputs()[generate.below(layout.inputs().size())];
        const LayoutDim &out =
            layout.outputs()[generate.below(layout.outputs().size())];
        LinearLayout part = layout.sublayout({in.name}, {out.name});
        bool zero = true;
        for (uint64_t i = 0; i < in.size(); ++i) {
          uint64_t y = layout.apply(i << layout.inputShift(in.name));
          uint64_t expected =
              (y & layout.outputMask(out.name)) >> layout.outputShift(out.name);
          ASSERT_EQ(part.apply(i), expected);
          zero &= expected == 0;
        }
        ASSERT_EQ(layout.isZero({in.name}, {out.name}), zero);
        LinearLayout other = generate.any({{"more", 2}}, layout.outputs());
        LinearLayout sum = layout.concatInputs(other);
        LinearLayout twin = generate.any(layout.inputs(), {{"twin", 3}});
        LinearLayout pair = layout.concatOutputs(twin);
        for (uint64_t x = 0; x < uint64_t(1) << layout.inputBits(); ++x) {
          for (uint64_t y = 0; y < 4; ++y)
            ASSERT_EQ(sum.apply(y << layout.inputBits() | x),
                      layout.apply(x) ^ other.apply(y));
          ASSERT_EQ(pair.apply(x),
                    twin.apply(x) << layout.outputBits() | layout.apply(x));
        }
      });
}

TEST(LinearLayout, QuotientForgetsTheDivisor) {
  forRandomLayouts(
      1000, [](LayoutGenerator &generate, const LinearLayout &layout) {
        const LayoutDim &in =
            layout.inputs()[generate.below(layout.inputs().size())];
        LinearLayout quotient = layout.quotient({in.name});
        ASSERT_FALSE(quotient.hasInput(in.name));
        LinearLayout alone = layout.sublayout({in.name}, [&] {
          std::vector<std::string> names;
          for (const LayoutDim &out : layout.outputs())
            names.push_back(out.name);
          return names;
        }());
        Table reach = tableOf(alone);
        std::set<uint64_t> divisor(reach.begin(), reach.end());
        LinearLayout rest = layout.removeInput(in.name);
        uint64_t size = uint64_t(1) << rest.inputBits();
        for (uint64_t x = 0; x < size; ++x) {
          uint64_t y = generate.below(size);
          ASSERT_EQ(divisor.count(rest.apply(x) ^ rest.apply(y)) > 0,
                    quotient.apply(x) == quotient.apply(y));
        }
      });
}

TEST(LinearLayout, ChangesOfDimensions) {
  forRandomLayouts(1000, [](LayoutGenerator &generate,
                            const LinearLayout &layout) {
    std::vector<std::string> names;
    for (const LayoutDim &out : layout.outputs())
      names.push_back(out.name);
    std::vector<size_t> order(names.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[generate.below(i)]);
    std::vector<std::string> permuted;
    for (size_t i : order)
      permuted.push_back(names[i]);
    LinearLayout transposed = layout.transposeOutputs(permuted);
    LinearLayout flat = layout.reshapeOutputs({{"flat", layout.outputBits()}});
    const LayoutDim &in = layout.inputs().front();
    LinearLayout larger = layout.resizeInput(in.name, in.bits + 2);
    for (uint64_t x = 0; x < uint64_t(1) << layout.inputBits(); ++x) {
      auto indices = unpackIndices(layout.outputs(), layout.apply(x));
      auto moved = unpackIndices(transposed.outputs(), transposed.apply(x));
      for (size_t i = 0; i < order.size(); ++i)
        ASSERT_EQ(moved[i], indices[order[i]]);
      ASSERT_EQ(flat.apply(x), layout.apply(x));
      ASSERT_EQ(larger.apply(x | uint64_t(3) << layout.inputBits()),
                layout.apply(x));
    }
    ASSERT_EQ(larger.resizeInput(in.name, in.bits), layout);
    ASSERT_EQ(transposed.transposeOutputs(names), layout);
    uint64_t mask = generate.below(1u << layout.inputBits());
    LinearLayout kept = layout.removeInputBits(mask);
    std::set<uint64_t> expected, got;
    for (uint64_t x = 0; x < uint64_t(1) << layout.inputBits(); ++x)
      if ((x & mask) == 0)
        expected.insert(layout.apply(x));
    for (uint64_t y : tableOf(kept))
      got.insert(y);
    ASSERT_EQ(got, expected);
    ASSERT_EQ(kept.inputBits() + countBits(mask), layout.inputBits());
  });
}

TEST(LinearLayout, TextRoundTrips) {
  forRandomLayouts(2000, [](LayoutGenerator &, const LinearLayout &layout) {
    std::string error;
    auto again = LinearLayout::parse(layout.toString(), error);
    ASSERT_TRUE(again) << layout.toString() << ": " << error;
    ASSERT_EQ(*again, layout);
  });
  std::string error;
  auto empty = LinearLayout::parse(LinearLayout().toString(), error);
  EXPECT_TRUE(empty && *empty == LinearLayout());
}

TEST(LinearLayout, TextFaults) {
  const std::pair<const char *, const char *> faults[] = {
      {"", "expected the name of a dimension"},
      {"lane=[[1]]", "expected '->'"},
      {"lane=[[1]] -> d=3", "expected a power of two, got 3"},
      {"lane=[[2]] -> d=2", "expected an index below 2, got 2"},
      {"lane=[[1, 1]] -> d=2", "expected 1 indices in each basis, got 2"},
      {"lane=[[1]], lane=[] -> d=2",
       "expected each dimension once, got 'lane'"},
      {"lane=[[1]] -> d=2, d=2", "expected each dimension once, got 'd'"},
      {"lane=[[x]] -> d=2", "expected a number"},
      {"lane=[[99999999999999999999999]] -> d=2", "expected a smaller number"},
      {"lane=[1] -> d=2", "expected '['"},
      {"lane=[] -> d=2 x", "expected the end of the layout"}};
  for (auto [text, message] : faults) {
    std::string error;
    EXPECT_FALSE(LinearLayout::parse(text, error)) << text;
    EXPECT_NE(error.find(message), std::string::npos) << text << ": " << error;
  }
}
