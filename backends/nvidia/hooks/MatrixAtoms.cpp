//===- MatrixAtoms.cpp - Shapes and fragments of mma.sync -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lane and register of a warp holds which element of an operand. Source:
// "PTX ISA", section "Warp-level matrix instructions", the figures of each
// shape.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"

using namespace tilewright::simt;

namespace tilewright::nvidia {

/// m8n8k4 on f64: one element of each operand a lane.
static MatrixAtom atomF64() {
  MatrixAtom atom;
  atom.name = "m8n8k4.f64";
  atom.m = atom.n = 8;
  atom.k = 4;
  atom.lhs = atom.rhs = atom.result = Element::F64;
  atom.lhsLayout =
      makeFragment(8, 4, {}, {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}});
  atom.rhsLayout =
      makeFragment(4, 8, {}, {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}});
  atom.resultLayout =
      makeFragment(8, 8, {{0, 1}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  return atom;
}

/// m16n8k8 on f16, all that sm_75 has: one register holds both halves of k.
static MatrixAtom atomOfTuring() {
  MatrixAtom atom = makeAtom16x8("m16n8k8.f16", 8, 2, Element::F16,
                                 Element::F16, Element::F32);
  atom.lhsLayout = makeFragment(16, 8, {{0, 1}, {8, 0}},
                                {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  atom.rhsLayout =
      makeFragment(8, 8, {{1, 0}}, {{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}});
  return atom;
}

std::vector<MatrixAtom> matrixAtoms(const Target &target) {
  if (target.number < 80)
    return {atomOfTuring()};
  struct Row {
    const char *name;
    unsigned oldest, k, packed;
    Element lhs, rhs, result;
  };
  using E = Element;
  static constexpr Row rows[] = {
      {"m16n8k16.f16", 80, 16, 2, E::F16, E::F16, E::F32},
      {"m16n8k16.bf16", 80, 16, 2, E::BF16, E::BF16, E::F32},
      {"m16n8k8.tf32", 80, 8, 1, E::TF32, E::TF32, E::F32},
      {"m16n8k32.s8", 80, 32, 4, E::I8, E::I8, E::I32},
      {"m16n8k32.e4m3", 89, 32, 4, E::F8E4M3FN, E::F8E4M3FN, E::F32},
      {"m16n8k32.e5m2", 89, 32, 4, E::F8E5M2, E::F8E5M2, E::F32},
      {"m16n8k32.e4m3.e5m2", 89, 32, 4, E::F8E4M3FN, E::F8E5M2, E::F32},
      {"m16n8k32.e5m2.e4m3", 89, 32, 4, E::F8E5M2, E::F8E4M3FN, E::F32},
  };
  std::vector<MatrixAtom> atoms;
  for (const Row &row : rows)
    if (target.number >= row.oldest)
      atoms.push_back(makeAtom16x8(row.name, row.k, row.packed, row.lhs,
                                   row.rhs, row.result));
  atoms.push_back(atomF64());
  return atoms;
}

} // namespace tilewright::nvidia
