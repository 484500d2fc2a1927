//===- LayoutFlow.h - Layouts that spread from anchors ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values take the layout of a matrix product rather than that of their
// shape: what is computed from accumulators elementwise, by reductions, through
// loops and branches, and what such computations need besides.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_LAYOUTFLOW_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_LAYOUTFLOW_H

#include "backends/simt/dialect/SimtOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::simt {

/// The layouts of a product's tensors.
struct DotLayoutAttrs {
  LayoutAttr lhs, rhs, result;
  LayoutAttr lhsScale, rhsScale; ///< null without factors
};
using DotAnchors = llvm::MapVector<mlir::Operation *, DotLayoutAttrs>;

/// Layouts by value; values that are not in it take their shape's. Values that
/// a loop or branch passes on have one layout, as have all tensors of one
/// elementwise operation that are in it.
llvm::DenseMap<mlir::Value, LayoutAttr> flowLayouts(const DotAnchors &anchors);

/// Whether an operation works on each element alone, all tensors being of one
/// shape.
bool isElementwise(mlir::Operation *op);

/// The layout without some dimensions and without registers that then repeat.
LayoutAttr withoutDimensions(LayoutAttr layout,
                             mlir::ArrayRef<int64_t> dropped);

/// Whether a product's result becomes, elementwise, the left operand of
/// another one, or its left operand came to be so.
bool isChained(DotOp op);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_LAYOUTFLOW_H
