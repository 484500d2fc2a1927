//===- AccessBuilder.h - Build views, boxes and gathers ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few ways in which this room creates memory accesses of Kernel IR.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSBUILDER_H
#define TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSBUILDER_H

#include "dialects/kernel/KernelOps.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lowering {

/// A box of a view: everything that kernel.load and kernel.store share.
struct Box {
  mlir::Value view;
  llvm::SmallVector<mlir::Value> offsets, lo, hi;
  llvm::SmallVector<int32_t> boundary;
  mlir::Value index;
  std::optional<int32_t> indexDim;
  mlir::Value mask;
};

mlir::Value createI64Constant(mlir::OpBuilder &builder, mlir::Location loc,
                              int64_t value);

/// A view of one element.
mlir::Value createScalarView(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value base);

kernel::LoadOp createBoxLoad(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Type result, const Box &box,
                             mlir::Value other, kernel::CacheHint cache,
                             kernel::EvictionHint evict, bool isVolatile);

kernel::StoreOp createBoxStore(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value value, const Box &box,
                               kernel::CacheHint cache,
                               kernel::EvictionHint evict);

} // namespace tilewright::lowering

#endif // TILEWRIGHT_DIALECTS_LOWERING_RAISE_ACCESSBUILDER_H
