//===- Split.h - The kernels of a module apart ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with a fallback is two functions that share nothing: a thread can
// generate code for each.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_SPLIT_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_SPLIT_H

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tilewright::simt {

using Bitcode = llvm::SmallVector<char, 0>;

/// Takes all functions but the first out of a module, each as a module of its
/// own. None, and the module stays as it is, where there is but one, or where
/// there are functions or definitions besides kernels, which more than one may
/// use.
std::vector<Bitcode> splitKernels(llvm::Module &module);

/// What `splitKernels` wrote.
std::unique_ptr<llvm::Module> readKernel(const Bitcode &bitcode,
                                         llvm::LLVMContext &context);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_SPLIT_H
