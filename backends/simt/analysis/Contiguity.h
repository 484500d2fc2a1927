//===- Contiguity.h - Tensors that count along a dimension ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers whose low bits are those of a coordinate, as offsets and the left
// sides of masks have them: a comparison with a multiple of a power of two then
// has one answer for a whole vector.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_CONTIGUITY_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_CONTIGUITY_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::simt {

/// Elements are m + p mod `block`, where m is a multiple of `block` (a power of
/// two) that depends on p / block only, p being the coordinate in `dim`.
struct AlignedRuns {
  unsigned dim = 0;
  uint64_t block = 1;
};

/// The longest runs that are proved; blocks of 1 say nothing.
AlignedRuns alignedRunsOf(mlir::Value tensor);

/// The runs of coordinates that give one answer each.
AlignedRuns constantRunsOf(mlir::arith::CmpIOp op);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_CONTIGUITY_H
