//===- MaskAnalysis.h - Masks as bounds and a residue ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the conjunction behind a mask into bounds of single dimensions,
// conditions on scalars, and what is neither.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_MASKANALYSIS_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_MASKANALYSIS_H

#include "dialects/lowering/analysis/IndexExpression.h"

namespace tilewright::lowering {

/// A conjunct in the shape where it was found, and the shape ops between it
/// and the mask, outermost first.
struct MaskLeaf {
  mlir::Value value;
  llvm::SmallVector<mlir::Operation *> shapeOps;
};

/// `i < limit` (upper) or `i >= limit` for the index i of dimension `dim`,
/// counted from 0 within the tile.
struct MaskBound {
  unsigned dim;
  bool isUpper;
  Polynomial limit;
  unsigned leaf;
};

/// A mask as a conjunction: nothing is dropped.
struct MaskExpression {
  llvm::SmallVector<MaskLeaf> leaves;
  llvm::SmallVector<MaskBound> bounds;
  /// Conditions `p < 0` on scalars.
  llvm::SmallVector<Polynomial> negatives;
  /// Scalar flags.
  llvm::SmallVector<mlir::Value> flags;
  /// Numbers of the leaves that are not bounds.
  llvm::SmallVector<unsigned> residue;
};

/// Analyses a mask tensor; a null mask is always true.
MaskExpression analyzeMask(mlir::Value mask, IndexExpressions &indices);

/// Polynomials that are >= 0 whenever the mask has a true element.
llvm::SmallVector<Polynomial> getFacts(const MaskExpression &mask,
                                       llvm::ArrayRef<int64_t> shape);

/// Rebuilds a conjunct in the mask's shape.
mlir::Value buildLeaf(mlir::OpBuilder &builder, const MaskLeaf &leaf);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_MASKANALYSIS_H
