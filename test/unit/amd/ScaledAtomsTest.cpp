//===- ScaledAtomsTest.cpp - AMD's products with factors --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies by each atom as the hardware would: operands and factors go to
// registers by the atom's layouts, the instruction finds them by the table of
// facts, and the result, read by its layout, must be the product.
//===----------------------------------------------------------------------===//
#include "backends/amd/matrix/ScaledAtoms.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright;
using namespace tilewright::amd;
using simt::LinearLayout;

namespace {
struct Place {
  unsigned lane, element;
};

struct Fact {
  llvm::Intrinsic::ID intrinsic;
  unsigned bits, lanes, extent, depth;
  Place (*operand)(unsigned i, unsigned k);
  unsigned (*factor)(unsigned i, unsigned k);
  Place (*result)(unsigned i, unsigned j);
};

/// Registers of all lanes.
using File = std::vector<std::vector<int>>;
using Matrix = std::vector<std::vector<int>>;
} // namespace

#define AMD_FACT(...)
#define AMD_FACT_SCALED(name, bits, lanes, extent, depth, laneA, elementA,     \
                        laneX, laneD, elementD)                                \
  {llvm::Intrinsic::amdgcn_##name,                                             \
   bits,                                                                       \
   lanes,                                                                      \
   extent,                                                                     \
   depth,                                                                      \
   [](unsigned i, unsigned k) {                                                \
     return Place{unsigned(laneA), unsigned(elementA)};                        \
   },                                                                          \
   [](unsigned i, unsigned k) { return unsigned(laneX); },                     \
   [](unsigned i, unsigned j) {                                                \
     return Place{unsigned(laneD), unsigned(elementD)};                        \
   }},

static const Fact facts[] = {
#include "test/unit/amd/MatrixFacts.def"
};

static const Fact *findFact(const ScaledAtom &scaled, simt::Element element) {
  unsigned bits = element == simt::Element::F4E2M1 ? 4 : 8;
  for (const Fact &fact : facts)
    if (fact.intrinsic == scaled.intrinsic && fact.bits == bits)
      return &fact;
  return nullptr;
}

static std::vector<ScaledAtom> atomsOf(const std::string &processor,
                                       AtomOptions options = {}) {
  Problem problem;
  return scaledAtoms(*resolveTarget("amd:" + processor, problem), options);
}

/// The registers that a layout fills from a matrix; registers of packed
/// elements hold two along k, which is the rows' or the columns' direction.
static File fill(const LinearLayout &layout, const Matrix &matrix,
                 unsigned packed = 1, bool isAlongRows = false) {
  File file(1u << layout.inputBits(simt::laneDim));
  for (unsigned lane = 0; lane < file.size(); ++lane)
    for (unsigned i = 0; i < 1u << layout.inputBits(simt::registerDim); ++i) {
      std::vector<uint64_t> at = layout.apply(std::vector<uint64_t>{lane, i});
      for (unsigned part = 0; part < packed; ++part)
        file[lane].push_back(isAlongRows
                                 ? matrix[at[0] * packed + part][at[1]]
                                 : matrix[at[0]][at[1] * packed + part]);
    }
  return file;
}

static Matrix draw(std::mt19937 &random, unsigned rows, unsigned columns) {
  Matrix matrix(rows, std::vector<int>(columns));
  for (std::vector<int> &row : matrix)
    for (int &value : row)
      value = int(random() % 15) - 7;
  return matrix;
}

/// D = A B, A being the right operand transposed.
static void expectProduct(const ScaledAtom &scaled) {
  const simt::MatrixAtom &atom = scaled.atom;
  SCOPED_TRACE(atom.name);
  const Fact *ofLhs = findFact(scaled, atom.lhs);
  const Fact *ofRhs = findFact(scaled, atom.rhs);
  ASSERT_TRUE(ofLhs && ofRhs);
  ASSERT_EQ(ofLhs->depth, atom.k);
  std::mt19937 random(atom.k + scaled.lhsFormat * 8 + scaled.rhsFormat);
  Matrix left = draw(random, atom.m, atom.k);
  Matrix right = draw(random, atom.k, atom.n);
  Matrix leftScale = draw(random, atom.m, atom.k / 32);
  Matrix rightScale = draw(random, atom.n, atom.k / 32);
  File lhs = fill(atom.lhsLayout, left, elementsOf(atom.lhs));
  File rhs = fill(atom.rhsLayout, right, elementsOf(atom.rhs), true);
  File lhsScale = fill(atom.lhsScaleLayout, leftScale);
  File rhsScale = fill(atom.rhsScaleLayout, rightScale);
  ASSERT_EQ(lhs.size(), ofLhs->lanes);
  ASSERT_EQ(lhs[0].size(), 32u);
  ASSERT_EQ(rhs[0].size(), 32u);
  Matrix product(atom.m, std::vector<int>(atom.n));
  for (unsigned m = 0; m < atom.m; ++m)
    for (unsigned n = 0; n < atom.n; ++n)
      for (unsigned k = 0; k < atom.k; ++k)
        product[m][n] += left[m][k] * leftScale[m][k / 32] * right[k][n] *
                         rightScale[n][k / 32];
  File result(ofLhs->lanes, std::vector<int>(atom.m * atom.n / ofLhs->lanes));
  for (unsigned i = 0; i < ofLhs->extent; ++i)
    for (unsigned j = 0; j < ofLhs->extent; ++j) {
      Place to = ofLhs->result(i, j);
      for (unsigned k = 0; k < atom.k; ++k) {
        Place a = ofRhs->operand(i, k), b = ofLhs->operand(j, k);
        result[to.lane][to.element] +=
            rhs[a.lane][a.element] * rhsScale[ofRhs->factor(i, k)][0] *
            lhs[b.lane][b.element] * lhsScale[ofLhs->factor(j, k)][0];
      }
    }
  EXPECT_EQ(result, fill(atom.resultLayout, product));
}

TEST(ScaledAtoms, MultiplyByTheFacts) {
  std::vector<ScaledAtom> atoms = atomsOf("gfx950");
  EXPECT_EQ(atoms.size(), 2 * 3 * 3u);
  for (const ScaledAtom &scaled : atoms)
    expectProduct(scaled);
}

TEST(ScaledAtoms, OnlyGfx950HasThem) {
  for (const std::string &processor : knownArchitectures())
    EXPECT_EQ(atomsOf(processor).empty(), processor != "gfx950") << processor;
}

TEST(ScaledAtoms, OptionsChooseTheExtent) {
  EXPECT_EQ(atomsOf("gfx950").front().atom.m, 16u);
  EXPECT_EQ(atomsOf("gfx950", {32, 0}).front().atom.m, 32u);
}

TEST(ScaledAtoms, SurviveAsText) {
  for (const ScaledAtom &scaled : atomsOf("gfx950")) {
    std::optional<simt::MatrixAtom> read =
        simt::parseAtom(simt::toText(scaled.atom));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->isScaled);
    EXPECT_EQ(read->lhs, scaled.atom.lhs);
    EXPECT_EQ(read->rhsLayout, scaled.atom.rhsLayout);
    EXPECT_EQ(read->rhsScaleLayout, scaled.atom.rhsScaleLayout);
  }
}
