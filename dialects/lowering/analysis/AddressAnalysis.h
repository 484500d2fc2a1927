//===- AddressAnalysis.h - Pointer tensors as base and offsets --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a tensor of pointers into one scalar base and integer offsets.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ADDRESSANALYSIS_H
#define TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ADDRESSANALYSIS_H

#include "dialects/lowering/analysis/IndexExpression.h"

namespace tilewright::lowering {

/// Element i points `offset(i)` elements behind the scalar pointer `base`.
struct AddressExpression {
  mlir::Value base;
  IndexExpression offset;
};

/// The address of a tensor of tile pointers, or nothing; then `reason` says
/// why.
std::optional<AddressExpression> analyzeAddress(mlir::Value pointers,
                                                IndexExpressions &indices,
                                                std::string &reason);

/// A scalar base and a tensor of signed offsets (i32 or i64).
struct GatherAddress {
  mlir::Value base;
  mlir::Value offsets;
};

/// Builds the offsets of a tensor of pointers before the builder's position,
/// or nothing if the pointers have no common base. Offsets are as written.
std::optional<GatherAddress> buildGatherAddress(mlir::OpBuilder &builder,
                                                mlir::Location loc,
                                                mlir::Value pointers);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_ANALYSIS_ADDRESSANALYSIS_H
