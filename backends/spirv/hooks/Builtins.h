//===- Builtins.h - Calls of OpenCL's functions -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares a builtin by its mangled name when it is first called.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_HOOKS_BUILTINS_H
#define TILEWRIGHT_BACKENDS_SPIRV_HOOKS_BUILTINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace tilewright::spirv {

/// What a function does to the threads around it.
enum class Effect {
  Pure,       ///< reads and writes nothing
  Convergent, ///< lanes must meet, but memory is not touched
  Barrier     ///< lanes must meet, memory is ordered
};

llvm::CallInst *callBuiltin(llvm::IRBuilderBase &b, llvm::StringRef mangled,
                            llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> operands,
                            Effect effect);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_HOOKS_BUILTINS_H
