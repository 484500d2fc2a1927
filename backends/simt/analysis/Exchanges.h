//===- Exchanges.h - Which operations move elements -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that keep elements in their threads under most layouts, and go
// through shared memory by element number under the others.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_EXCHANGES_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_EXCHANGES_H

#include "mlir/IR/Operation.h"

namespace tilewright::simt {

/// Whether the operation (on tensors with layouts) calls emitExchange: slices,
/// splits into scalars, reshapes that are not linear, and atomics whose old
/// values several threads hold.
bool needsExchange(mlir::Operation *op);

/// Whether thread 0 acts for all and passes a scalar on: one slot of 8 bytes.
bool needsScalarBroadcast(mlir::Operation *op);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_EXCHANGES_H
