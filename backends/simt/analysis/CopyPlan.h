//===- CopyPlan.h - Copies of boxes to shared memory ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which buffer an operand of a product lies in, and which thread copies which
// piece of it. The pass that makes copies and the emitter read the same plan.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_COPYPLAN_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_COPYPLAN_H

#include "backends/simt/SimtTarget.h"
#include "backends/simt/analysis/BoxAlignment.h"
#include "backends/simt/dialect/SimtOps.h"

namespace tilewright::simt {

/// Rows along `contiguous`, pieces of 16 bytes in them swizzled such that eight
/// rows at one piece, and eight pieces of one row, lie in different banks.
LinearLayout bufferLayout(llvm::ArrayRef<int64_t> shape, unsigned contiguous,
                          unsigned elementBytes);

struct CopyPlan {
  unsigned bytes = 0; ///< of one copy
  /// The element that each register of each thread copies; registers of one
  /// copy are consecutive.
  LinearLayout threads;
};

/// None where pieces of the smallest size are not aligned or not inside the
/// bounds as a whole; and of consecutive copies where a warp would have none.
std::optional<CopyPlan> planCopy(const Box &box, llvm::ArrayRef<int64_t> shape,
                                 unsigned elementBytes, unsigned laneBits,
                                 unsigned warpBits, const CopyRules &rules);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_COPYPLAN_H
