//===- SharedAccesses.h - What accesses do to the banks ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses to shared memory whose offsets are linear in warp, lane and
// register, with the passes over the banks that each takes.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_REPORT_SHAREDACCESSES_H
#define TILEWRIGHT_BACKENDS_SIMT_REPORT_SHAREDACCESSES_H

#include "backends/simt/analysis/Scratch.h"

namespace tilewright::simt {

/// One instruction of a warp.
struct SharedAccess {
  bool isWrite = false;
  unsigned bytes = 0; ///< of a thread
  BankConflicts conflicts;
};

/// Those of one operation, writes first. Offsets that depend on data, or on the
/// number of a thread alone, are not among them.
std::vector<SharedAccess> sharedAccesses(mlir::Operation *op,
                                         const ScratchRules &rules);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_REPORT_SHAREDACCESSES_H
