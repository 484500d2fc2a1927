//===- AccessPlan.h - How one access becomes a box ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins what is known of an access's address and mask into a box of a view.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSPLAN_H
#define TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSPLAN_H

#include "dialects/lowering/analysis/AddressAnalysis.h"
#include "dialects/lowering/analysis/MaskAnalysis.h"

namespace tilewright::lowering {

/// One dimension of a box: positions `origin + i`, or `origin + index[i]`.
struct DimensionPlan {
  Polynomial stride;
  Polynomial origin;
  mlir::Value index;
  /// Positions are taken modulo this extent.
  std::optional<Polynomial> wrapExtent;
  /// Bounds of positions; empty where nothing needs checking.
  llvm::SmallVector<Polynomial> lo, hi;
};

/// A box, the scalar conditions on it and the conjuncts left as a mask.
struct AccessPlan {
  mlir::Value base;
  Polynomial offset;
  std::vector<DimensionPlan> dims;
  MaskExpression mask;
  llvm::SetVector<unsigned> residue;
  /// `offset % extent` stayed an index tensor for want of a proof.
  unsigned unprovedWraps = 0;
  /// `offset % extent` became a checked range.
  unsigned droppedWraps = 0;

  std::optional<unsigned> getIndexDim() const;
};

/// Plans a `tile.load` or `tile.store` of tensors, or says in `reason` what
/// stands against a box.
std::optional<AccessPlan> planAccess(mlir::Operation *access,
                                     IndexExpressions &indices,
                                     std::string &reason);

/// The pointer, mask and data of a load or store.
mlir::Value getPointers(mlir::Operation *access);
mlir::Value getMask(mlir::Operation *access);
mlir::Value getData(mlir::Operation *access);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSPLAN_H
