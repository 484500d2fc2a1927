//===- RegisterPressure.h - Registers that a kernel will need ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate from simt IR: how many 32-bit registers of a thread hold tensors
// at once, and where. The target's own figure comes after code generation.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_REPORT_REGISTERPRESSURE_H
#define TILEWRIGHT_BACKENDS_SIMT_REPORT_REGISTERPRESSURE_H

#include "backends/simt/SimtTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::simt {

struct RegisterEstimate {
  unsigned registers = 0;        ///< of 32 bits, at the operation below
  mlir::Operation *op = nullptr; ///< null without tensors
};

/// A value is live from its definition to its last use; in a loop that it
/// enters from outside, to the loop's end. Tensors so large that they live in
/// private memory count for the part that is worked on.
RegisterEstimate estimateRegisters(mlir::func::FuncOp kernel,
                                   const ChunkSizes &sizes);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_REPORT_REGISTERPRESSURE_H
