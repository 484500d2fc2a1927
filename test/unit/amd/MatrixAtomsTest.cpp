//===- MatrixAtomsTest.cpp - Blocks of AMD's matrix instructions *- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies by each atom as the hardware would: operands go to registers by
// the atom's layouts, instructions find elements by the table of facts, and the
// result, read by its layout, must be the product.
//===----------------------------------------------------------------------===//
#include "backends/amd/matrix/MatrixAtoms.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace tilewright;
using namespace tilewright::amd;
using simt::LinearLayout;

namespace {
struct Place {
  unsigned lane, element;
};

struct Fact {
  llvm::Intrinsic::ID intrinsic;
  unsigned generation; ///< 0 where the intrinsic's name tells
  unsigned lanes, extent, depth;
  Place (*operand)(unsigned i, unsigned k);
  Place (*result)(unsigned i, unsigned j);
};

/// Registers of all lanes.
using File = std::vector<std::vector<int>>;
} // namespace

#define AMD_ROW(generation, name, lanes, extent, depth, laneA, elementA,       \
                laneD, elementD)                                               \
  {llvm::Intrinsic::amdgcn_##name,                                             \
   generation,                                                                 \
   lanes,                                                                      \
   extent,                                                                     \
   depth,                                                                      \
   [](unsigned i, unsigned k) {                                                \
     (void)i, (void)k;                                                         \
     return Place{unsigned(laneA), unsigned(elementA)};                        \
   },                                                                          \
   [](unsigned i, unsigned j) {                                                \
     return Place{unsigned(laneD), unsigned(elementD)};                        \
   }},

static const Fact facts[] = {
#define AMD_FACT(...) AMD_ROW(0, __VA_ARGS__)
#define AMD_FACT_RDNA3(...) AMD_ROW(3, __VA_ARGS__)
#define AMD_FACT_RDNA4(...) AMD_ROW(4, __VA_ARGS__)
#include "test/unit/amd/MatrixFacts.def"
};

static const Fact *findFact(const MatrixInstruction &instruction) {
  unsigned generation = instruction.shape == Shape::Wmma3   ? 3
                        : instruction.shape == Shape::Wmma4 ? 4
                                                            : 0;
  for (const Fact &fact : facts)
    if (fact.intrinsic == instruction.intrinsic &&
        fact.generation == generation)
      return &fact;
  return nullptr;
}

static std::vector<BlockAtom> atomsOf(const std::string &processor,
                                      AtomOptions options = {}) {
  Problem problem;
  return blockAtoms(*resolveTarget("amd:" + processor, problem), options);
}

/// The registers that a layout fills from a matrix of `columns` columns.
static File fill(const LinearLayout &layout, const std::vector<int> &matrix,
                 unsigned columns) {
  File file(1u << layout.inputBits(simt::laneDim));
  for (unsigned lane = 0; lane < file.size(); ++lane)
    for (unsigned i = 0; i < 1u << layout.inputBits(simt::registerDim); ++i) {
      std::vector<uint64_t> at = layout.apply(std::vector<uint64_t>{lane, i});
      file[lane].push_back(matrix[at[0] * columns + at[1]]);
    }
  return file;
}

/// D += A B of one step, A being the right operand and B the left one.
static void execute(const Fact &fact, const Step &step, const File &lhs,
                    const File &rhs, File &result) {
  for (unsigned i = 0; i < fact.extent; ++i)
    for (unsigned j = 0; j < fact.extent; ++j) {
      Place to = fact.result(i, j);
      int &sum = result[to.lane][step.result[to.element]];
      for (unsigned k = 0; k < fact.depth; ++k) {
        Place a = fact.operand(i, k), b = fact.operand(j, k);
        sum +=
            rhs[a.lane][step.rhs[a.element]] * lhs[b.lane][step.lhs[b.element]];
      }
    }
}

