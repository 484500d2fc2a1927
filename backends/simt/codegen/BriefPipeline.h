//===- BriefPipeline.h - LLVM's passes that kernels need --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For targets whose code generator numbers values, hoists and sinks once more.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_BRIEFPIPELINE_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_BRIEFPIPELINE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace tilewright::simt {

/// What LLVM's level 1 makes of a module of one function, with each pass where
/// it finds something: code is as long, in two thirds of the time. Nothing is
/// inlined and no loop unrolled: layouts have unrolled what is worth it.
llvm::ModulePassManager buildBriefPipeline(llvm::PassBuilder &builder);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_BRIEFPIPELINE_H
