//===- Compiler.h - From a request to an artifact -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is lowered, portable functions excepted: a request is checked, and
// its Kernel IR is the payload.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_COMPILER_H
#define TILEWRIGHT_BACKENDS_REFERENCE_COMPILER_H

#include "backends/common/Report.h"

#include "tilewright/plugin.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tilewright::reference {

/// The one target, "reference:kernel-ir", for any spelling of it.
std::optional<std::string> resolveTarget(llvm::StringRef text,
                                         backend::Problem &problem);

/// Replaces functions on floats of at most 32 bits by the shared expansions.
void expandFunctions(mlir::ModuleOp module);

/// Answers `can_compile`; reports the reason of a refusal.
int32_t checkRequest(const tw_compile_request &request);

/// Answers `compile`. `response` is this binary's view and zeroed.
int32_t compileRequest(const mlir::DialectRegistry &registry,
                       const tw_compile_request &request,
                       tw_compile_response &response);

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_COMPILER_H
