//===- KernelDialect.h - Dialect, types, enums of Kernel IR -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the kernel dialect with its pointer and view types and the enums
// that it shares with the tile dialect.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT_H
#define TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

namespace tilewright::kernel {

/// Fills in a combine region: called with two scalars an operand (left values,
/// then right values), ends with the dialect's yield.
using CombineBuilder = llvm::function_ref<void(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

} // namespace tilewright::kernel

#include "dialects/kernel/KernelDialect.h.inc"
#include "dialects/kernel/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/kernel/KernelTypes.h.inc"

#endif // TILEWRIGHT_DIALECTS_KERNEL_KERNELDIALECT_H
