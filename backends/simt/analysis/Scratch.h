//===- Scratch.h - Scratch memory of operations -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of each operation of simt IR that moves values between threads, and
// how much shared memory it uses meanwhile. Such an operation writes its
// scratch memory first and reads it last, with block barriers of its own
// between; what came before must be over, what follows must wait.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_SCRATCH_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_SCRATCH_H

#include "backends/simt/SimtTarget.h"
#include "backends/simt/analysis/MovePlans.h"
#include "backends/simt/dialect/SimtOps.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// The rules of a target for programs of so many warps.
ScratchRules makeScratchRules(const SimtTarget &target, unsigned numWarps,
                              bool hasShuffles, bool hasMatrixAtoms);

/// Bytes of an element in memory: an i1 takes one, a pointer eight.
unsigned memoryBytes(mlir::Type element);

/// Whether a reduction combines in the stated order: it says so, or the module
/// promises the same bits on every target.
bool isStated(kernel::ReduceOp op);

ConversionPlan planOf(ConvertLayoutOp op, const ScratchRules &rules);
ReductionPlan planOf(kernel::ReduceOp op, const ScratchRules &rules);
ScanPlan planOf(kernel::ScanOp op, const ScratchRules &rules);
GatherPlan planOf(kernel::GatherInTileOp op, const ScratchRules &rules);

/// Rounds of an exchange by row-major element number.
BufferRounds exchangeRounds(mlir::Type source, const ScratchRules &rules);

/// Shared memory that the operation uses while it runs; 0 if it needs none.
uint64_t scratchBytes(mlir::Operation *op, const ScratchRules &rules);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_SCRATCH_H
