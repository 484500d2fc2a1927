//===- Faults.h - Seeded portability faults ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each changes the meaning of Kernel IR as a careless backend would.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_TEST_VERIFY_FAULTS_FAULTS_H
#define TILEWRIGHT_TEST_VERIFY_FAULTS_FAULTS_H

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::faults {

/// Plants the fault of that name; false if there is no such fault.
bool plant(llvm::StringRef name, mlir::ModuleOp module);

} // namespace tilewright::faults

#endif // TILEWRIGHT_TEST_VERIFY_FAULTS_FAULTS_H
