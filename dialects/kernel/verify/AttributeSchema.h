//===- AttributeSchema.h - Which attributes Kernel IR may carry -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend may trust that every attribute is one of these or `tw.opt.*`.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_VERIFY_ATTRIBUTESCHEMA_H
#define TILEWRIGHT_DIALECTS_KERNEL_VERIFY_ATTRIBUTESCHEMA_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::kernel {

/// Checks names and values of an operation's discardable attributes: TW3108
/// outside the schema, TW3110 malformed.
mlir::LogicalResult verifyAttributes(mlir::Operation *op);

/// Checks the attributes of a kernel's arguments: TW3107.
mlir::LogicalResult verifyArgumentAttributes(mlir::func::FuncOp function);

/// The element type that a Triton spelling such as "fp16" or "u32" names; null
/// if there is none.
mlir::Type parseElementSpelling(llvm::StringRef spelling,
                                mlir::MLIRContext *context);

} // namespace tilewright::kernel

#endif // TILEWRIGHT_DIALECTS_KERNEL_VERIFY_ATTRIBUTESCHEMA_H
