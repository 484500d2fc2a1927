//===- MatrixAtom.h - One matrix instruction of a sub-group -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape, element types and fragments of a matrix instruction as plain data, and
// the text form in which passes take them as options.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXATOM_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXATOM_H

#include "backends/simt/layout/LinearLayout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::simt {

/// Element types as matrix atoms name them.
enum class Element : uint8_t {
  I8,
  I32,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  BF16,
  F16,
  TF32,
  F32,
  F64,
  F4E2M1 ///< two in a byte, the first in its low half
};

/// result[m, n] += lhs[m, k] rhs[k, n]. Layouts map lane and register to the
/// two dimensions of the operand.
struct MatrixAtom {
  std::string name; ///< what TargetHooks::emitMatrixAtom switches on
  unsigned m = 0, n = 0, k = 0;
  Element lhs = Element::F16, rhs = Element::F16, result = Element::F32;
  LinearLayout lhsLayout, rhsLayout, resultLayout;

  /// Whether each run of `kScaleRun` elements along k has a factor, an e8m0 in
  /// a byte. Their layouts map lane and register to row (of the right operand:
  /// column) and run; the low lane bits count rows.
  bool isScaled = false;
  LinearLayout lhsScaleLayout, rhsScaleLayout;
};

inline constexpr unsigned kScaleRun = 32;

/// Elements along k in one register; a tensor's extent is that much shorter.
constexpr unsigned elementsOf(Element element) {
  return element == Element::F4E2M1 ? 2 : 1;
}

/// One basis of a fragment: how far a bit of the register or lane index moves.
struct FragmentStep {
  unsigned row, column;
};

/// A fragment of rows x columns from its register and lane steps.
LinearLayout makeFragment(unsigned rows, unsigned columns,
                          const std::vector<FragmentStep> &registers,
                          const std::vector<FragmentStep> &lanes);

/// The m16n8 shape of 32 lanes: each of the four lanes of a group holds
/// `packed` neighbours along k in one 32-bit register. Source: "PTX ISA",
/// section "Warp-level matrix instructions". With g = lane / 4 and t = lane %
/// 4, g counts rows (columns of the right operand), t the other dimension.
MatrixAtom makeAtom16x8(std::string name, unsigned k, unsigned packed,
                        Element lhs, Element rhs, Element result);

/// `name m n k lhs rhs result | fragment | fragment | fragment`, on one line,
/// with semicolons for the fragments' commas: it stands in lists of options.
/// Those of scales follow where the atom has them.
std::string toText(const MatrixAtom &atom);
/// Reads what `toText` writes; none for other text.
std::optional<MatrixAtom> parseAtom(const std::string &text);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXATOM_H
