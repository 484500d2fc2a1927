//===- ScaledAtoms.h - Products with factors of AMD's -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The f8f6f4 instructions of CDNA4, each for every pair of formats. Of a row a
// lane holds 32 elements along K: of e2m1 neighbours, of bytes two runs of 16,
// the second half of the instruction's K apart. Factors go by the place along
// K, whichever lanes hold the elements: that of run r lies in the r-th group of
// as many lanes as there are rows.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_MATRIX_SCALEDATOMS_H
#define TILEWRIGHT_BACKENDS_AMD_MATRIX_SCALEDATOMS_H

#include "backends/amd/matrix/MatrixAtoms.h"

namespace tilewright::amd {

struct ScaledAtom {
  simt::MatrixAtom atom;
  llvm::Intrinsic::ID intrinsic;
  unsigned lhsFormat, rhsFormat; ///< the instruction's numbers
};

/// Those of the wanted extent first.
std::vector<ScaledAtom> scaledAtoms(const Target &target,
                                    const AtomOptions &options);

} // namespace tilewright::amd

#endif // TILEWRIGHT_BACKENDS_AMD_MATRIX_SCALEDATOMS_H
