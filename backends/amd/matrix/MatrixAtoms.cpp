//===- MatrixAtoms.cpp - Products made of AMD's instructions --------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the steps of one instruction to those of a block.
//===----------------------------------------------------------------------===//
#include "backends/amd/matrix/MatrixAtoms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright::simt;

namespace tilewright::amd {

namespace {
/// A row with the families that have it.
struct Row {
  unsigned families;
  MatrixInstruction instruction;
};

/// How far the bits of a result's register and of the lanes beyond the rows
/// move along n, in one instruction.
struct ResultSteps {
  std::vector<unsigned> registers, lanes;
};

/// A block: 2^columnBits instructions along n, `deep` along k.
struct BlockShape {
  unsigned columnBits;
  unsigned deep; ///< 0: as deep as wide, with the result's steps
};
} // namespace

static const std::vector<Row> &allRows() {
  enum : unsigned {
#define AMD_FAMILY(name, lanes, ldsBytes, registers, codeObject, copies)       \
  name = 1u << unsigned(Family::name),
#include "backends/amd/Architectures.def"
  };
  static const std::vector<Row> rows = {
#define AMD_MATRIX(name, families, shape, perLane, lhs, rhs, result, id)       \
  {unsigned(families),                                                         \
   {name, Shape::shape, perLane, Element::lhs, Element::rhs, Element::result,  \
    llvm::Intrinsic::amdgcn_##id}},
#include "backends/amd/matrix/Instructions.def"
  };
  return rows;
}

static ResultSteps resultSteps(Shape shape) {
  switch (shape) {
  case Shape::Mfma16:
    return {{1, 2}, {4, 8}};
  case Shape::Mfma32:
    return {{1, 2, 8, 16}, {4}};
  case Shape::MfmaDouble:
    return {{4, 8}, {1, 2}};
  case Shape::Wmma3:
    return {{2, 4, 8}, {1}};
  case Shape::Wmma4:
    return {{1, 2, 4}, {8}};
  }
  llvm_unreachable("all shapes are listed");
}

namespace {
/// Makes the atom of one instruction and one block.
class BlockBuilder {
public:
  BlockBuilder(const MatrixInstruction &instruction, const BlockShape &block)
      : instruction(instruction), block(block), extent(instruction.extent()),
        result(resultSteps(instruction.shape)) {}

  BlockAtom build();

private:
  void placeDepth();
  void addLayouts(MatrixAtom &atom) const;
  std::vector<Step> steps() const;
  bool isReplicated() const { return instruction.shape == Shape::Wmma3; }
  /// Register bits of the columns that are neighbours.
  std::vector<FragmentStep> columnSteps() const;

  const MatrixInstruction &instruction;
  const BlockShape &block;
  unsigned extent;
  ResultSteps result;
  /// How far the register and lane bits of operands move along k.
  std::vector<unsigned> depthRegisters, depthLanes;
  unsigned depth = 1;
};
} // namespace

/// Chooses the elements along k: neighbours, or those that a result has.
void BlockBuilder::placeDepth() {
  if (block.deep == 0) {
    for (unsigned step : result.registers)
      depthRegisters.push_back(step << block.columnBits);
    for (unsigned bit = 0; bit < block.columnBits; ++bit)
      depthRegisters.push_back(1u << bit);
    for (unsigned step : result.lanes)
      depthLanes.push_back(step << block.columnBits);
    depth = extent << block.columnBits;
    return;
  }
  for (; depth < instruction.perLane * block.deep; depth *= 2)
    depthRegisters.push_back(depth);
  for (size_t bit = 0; bit < result.lanes.size(); ++bit) {
    depthLanes.push_back(isReplicated() ? 0 : depth);
    depth *= isReplicated() ? 1 : 2;
  }
}

std::vector<FragmentStep> BlockBuilder::columnSteps() const {
  std::vector<FragmentStep> steps;
  for (unsigned bit = 0; bit < block.columnBits; ++bit)
    steps.push_back({0, 1u << bit});
  return steps;
}

void BlockBuilder::addLayouts(MatrixAtom &atom) const {
  unsigned shift = block.columnBits;
  std::vector<FragmentStep> left, leftLanes, right, rightLanes, sums, sumLanes;
  for (unsigned step : depthRegisters) {
    left.push_back({0, step});
    right.push_back({step, 0});
  }
  for (unsigned step = 1; step < extent; step *= 2) {
    leftLanes.push_back({step, 0});
    rightLanes.push_back({0, step << shift});
    sumLanes.push_back({step, 0});
  }
  for (unsigned step : depthLanes) {
    leftLanes.push_back({0, step});
    rightLanes.push_back({step, 0});
  }
  for (unsigned step : result.registers)
    sums.push_back({0, step << shift});
  for (unsigned step : result.lanes)
    sumLanes.push_back({0, step << shift});
  std::vector<FragmentStep> columns = columnSteps();
  right.insert(right.end(), columns.begin(), columns.end());
  sums.insert(sums.end(), columns.begin(), columns.end());
  atom.lhsLayout = makeFragment(atom.m, atom.k, left, leftLanes);
  atom.rhsLayout = makeFragment(atom.k, atom.n, right, rightLanes);
  atom.resultLayout = makeFragment(atom.m, atom.n, sums, sumLanes);
}

/// Registers count elements along k first, then columns.
std::vector<Step> BlockBuilder::steps() const {
  unsigned perDepth = 1u << depthRegisters.size();
  unsigned perColumn = 1u << result.registers.size();
  std::vector<Step> steps;
  for (unsigned first = 0; first < perDepth; first += instruction.perLane)
    for (unsigned column = 0; column < 1u << block.columnBits; ++column) {
      Step step;
      for (unsigned i = 0; i < instruction.perLane; ++i) {
        step.lhs.push_back(first + i);
        step.rhs.push_back(column * perDepth + first + i);
      }
      for (unsigned i = 0; i < perColumn; ++i)
        step.result.push_back(column * perColumn + i);
      steps.push_back(std::move(step));
    }
  return steps;
}

BlockAtom BlockBuilder::build() {
  placeDepth();
  BlockAtom made;
  made.instruction = instruction;
  made.atom.m = extent;
  made.atom.n = extent << block.columnBits;
  made.atom.k = depth;
  made.atom.name = (instruction.name + ".n" + llvm::Twine(made.atom.n) + "k" +
                    llvm::Twine(made.atom.k))
                       .str();
  made.atom.lhs = instruction.lhs;
  made.atom.rhs = instruction.rhs;
  made.atom.result = instruction.result;
  addLayouts(made.atom);
  made.steps = steps();
  return made;
}

/// The blocks of an instruction, the largest first.
static std::vector<BlockShape> blocksOf(const MatrixInstruction &instruction,
                                        const AtomOptions &options) {
  std::vector<BlockShape> blocks;
  unsigned widest = instruction.extent() == 32 ? 1 : 2;
  // 16-byte reads of operands; wide elements have them with one instruction.
  unsigned bytes =
      instruction.lhs == Element::F64                                       ? 8
      : instruction.lhs == Element::F32 || instruction.lhs == Element::TF32 ? 4
      : instruction.lhs == Element::F16 || instruction.lhs == Element::BF16 ? 2
                                                                            : 1;
  unsigned deep = std::max(1u, 16 / (bytes * instruction.perLane));
  if (options.kpack)
    deep = std::min(deep, options.kpack);
  for (unsigned columnBits = widest + 1; columnBits-- > 0;) {
    unsigned groups = instruction.lanes() / instruction.extent();
    unsigned width = instruction.extent() << columnBits;
    unsigned together = width / groups / instruction.perLane;
    if (instruction.shape != Shape::Wmma3 && together > 0 &&
        (!options.kpack || together <= options.kpack))
      blocks.push_back({columnBits, 0});
    for (unsigned count = deep; count > 0; count /= 2)
      blocks.push_back({columnBits, count});
  }
  return blocks;
}

std::vector<BlockAtom> blockAtoms(const Target &target,
                                  const AtomOptions &options) {
  unsigned wanted = options.extent ? options.extent : 16;
  std::vector<BlockAtom> atoms;
  // Those of the other extent serve what the wanted ones do not fit.
  for (bool isWanted : {true, false})
    for (const Row &row : allRows()) {
      const MatrixInstruction &instruction = row.instruction;
      if (!(row.families >> unsigned(target.family) & 1) ||
          (instruction.extent() == wanted) != isWanted)
        continue;
      for (const BlockShape &block : blocksOf(instruction, options)) {
        BlockAtom made = BlockBuilder(instruction, block).build();
        if (llvm::none_of(atoms, [&](const BlockAtom &other) {
              return other.atom.name == made.atom.name;
            }))
          atoms.push_back(std::move(made));
      }
    }
  return atoms;
}

} // namespace tilewright::amd
