//===- ScaleFactors.h - Factors of a scaled product -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which register of a thread has the factors that an atom needs, and what
// factors of 255, which are NaN, make of the result.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_SCALEFACTORS_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_SCALEFACTORS_H

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/emit/Emitter.h"
#include "backends/simt/layout/MatrixAtom.h"

namespace tilewright::simt {

class ScaleFactors {
public:
  ScaleFactors(Emitter &e, DotOp op, const MatrixAtom &atom)
      : e(e), op(op), atom(atom), result(e.layout(op.getResult())) {}

  /// i8: this lane's factor for the atom at element `k`, in the rows (columns)
  /// of a register of the result.
  llvm::Value *at(bool isRhs, unsigned index, uint64_t k);

  /// The result with NaN in every row (column) that has a factor of 255. What
  /// matrix instructions make of it need not be known; one branch of the warp
  /// tells whether there is any.
  Registers markNaN(Registers sums);

private:
  /// Integer of as many bits as lanes: whether the atom at a register of the
  /// result has a 255 in the row (column) of each lane.
  llvm::Value *rowsWithNaN(bool isRhs, unsigned index);
  llvm::Value *isNaN(llvm::Value *factor) const;
  llvm::Value *hasNaN();

  Emitter &e;
  DotOp op;
  const MatrixAtom &atom;
  EmittedLayout &result;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_MATRIX_SCALEFACTORS_H
