//===- FailureReport.h - Device code that reports a failure -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels for backends/simt/driver do where an assert, trap or check
// fails: fill the record of driver/KernelABI.h.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_SERVICES_FAILUREREPORT_H
#define TILEWRIGHT_BACKENDS_SIMT_SERVICES_FAILUREREPORT_H

#include "backends/simt/TargetHooks.h"

namespace tilewright::simt {

/// Constant text in global memory, with a terminating zero.
llvm::GlobalVariable *makeText(llvm::Module &module, llvm::StringRef text,
                               unsigned globalSpace = 1);

/// The variable of 8 bytes in which the driver leaves an address.
llvm::GlobalVariable *driverSlot(llvm::Module &module, llvm::StringRef name,
                                 unsigned globalSpace = 1);

/// TargetHooks::fail for such a driver. Compare-and-swap and fence are the
/// target's.
void reportFailure(llvm::IRBuilderBase &b, TargetHooks &hooks, unsigned code,
                   llvm::StringRef message, const SourcePlace &place);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_SERVICES_FAILUREREPORT_H
