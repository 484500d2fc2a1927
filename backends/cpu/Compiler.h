//===- Compiler.h - One compile request, start to end -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a request, runs the pipeline, generates and links code, and fills the
// response.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_COMPILER_H
#define TILEWRIGHT_BACKENDS_CPU_COMPILER_H

#include "backends/common/Report.h"

#include "tilewright/plugin.h"

#include "mlir/IR/DialectRegistry.h"

namespace tilewright::cpu {

using namespace backend; // reports, records and artifacts of all backends

/// Dialects of Kernel IR and of everything it becomes. Built once a backend.
void registerDialects(mlir::DialectRegistry &registry);

/// Answers `compile`. `response` is this binary's view and zeroed.
int32_t compileRequest(const mlir::DialectRegistry &registry,
                       const tw_compile_request &request,
                       tw_compile_response &response);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_COMPILER_H
