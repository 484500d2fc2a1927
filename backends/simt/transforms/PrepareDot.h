//===- PrepareDot.h - Products as the target computes them ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which matrix atom serves a product of Kernel IR, and in what types its
// operands are then.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PREPAREDOT_H
#define TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PREPAREDOT_H

#include "backends/simt/dialect/SimtOps.h"
#include "backends/simt/layout/MatrixAtom.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace tilewright::simt {

/// What a target offers to a product.
struct DotTarget {
  mlir::ArrayRef<MatrixAtom> atoms; ///< the preferred ones first
  unsigned numWarps = 1;
};

/// Replaces `linalg.matmul` or `linalg.batch_matmul` by `simt.dot`, or by
/// several where the precision is that of split operands. `isPortable`: sums in
/// the stated order, without atoms.
mlir::LogicalResult prepareDot(mlir::RewriterBase &b, mlir::linalg::LinalgOp op,
                               DotTarget target, bool isPortable);

/// Replaces `kernel.dot_scaled` by `simt.dot` with scales, if an atom with
/// factors serves it.
mlir::LogicalResult prepareDotScaled(mlir::RewriterBase &b,
                                     kernel::DotScaledOp op,
                                     const DotTarget &target);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PREPAREDOT_H
