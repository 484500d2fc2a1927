//===- Normalize.h - What no form of Kernel IR carries ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR keeps the uses of a value in the order in which they came about, which
// passes can see, and places in regions that follow from their operation's
// name. Readers of Kernel IR put both into one state, so that what a backend
// makes does not depend on the form in which the IR travelled.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_NORMALIZE_H
#define TILEWRIGHT_DIALECTS_KERNEL_NORMALIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::kernel {

/// Orders the uses of every value by their place in the module, the last first,
/// and gives all of a linalg operation's implied region the operation's place.
void normalizeModule(mlir::ModuleOp module);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_NORMALIZE_H
