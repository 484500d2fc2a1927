//===- PtxIdioms.h - PTX that only computes ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for NVIDIA hold short PTX texts: conversions, fast functions, bit
// tricks. Straight-line texts of such instructions mean the same on every
// target, so they are evaluated on tiles.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXIDIOMS_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXIDIOMS_H

#include "frontend/sema/Interpreter.h"

namespace tilewright::sema {

struct PtxResult {
  std::vector<Value> outputs;
  /// What was not understood; empty when all was.
  std::string problem;
};

/// Evaluates the text for operands of one shape, `pack` elements at a time,
/// as tl.inline_asm_elementwise hands them to a target.
PtxResult evaluatePtx(Interpreter &in, llvm::StringRef text,
                      llvm::StringRef constraints, int64_t pack,
                      llvm::ArrayRef<Value> operands,
                      llvm::ArrayRef<DType> results);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_PTX_PTXIDIOMS_H
