//===- Request.h - What every backend asks of a request ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that need neither target nor options, and the choice of the kernels.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REQUEST_REQUEST_H
#define TILEWRIGHT_BACKENDS_COMMON_REQUEST_REQUEST_H

#include "backends/common/Record.h"
#include "backends/common/Report.h"

#include "tilewright/plugin.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::backend {

/// Extensions, IR format, op inventory and device libraries, of which those in
/// `libraryFormat` are linked ("": none); `vendor` is for messages. On false,
/// `problem` says what is refused.
bool checkEnvelope(const tw_compile_request &request, llvm::StringRef vendor,
                   Problem &problem, llvm::StringRef libraryFormat = "");

/// The forms of Kernel IR that our plugins read, as TW_CAP_IR_FORMATS has them.
std::string irFormats();

/// The module of a request that checkEnvelope let pass; null after an error on
/// the context's diagnostic engine.
mlir::OwningOpRef<mlir::ModuleOp> readIR(const tw_compile_request &request,
                                         mlir::MLIRContext *context);

bool wantsStage(const tw_compile_request &request, llvm::StringRef name);

/// The kernel that a function is, or is a variant of.
llvm::StringRef kernelName(mlir::func::FuncOp function);

/// Keeps the requested kernels and their variants only. Returns a TW_E_* code
/// after reporting what is missing.
int32_t selectKernels(mlir::ModuleOp module, const tw_compile_request &request,
                      Report &report);

/// Variants that always apply come behind those with a predicate.
void putFallbacksLast(std::deque<KernelRecord> &records);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REQUEST_REQUEST_H
