//===- ExactOperations.h - Rounding, sqrt, fma and clamp ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of expandMathOperation that deals with exactly rounded operations.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_EXACTOPERATIONS_H
#define TILEWRIGHT_BACKENDS_MATH_EXACTOPERATIONS_H

#include "backends/math/expression/Expression.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::math {

/// The types whose functions are expanded; f64 is the backend's.
inline bool isExpandedFloat(mlir::Type type) {
  return type.isF32() || type.isF16() || type.isBF16();
}

/// Fails for other operations and where the operation is native.
llvm::LogicalResult expandExactOperation(mlir::RewriterBase &rewriter,
                                         mlir::Operation *op,
                                         const FormulaOptions &options);

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_EXACTOPERATIONS_H