static void expectProduct(const BlockAtom &block) {
  const simt::MatrixAtom &atom = block.atom;
  SCOPED_TRACE(atom.name);
  const Fact *fact = findFact(block.instruction);
  ASSERT_NE(fact, nullptr);
  ASSERT_EQ(fact->lanes, 1u << atom.lhsLayout.inputBits(simt::laneDim));
  std::mt19937 random(atom.m + atom.n + atom.k);
  auto draw = [&](size_t count) {
    std::vector<int> values(count);
    for (int &value : values)
      value = int(random() % 15) - 7;
    return values;
  };
  std::vector<int> left = draw(atom.m * atom.k), right = draw(atom.k * atom.n);
  File lhs = fill(atom.lhsLayout, left, atom.k);
  File rhs = fill(atom.rhsLayout, right, atom.n);
  File result =
      fill(atom.resultLayout, std::vector<int>(atom.m * atom.n, 0), atom.n);
  for (const Step &step : block.steps)
    execute(*fact, step, lhs, rhs, result);
  std::vector<int> product(atom.m * atom.n, 0);
  for (unsigned m = 0; m < atom.m; ++m)
    for (unsigned n = 0; n < atom.n; ++n)
      for (unsigned k = 0; k < atom.k; ++k)
        product[m * atom.n + n] += left[m * atom.k + k] * right[k * atom.n + n];
  EXPECT_EQ(result, fill(atom.resultLayout, product, atom.n));
}

TEST(MatrixAtoms, MultiplyByTheFactsOnEveryProcessor) {
  for (const std::string &processor : knownArchitectures()) {
    SCOPED_TRACE(processor);
    for (unsigned extent : {16, 32}) {
      std::vector<BlockAtom> atoms = atomsOf(processor, {extent, 0});
      EXPECT_FALSE(atoms.empty());
      for (const BlockAtom &block : atoms)
        expectProduct(block);
    }
  }
}

TEST(MatrixAtoms, NamesAreUnique) {
  for (const std::string &processor : knownArchitectures()) {
    std::set<std::string> names;
    for (const BlockAtom &block : atomsOf(processor))
      EXPECT_TRUE(names.insert(block.atom.name).second) << block.atom.name;
  }
}

static std::set<simt::Element> operandTypes(const std::string &processor) {
  std::set<simt::Element> types;
  for (const BlockAtom &block : atomsOf(processor))
    types.insert(block.atom.lhs);
  return types;
}

TEST(MatrixAtoms, EachGenerationHasItsTypes) {
  using E = simt::Element;
  std::set<E> cdna = {E::F16, E::BF16, E::I8, E::F32, E::F64};
  EXPECT_EQ(operandTypes("gfx90a"), cdna);
  EXPECT_EQ(operandTypes("gfx9-4-generic"), cdna);
  std::set<E> mi300 = cdna, mi350 = cdna;
  mi300.insert({E::TF32, E::F8E4M3FNUZ, E::F8E5M2FNUZ});
  mi350.insert({E::F8E4M3FN, E::F8E5M2});
  EXPECT_EQ(operandTypes("gfx942"), mi300);
  EXPECT_EQ(operandTypes("gfx950"), mi350);
  std::set<E> rdna3 = {E::F16, E::BF16, E::I8};
  EXPECT_EQ(operandTypes("gfx1100"), rdna3);
  std::set<E> rdna4 = rdna3;
  rdna4.insert({E::F8E4M3FN, E::F8E5M2});
  EXPECT_EQ(operandTypes("gfx1201"), rdna4);
}

TEST(MatrixAtoms, ResultsAreTheNextLeftOperandInDeepBlocks) {
  for (const BlockAtom &block : atomsOf("gfx942"))
    if (block.atom.name == "bf16.16.n64k64") {
      EXPECT_EQ(block.atom.lhsLayout.toString(),
                block.atom.resultLayout.toString());
      return;
    }
  FAIL() << "no block of 64 by 64";
}

TEST(MatrixAtoms, OptionsChooseTheExtentAndTheDepth) {
  EXPECT_EQ(atomsOf("gfx942").front().instruction.extent(), 16u);
  EXPECT_EQ(atomsOf("gfx942", {32, 0}).front().instruction.extent(), 32u);
  auto has = [](const std::vector<BlockAtom> &atoms, const char *name) {
    return llvm::any_of(
        atoms, [&](const BlockAtom &block) { return block.atom.name == name; });
  };
  EXPECT_TRUE(has(atomsOf("gfx942"), "f16.16.n64k32"));
  EXPECT_FALSE(has(atomsOf("gfx942", {0, 1}), "f16.16.n64k32"));
}
