//===- CarriedOffset.h - Values that loops advance ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a carried pointer or index tensor changes, and its value from the initial
// one and an offset.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_CARRIEDOFFSET_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_CARRIEDOFFSET_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lowering {

/// One advance: `value + amount`, or `value - amount`. The amount has the
/// value's shape unless it is `uniform`, then it is a scalar.
struct Step {
  mlir::Value amount;
  bool isNegative = false;
  bool isUniform = true;
};

/// The advances between `root` and `value`, or nothing if `value` is not an
/// advanced `root`.
std::optional<llvm::SmallVector<Step>> getSteps(mlir::Value value,
                                                mlir::Value root);

/// The values that `value` is an advance of, itself first.
llvm::SmallVector<mlir::Value> getRoots(mlir::Value value);

/// Whether carrying an offset instead of a value of this type is worthwhile.
bool isPointerLike(mlir::Type type);
bool isIndexTensor(mlir::Type type);

bool areUniform(llvm::ArrayRef<Step> steps);

/// The type that carries the offset: i64, or a tensor of it.
mlir::Type getOffsetType(mlir::Type valueType, bool isUniform);

mlir::Value buildZeroOffset(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type offsetType);

/// `offset` plus all steps, in 64 bits.
mlir::Value buildAdvance(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value offset, llvm::ArrayRef<Step> steps);

/// `initial` advanced by an offset.
mlir::Value buildAdvanced(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value initial, mlir::Value offset);

/// What becomes of one carried value.
struct Decision {
  bool isKept = true;
  bool isUniform = true;
  llvm::SmallVector<Step> steps;
  /// Per unit of the induction variable, if the offset is linear in it.
  mlir::Value slope;

  bool carriesOffset() const { return !isKept && !slope && !steps.empty(); }
};

/// Keeps a value unless its next value `yielded` is the advanced `root`.
Decision decideCarried(mlir::Value yielded, mlir::Value root);

/// Carry offsets through a conditional or a while loop (SplitBranches.cpp).
void splitIf(mlir::scf::IfOp branch);
void splitWhile(mlir::scf::WhileOp loop);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_CARRIEDOFFSET_H
