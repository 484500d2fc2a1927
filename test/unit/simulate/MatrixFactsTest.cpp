//===- MatrixFactsTest.cpp - Formulas against the facts ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator's formulas go from a register to an element, AMD's facts from
// an element to a register; they were written down apart. NVIDIA's are checked
// on the examples of the PTX manual.
//===----------------------------------------------------------------------===//
#include "backends/simulate/machine/MatrixFacts.h"
#include "backends/simt/layout/MatrixAtom.h"

#include <gtest/gtest.h>

#include <string>

using namespace tilewright;
using namespace tilewright::simulate;

namespace {
struct Register {
  uint32_t lane, element;
};
using Finder = Register (*)(uint32_t row, uint32_t column);
struct Fact {
  std::string name;
  MatrixFamily family;
  uint32_t lanes, extent, depth;
  Finder operand, result;
};
} // namespace

#define AMD_ROW(family, name, lanes, extent, depth, laneA, elementA, laneD,    \
                elementD)                                                      \
  {#name,                                                                      \
   MatrixFamily::family,                                                       \
   lanes,                                                                      \
   extent,                                                                     \
   depth,                                                                      \
   [](uint32_t i, uint32_t k) {                                                \
     (void)i, (void)k;                                                         \
     return Register{uint32_t(laneA), uint32_t(elementA)};                     \
   },                                                                          \
   [](uint32_t i, uint32_t j) {                                                \
     return Register{uint32_t(laneD), uint32_t(elementD)};                     \
   }},

static const std::vector<Fact> &facts() {
  static const std::vector<Fact> rows = {
#define AMD_FACT(...) AMD_ROW(Mfma, __VA_ARGS__)
#define AMD_FACT_RDNA3(...) AMD_ROW(WmmaGfx11, __VA_ARGS__)
#define AMD_FACT_RDNA4(...) AMD_ROW(WmmaGfx12, __VA_ARGS__)
#include "test/unit/amd/MatrixFacts.def"
  };
  return rows;
}

static MatrixShape shapeOf(const Fact &fact) {
  if (fact.name.find("f8f6f4") != std::string::npos) {
    auto byte = uint32_t(simt::Element::F8E4M3FN);
    return {uint32_t(fact.family),
            fact.extent,
            fact.extent,
            fact.depth,
            byte,
            byte,
            uint32_t(simt::Element::F32),
            0,
            0,
            0,
            uint32_t(MatrixForm::Mixed)};
  }
  bool isDouble = fact.name.find("f64") != std::string::npos;
  auto element = uint32_t(isDouble ? simt::Element::F64 : simt::Element::F16);
  auto result = uint32_t(isDouble ? simt::Element::F64 : simt::Element::F32);
  return {uint32_t(fact.family),
          fact.extent,
          fact.extent,
          fact.depth,
          element,
          element,
          result,
          0,
          0,
          0};
}

TEST(MatrixFacts, AgreeWithAmdsTable) {
  ASSERT_GT(facts().size(), 20u);
  for (const Fact &fact : facts()) {
    SCOPED_TRACE(fact.name);
    MatrixShape shape = shapeOf(fact);
    EXPECT_EQ(lanesOf(fact.family), fact.lanes);
    for (uint32_t i = 0; i < fact.extent; ++i)
      for (uint32_t k = 0; k < fact.depth; ++k) {
        Register at = fact.operand(i, k);
        Place lhs = placeOf(shape, Operand::Lhs, at.lane, at.element);
        Place rhs = placeOf(shape, Operand::Rhs, at.lane, at.element);
        ASSERT_EQ(std::pair(lhs.row, lhs.column), std::pair(i, k));
        ASSERT_EQ(std::pair(rhs.row, rhs.column), std::pair(k, i));
      }
    for (uint32_t i = 0; i < fact.extent; ++i)
      for (uint32_t j = 0; j < fact.extent; ++j) {
        Register at = fact.result(i, j);
        Place place = placeOf(shape, Operand::Result, at.lane, at.element);
        ASSERT_EQ(std::pair(place.row, place.column), std::pair(i, j));
      }
  }
}

namespace {
struct ScaledFact {
  const char *name;
  uint32_t bits, lanes, extent, depth;
  Finder operand, result;
  uint32_t (*factor)(uint32_t i, uint32_t k);
};
} // namespace

#define AMD_FACT(...)
#define AMD_FACT_SCALED(name, bits, lanes, extent, depth, laneA, elementA,     \
                        laneX, laneD, elementD)                                \
  {#name,                                                                      \
   bits,                                                                       \
   lanes,                                                                      \
   extent,                                                                     \
   depth,                                                                      \
   [](uint32_t i, uint32_t k) {                                                \
     return Register{uint32_t(laneA), uint32_t(elementA)};                     \
   },                                                                          \
   [](uint32_t i, uint32_t j) {                                                \
     return Register{uint32_t(laneD), uint32_t(elementD)};                     \
   },                                                                          \
   [](uint32_t i, uint32_t k) { return uint32_t(laneX); }},

