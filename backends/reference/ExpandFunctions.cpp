//===- ExpandFunctions.cpp - Functions in portable mode ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable results are those of the shared expansions, bit for bit; these are
// written in exact operations, which the interpreter then executes.
//===----------------------------------------------------------------------===//
#include "backends/math/MathExpansion.h"
#include "backends/reference/Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilewright::reference {

void expandFunctions(ModuleOp module) {
  math::MathExpansionOptions options;
  options.mode = math::MathMode::Portable;
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa_and_present<mlir::math::MathDialect>(op->getDialect()))
      operations.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : operations) {
    rewriter.setInsertionPoint(op);
    (void)math::expandMathOperation(rewriter, op, options);
  }
}

} // namespace tilewright::reference
