//===- Dialects.h - Everything that Kernel IR is made of ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call that makes a context able to hold Kernel IR.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_DIALECTS_H
#define TILEWRIGHT_DIALECTS_KERNEL_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace tilewright::kernel {

/// Adds the kernel dialect and the upstream dialects of KernelIRTable.def.
void registerKernelIRDialects(mlir::DialectRegistry &registry);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_DIALECTS_H
