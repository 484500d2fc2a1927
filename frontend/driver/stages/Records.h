//===- Records.h - Are records those of the kernels? -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launcher packs arguments as a record says. One that says something else
// than the kernel's source would make it pass other values in silence.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_STAGES_RECORDS_H
#define TILEWRIGHT_FRONTEND_DRIVER_STAGES_RECORDS_H

#include "runtime/artifact/Artifact.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilewright::driver {

/// The kernels that a request asks for: those that are variants of none.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module);

/// Why the records cannot be those of the module's kernels, or "". Every kernel
/// has a record and nothing else has. Records list all run-time arguments in
/// order, or none: those of a plugin that does not read the IR cannot be
/// launched with arguments. What a variant takes for granted guards its record,
/// and only the last record of a kernel has no guard.
std::string whyNotRecordsOf(mlir::ModuleOp module,
                            const std::vector<artifact::Kernel> &records);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_STAGES_RECORDS_H
