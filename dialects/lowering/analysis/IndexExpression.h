//===- IndexExpression.h - Integer tensors as strided boxes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes an integer tensor into a scalar plus, for each dimension, a stride
// times a position.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_INDEXEXPRESSION_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_INDEXEXPRESSION_H

#include "dialects/lowering/analysis/ScalarExpression.h"

namespace tilewright::lowering {

/// How one dimension contributes: `stride * (origin + i)`, or, with an index
/// tensor, `stride * (origin + index[i])`.
struct DimensionTerm {
  Polynomial stride;
  Polynomial origin;
  /// A tensor whose only extent other than 1 is this dimension's.
  mlir::Value index;
  /// For `index = (wrapOrigin + i) % extent`: what it was made of.
  std::optional<Polynomial> wrapOrigin, wrapExtent;

  bool isInvariant() const { return stride.isZero(); }
};

/// The value of tensor element (i0, i1, ..) is `rest` plus the terms.
struct IndexExpression {
  llvm::SmallVector<DimensionTerm> dims;
  Polynomial rest;

  /// Dimensions on which the value depends.
  llvm::SmallVector<unsigned> getVarying() const;
  /// Whether the value is the same everywhere.
  bool isUniform() const { return getVarying().empty(); }
};

/// Analyses integer tensors, remembering results.
class IndexExpressions {
public:
  explicit IndexExpressions(ScalarExpressions &scalars) : scalars(scalars) {}

  /// The decomposition of an integer tensor, or nothing; then `reason` names
  /// the value that has none.
  std::optional<IndexExpression> get(mlir::Value tensor);

  /// Why the last `get` failed, for remarks.
  std::string getReason() const;

  /// The sum; with `absorb` a scalar added to a range moves its origin.
  std::optional<IndexExpression> addExpressions(const IndexExpression &lhs,
                                                const IndexExpression &rhs,
                                                bool absorb = true);
  std::optional<IndexExpression> scale(const IndexExpression &value,
                                       const Polynomial &factor);

  /// Moves dimensions through reshape, broadcast or transpose.
  std::optional<IndexExpression> reshape(const IndexExpression &value,
                                         llvm::ArrayRef<int64_t> from,
                                         llvm::ArrayRef<int64_t> to);
  std::optional<IndexExpression> broadcast(const IndexExpression &value,
                                           llvm::ArrayRef<int64_t> from,
                                           llvm::ArrayRef<int64_t> to);
  static IndexExpression transpose(const IndexExpression &value,
                                   llvm::ArrayRef<int64_t> order);

  ScalarExpressions &getScalars() { return scalars; }

private:
  std::optional<IndexExpression> compute(mlir::Value tensor);
  std::optional<IndexExpression> computeArithmetic(mlir::Operation *op);
  std::optional<IndexExpression> computeWrap(mlir::Operation *op);
  std::optional<IndexExpression> computeOpaque(mlir::Value tensor);

  ScalarExpressions &scalars;
  llvm::DenseMap<mlir::Value, std::optional<IndexExpression>> known;
  mlir::Value culprit;
};

/// For a reshape that only adds or drops unit extents: the source dimension of
/// each result dimension, -1 for new ones. Nothing for other reshapes.
std::optional<llvm::SmallVector<int64_t>>
matchUnitReshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_INDEXEXPRESSION_H
