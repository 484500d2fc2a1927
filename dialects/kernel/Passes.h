//===- Passes.h - Passes on Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes of Passes.td.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PASSES_H
#define TILEWRIGHT_DIALECTS_KERNEL_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright::kernel {

/// Checks all rules of Kernel IR and reports each breach with its code; what
/// the `kernel-verify` pass does.
mlir::LogicalResult verifyKernelIR(mlir::ModuleOp module);

#define GEN_PASS_DECL
#include "dialects/kernel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/kernel/Passes.h.inc"

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_PASSES_H
