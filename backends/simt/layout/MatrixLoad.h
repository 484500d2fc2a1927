//===- MatrixLoad.h - Fragments by rows of 16 bytes -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether registers can be read from shared memory by instructions that load
// matrices of 8 rows of 16 bytes, each lane giving the address of one row and
// getting a 32-bit word of each matrix (NVIDIA's ldmatrix, stmatrix).
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXLOAD_H
#define TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXLOAD_H

#include "backends/simt/layout/LinearLayout.h"

namespace tilewright::simt {

/// One access serves the registers that differ in `wordBits` and `matrixBits`.
struct MatrixLoad {
  bool isTransposed = false;
  std::vector<unsigned> wordBits;   ///< register bits inside a 32-bit word
  std::vector<unsigned> matrixBits; ///< that tell matrices apart, at most two
  /// (warp, lane, register) to the offset of the row that the lane points to;
  /// register bits of one access are 0.
  LinearLayout address;
};

/// `offsets` maps (warp, lane, register) to the element's offset in the buffer.
/// Rows lie at multiples of 16 bytes. Of register bits that could tell matrices
/// apart, those in `preferred` come first. None where words or rows are not
/// contiguous.
std::optional<MatrixLoad> planMatrixLoad(const LinearLayout &offsets,
                                         unsigned elementBytes,
                                         uint64_t preferred = 0);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_LAYOUT_MATRIXLOAD_H
