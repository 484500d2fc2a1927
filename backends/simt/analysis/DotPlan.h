//===- DotPlan.h - Operands of a product in shared memory -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How products without matrix instructions read their operands: a window of K
// at a time, in the order in which products are summed.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DOTPLAN_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DOTPLAN_H

#include "backends/simt/analysis/MovePlans.h"
#include "backends/simt/dialect/SimtOps.h"

namespace tilewright::simt {

/// Element (batch, row, i) of an operand lies at (i * batches + batch) * rows +
/// row, where i numbers K in the order of summation: as it is, or with its bits
/// reversed for the stated order. All extents are padded to powers of two.
struct DotPlan {
  unsigned batchBits = 0, mBits = 0, nBits = 0, kBits = 0;
  unsigned windowBits = 0; ///< of i, one round
  unsigned elementBytes = 4;
  bool isStated = false;
  unsigned rounds() const { return 1u << (kBits - windowBits); }
  uint64_t lhsBytes() const {
    return uint64_t(elementBytes) << (windowBits + batchBits + mBits);
  }
  uint64_t rhsBytes() const {
    return uint64_t(elementBytes) << (windowBits + batchBits + nBits);
  }
  uint64_t scratchBytes() const { return lhsBytes() + rhsBytes(); }
  unsigned rowBits(bool isRhs) const { return isRhs ? nBits : mBits; }

  /// (warp, lane, register) of an operand's layout to the place of its element,
  /// of all windows.
  LinearLayout places(const LinearLayout &operand, bool isRhs) const;
  /// The same of the result's layout to the place that is read at step 0.
  LinearLayout placesRead(const LinearLayout &result, bool isRhs) const;
};

DotPlan planOf(DotOp op, const ScratchRules &rules);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_DOTPLAN_H
