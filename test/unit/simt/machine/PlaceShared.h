//===- PlaceShared.h - The passes before emission ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests that start from simt IR run on it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_PLACESHARED_H
#define TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_PLACESHARED_H

#include "ThreadMachine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::simt::test {

/// A context that knows simt IR.
std::unique_ptr<mlir::MLIRContext> createContext();

/// Parses the text, gives kernels the machine's shape, allocates shared memory
/// and places barriers; null after errors.
mlir::OwningOpRef<mlir::ModuleOp> placeShared(mlir::MLIRContext &context,
                                              const std::string &text,
                                              const MachineOptions &options);

} // namespace tilewright::simt::test

#endif // TILEWRIGHT_TEST_UNIT_SIMT_MACHINE_PLACESHARED_H
