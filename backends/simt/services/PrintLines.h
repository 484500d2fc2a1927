//===- PrintLines.h - Device code that prints -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines for the queue of backends/simt/driver/KernelABI.h, in plain LLVM IR.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_SERVICES_PRINTLINES_H
#define TILEWRIGHT_BACKENDS_SIMT_SERVICES_PRINTLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace tilewright::simt {

/// A printed value as 64 bits: integers zero-extended, floats as doubles.
llvm::Value *widenPrinted(llvm::IRBuilderBase &b, llvm::Value *value);

/// Puts one line into the queue of the device. `globalSpace` is the address
/// space of global memory.
void emitPrintLine(llvm::IRBuilderBase &b, llvm::StringRef format,
                   llvm::ArrayRef<llvm::Value *> values, unsigned globalSpace);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_SERVICES_PRINTLINES_H
