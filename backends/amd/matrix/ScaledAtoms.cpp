//===- ScaledAtoms.cpp - Products with factors of AMD's ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One atom is one instruction, which computes rhs^T lhs^T.
//===----------------------------------------------------------------------===//
#include "backends/amd/matrix/ScaledAtoms.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace tilewright::simt;

namespace tilewright::amd {

namespace {
struct Format {
  const char *name;
  Element element;
  unsigned number;
};

/// A row of Instructions.def with the families that have it.
struct Row {
  const char *name;
  unsigned families;
  Shape shape;
  llvm::Intrinsic::ID intrinsic;
};
} // namespace

static constexpr unsigned kLanes = 64, kRunOfBytes = 16;

static constexpr Format kFormats[] = {
#define AMD_FORMAT(name, element, number) {name, Element::element, number},
#include "backends/amd/matrix/Instructions.def"
};

static const std::vector<Row> &allRows() {
  enum : unsigned {
#define AMD_FAMILY(name, lanes, ldsBytes, registers, codeObject, copies)       \
  name = 1u << unsigned(Family::name),
#include "backends/amd/Architectures.def"
  };
  static const std::vector<Row> rows = {
#define AMD_SCALED(name, families, shape, id)                                  \
  {name, unsigned(families), Shape::shape, llvm::Intrinsic::amdgcn_##id},
#include "backends/amd/matrix/Instructions.def"
  };
  return rows;
}

namespace {
/// Steps of an operand of rows x K, in registers' elements.
struct OperandSteps {
  std::vector<unsigned> registers, lanes; ///< along K
};
} // namespace

static OperandSteps stepsAlongK(Element element, unsigned groups) {
  OperandSteps steps;
  for (unsigned step = 1; step < kRunOfBytes; step *= 2)
    steps.registers.push_back(step);
  for (unsigned group = 1; group < groups; group *= 2)
    steps.lanes.push_back(kRunOfBytes * group);
  if (elementsOf(element) == 1)
    steps.registers.push_back(kRunOfBytes * groups);
  return steps;
}

/// Rows are counted by the low lane bits.
static LinearLayout operandLayout(Element element, unsigned extent,
                                  bool isRhs) {
  unsigned groups = kLanes / extent;
  OperandSteps steps = stepsAlongK(element, groups);
  auto place = [&](unsigned row, unsigned k) {
    return isRhs ? FragmentStep{k, row} : FragmentStep{row, k};
  };
  std::vector<FragmentStep> registers, lanes;
  for (unsigned step : steps.registers)
    registers.push_back(place(0, step));
  for (unsigned row = 1; row < extent; row *= 2)
    lanes.push_back(place(row, 0));
  for (unsigned step : steps.lanes)
    lanes.push_back(place(0, step));
  unsigned depth = groups * kScaleRun / elementsOf(element);
  return isRhs ? makeFragment(depth, extent, registers, lanes)
               : makeFragment(extent, depth, registers, lanes);
}

static LinearLayout scaleLayout(unsigned extent) {
  std::vector<FragmentStep> lanes;
  for (unsigned row = 1; row < extent; row *= 2)
    lanes.push_back({row, 0});
  for (unsigned run = 1; run < kLanes / extent; run *= 2)
    lanes.push_back({0, run});
  return makeFragment(extent, kLanes / extent, {}, lanes);
}

/// A lane holds groups of four neighbours of one row.
static LinearLayout resultLayout(unsigned extent) {
  unsigned groups = kLanes / extent;
  std::vector<FragmentStep> registers = {{0, 1}, {0, 2}}, lanes;
  for (unsigned step = 4 * groups; step < extent; step *= 2)
    registers.push_back({0, step});
  for (unsigned row = 1; row < extent; row *= 2)
    lanes.push_back({row, 0});
  for (unsigned group = 1; group < groups; group *= 2)
    lanes.push_back({0, 4 * group});
  return makeFragment(extent, extent, registers, lanes);
}

static ScaledAtom build(const Row &row, const Format &lhs, const Format &rhs) {
  unsigned extent = row.shape == Shape::Mfma32 ? 32 : 16;
  ScaledAtom made = {{}, row.intrinsic, lhs.number, rhs.number};
  MatrixAtom &atom = made.atom;
  atom.name = std::string(lhs.name) + "." + rhs.name + "." + row.name;
  atom.m = atom.n = extent;
  atom.k = kLanes / extent * kScaleRun;
  atom.lhs = lhs.element;
  atom.rhs = rhs.element;
  atom.result = Element::F32;
  atom.lhsLayout = operandLayout(lhs.element, extent, /*isRhs=*/false);
  atom.rhsLayout = operandLayout(rhs.element, extent, /*isRhs=*/true);
  atom.resultLayout = resultLayout(extent);
  atom.isScaled = true;
  atom.lhsScaleLayout = atom.rhsScaleLayout = scaleLayout(extent);
  return made;
}

std::vector<ScaledAtom> scaledAtoms(const Target &target,
                                    const AtomOptions &options) {
  unsigned wanted = options.extent ? options.extent : 16;
  std::vector<ScaledAtom> atoms;
  for (bool isWanted : {true, false})
    for (const Row &row : allRows()) {
      unsigned extent = row.shape == Shape::Mfma32 ? 32 : 16;
      if (!(row.families >> unsigned(target.family) & 1) ||
          (extent == wanted) != isWanted)
        continue;
      for (const Format &lhs : kFormats)
        for (const Format &rhs : kFormats)
          atoms.push_back(build(row, lhs, rhs));
    }
  return atoms;
}

} // namespace tilewright::amd