static const ScaledFact scaledFacts[] = {
#include "test/unit/amd/MatrixFacts.def"
};

TEST(MatrixFacts, AgreeWithAmdsTableOfFactors) {
  using E = simt::Element;
  for (const ScaledFact &fact : scaledFacts) {
    SCOPED_TRACE(std::string(fact.name) + " of " + std::to_string(fact.bits));
    auto element = uint32_t(fact.bits == 4 ? E::F4E2M1 : E::F8E4M3FN);
    MatrixShape shape = {uint32_t(MatrixFamily::Mfma),
                         fact.extent,
                         fact.extent,
                         fact.depth,
                         element,
                         element,
                         uint32_t(E::F32),
                         32,
                         32,
                         fact.extent * fact.extent / 64,
                         uint32_t(MatrixForm::Scaled)};
    EXPECT_EQ(lanesOf(MatrixFamily::Mfma), fact.lanes);
    for (uint32_t i = 0; i < fact.extent; ++i)
      for (uint32_t k = 0; k < fact.depth; ++k) {
        Register at = fact.operand(i, k);
        Place lhs = placeOf(shape, Operand::Lhs, at.lane, at.element);
        Place rhs = placeOf(shape, Operand::Rhs, at.lane, at.element);
        ASSERT_EQ(std::pair(lhs.row, lhs.column), std::pair(i, k));
        ASSERT_EQ(std::pair(rhs.row, rhs.column), std::pair(k, i));
        ASSERT_EQ(laneOfFactor(shape, i, k), fact.factor(i, k));
      }
    for (uint32_t i = 0; i < fact.extent; ++i)
      for (uint32_t j = 0; j < fact.extent; ++j) {
        Register at = fact.result(i, j);
        Place place = placeOf(shape, Operand::Result, at.lane, at.element);
        ASSERT_EQ(std::pair(place.row, place.column), std::pair(i, j));
      }
  }
}

/// Every register holds an element, and every element is held.
TEST(MatrixFacts, CoverOperands) {
  using E = simt::Element;
  const MatrixShape shapes[] = {
      {uint32_t(MatrixFamily::Ptx), 16, 8, 16, uint32_t(E::F16),
       uint32_t(E::F16), uint32_t(E::F32), 8, 4, 4},
      {uint32_t(MatrixFamily::Ptx), 16, 8, 32, uint32_t(E::I8), uint32_t(E::I8),
       uint32_t(E::I32), 16, 8, 4},
      {uint32_t(MatrixFamily::Ptx), 16, 8, 8, uint32_t(E::TF32),
       uint32_t(E::TF32), uint32_t(E::F32), 4, 2, 4},
      {uint32_t(MatrixFamily::Mfma), 32, 32, 8, uint32_t(E::F16),
       uint32_t(E::F16), uint32_t(E::F32), 4, 4, 16},
      {uint32_t(MatrixFamily::WmmaGfx11), 16, 16, 16, uint32_t(E::F16),
       uint32_t(E::F16), uint32_t(E::F32), 16, 16, 8}};
  for (const MatrixShape &shape : shapes) {
    EXPECT_EQ(registersOf(shape, Operand::Lhs), shape.lhsCount);
    EXPECT_EQ(registersOf(shape, Operand::Rhs), shape.rhsCount);
    EXPECT_EQ(registersOf(shape, Operand::Result), shape.resultCount);
    std::vector<bool> seen(shape.m * shape.k);
    for (uint32_t lane = 0; lane < lanesOf(MatrixFamily(shape.family)); ++lane)
      for (uint32_t index = 0; index < shape.lhsCount; ++index) {
        Place place = placeOf(shape, Operand::Lhs, lane, index);
        ASSERT_LT(place.row, shape.m);
        ASSERT_LT(place.column, shape.k);
        seen[place.row * shape.k + place.column] = true;
      }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), shape.m * shape.k);
  }
}

/// "PTX ISA", mma.m16n8k16 with .f16: a2 of lane 5 is in row groupID + 8, its
/// column threadID_in_group * 2; a4 in row groupID, 8 columns further.
TEST(MatrixFacts, PtxExamples) {
  using E = simt::Element;
  MatrixShape shape = {uint32_t(MatrixFamily::Ptx),
                       16,
                       8,
                       16,
                       uint32_t(E::F16),
                       uint32_t(E::F16),
                       uint32_t(E::F32),
                       8,
                       4,
                       4};
  Place a2 = placeOf(shape, Operand::Lhs, 5, 2);
  EXPECT_EQ(std::pair(a2.row, a2.column), std::pair(9u, 2u));
  Place a4 = placeOf(shape, Operand::Lhs, 5, 4);
  EXPECT_EQ(std::pair(a4.row, a4.column), std::pair(1u, 10u));
  Place b3 = placeOf(shape, Operand::Rhs, 5, 3);
  EXPECT_EQ(std::pair(b3.row, b3.column), std::pair(11u, 1u));
  Place c2 = placeOf(shape, Operand::Result, 5, 2);
  EXPECT_EQ(std::pair(c2.row, c2.column), std::pair(9u, 2u));
}
