//===- Decompose.h - Kernel IR without high-level operations ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For backends that claim no high-level op and have no block-scaled products.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_DECOMPOSE_H
#define TILEWRIGHT_BACKENDS_COMMON_DECOMPOSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::backend {

/// Replaces every `kernel.call_op` by its body.
void inlineCallOps(mlir::func::FuncOp function);

/// Replaces every `kernel.dot_scaled` by conversions to f32, products with the
/// scales and one `linalg.matmul` without precision, which means ieee.
void decomposeDotScaled(mlir::func::FuncOp function);

/// An e2m1 operand of a scaled product that holds two codes a byte along its
/// rows or columns (M or N), with two a byte along K. Code goes before `op`.
mlir::Value packAlongK(mlir::Operation *op, mlir::Value packed, bool isRhs);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_DECOMPOSE_H
