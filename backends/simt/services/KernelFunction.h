//===- KernelFunction.h - Kernels whose arguments are by value --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function of a kernel as driver/KernelABI.h passes it its arguments: the
// user's in order, then hidden words.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_SERVICES_KERNELFUNCTION_H
#define TILEWRIGHT_BACKENDS_SIMT_SERVICES_KERNELFUNCTION_H

#include "backends/simt/TargetHooks.h"

namespace tilewright::simt {

/// Declares it, with what the signature promises of pointers, and leaves the
/// builder in its entry block. Hidden words are i32 behind the user's.
KernelFrame createKernelFunction(llvm::IRBuilderBase &b, llvm::Module &module,
                                 const KernelSignature &signature,
                                 llvm::CallingConv::ID convention,
                                 unsigned hiddenWords);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_SERVICES_KERNELFUNCTION_H
