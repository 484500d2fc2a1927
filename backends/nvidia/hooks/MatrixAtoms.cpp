//===- MatrixAtoms.cpp - Shapes and fragments of mma.sync -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lane and register of a warp holds which element of an operand. Source:
// "PTX ISA", section "Warp-level matrix instructions", the figures of each
// shape. With g = lane / 4 and t = lane % 4, every fragment is a linear map:
// g always counts rows (columns of the right operand), t the other dimension.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"

using namespace tilewright::simt;

namespace tilewright::nvidia {

namespace {
/// One basis: how far a bit of the register or lane index moves.
struct Step {
  unsigned row, column;
};
} // namespace

static unsigned bitsOf(unsigned extent) {
  unsigned bits = 0;
  while ((1u << bits) < extent)
    ++bits;
  return bits;
}

/// A fragment of rows x columns from its register and lane steps.
static LinearLayout fragment(unsigned rows, unsigned columns,
                             const std::vector<Step> &registers,
                             const std::vector<Step> &lanes) {
  std::vector<uint64_t> bases;
  unsigned shift = bitsOf(columns);
  for (const std::vector<Step> *steps : {&registers, &lanes})
    for (const Step &step : *steps)
      bases.push_back(uint64_t(step.row) << shift | step.column);
  return LinearLayout(
      {{laneDim, unsigned(lanes.size())},
       {registerDim, unsigned(registers.size())}},
      {{tensorDim(0), bitsOf(rows)}, {tensorDim(1), bitsOf(columns)}},
      std::move(bases));
}

/// Operands of m16n8: each of the four lanes of a group holds `packed`
/// neighbours along k in one 32-bit register.
static MatrixAtom atom16x8(std::string name, unsigned k, unsigned packed,
                           Element operand, Element result) {
  MatrixAtom atom;
  atom.name = std::move(name);
  atom.m = 16;
  atom.n = 8;
  atom.k = k;
  atom.lhs = atom.rhs = operand;
  atom.result = result;
  std::vector<Step> lhs, rhs;
  for (unsigned step = 1; step < packed; step *= 2) {
    lhs.push_back({0, step});
    rhs.push_back({step, 0});
  }
  lhs.push_back({8, 0});
  lhs.push_back({0, k / 2});
  rhs.push_back({k / 2, 0});
  atom.lhsLayout = fragment(
      16, k, lhs, {{0, packed}, {0, 2 * packed}, {1, 0}, {2, 0}, {4, 0}});
  atom.rhsLayout = fragment(
      k, 8, rhs, {{packed, 0}, {2 * packed, 0}, {0, 1}, {0, 2}, {0, 4}});
  atom.resultLayout = fragment(16, 8, {{0, 1}, {8, 0}},
                               {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return atom;
}

/// m8n8k4 on f64: one element of each operand a lane.
static MatrixAtom atomF64() {
  MatrixAtom atom;
  atom.name = "m8n8k4.f64";
  atom.m = atom.n = 8;
  atom.k = 4;
  atom.lhs = atom.rhs = atom.result = Element::F64;
  atom.lhsLayout = fragment(8, 4, {}, {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}});
  atom.rhsLayout = fragment(4, 8, {}, {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}});
  atom.resultLayout =
      fragment(8, 8, {{0, 1}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return atom;
}

std::vector<MatrixAtom> matrixAtoms(const Target &target) {
  std::vector<MatrixAtom> atoms;
  if (target.number >= 80) {
    atoms.push_back(
        atom16x8("m16n8k16.f16", 16, 2, Element::F16, Element::F32));
    atoms.push_back(
        atom16x8("m16n8k16.bf16", 16, 2, Element::BF16, Element::F32));
    atoms.push_back(
        atom16x8("m16n8k8.tf32", 8, 1, Element::TF32, Element::F32));
    atoms.push_back(atom16x8("m16n8k32.s8", 32, 4, Element::I8, Element::I32));
    atoms.push_back(atomF64());
  } else {
    atoms.push_back(atom16x8("m16n8k8.f16", 8, 2, Element::F16, Element::F32));
    // m16n8k8 holds both halves of k in one register.
    atoms.back().lhsLayout = fragment(16, 8, {{0, 1}, {8, 0}},
                                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
    atoms.back().rhsLayout =
        fragment(8, 8, {{1, 0}}, {{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}});
  }
  if (target.number >= 89) {
    atoms.push_back(
        atom16x8("m16n8k32.e4m3", 32, 4, Element::F8E4M3FN, Element::F32));
    atoms.push_back(
        atom16x8("m16n8k32.e5m2", 32, 4, Element::F8E5M2, Element::F32));
  }
  return atoms;
}

} // namespace tilewright::nvidia
