//===- Passes.td - Passes of the thread mapping ------------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of this room, in alphabetical order.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES
#define TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SimtPreparePass : Pass<"simt-prepare", "::mlir::ModuleOp"> {
  let summary = "bring Kernel IR into the form that layouts are assigned to";
  let description = [{
    Inlines the decompositions of high-level ops, decomposes `kernel.dot_scaled`,
    and replaces `linalg` and `tensor` operations by those that take layouts.

    Before: `%1 = linalg.broadcast ins(%0 ..) outs(%e ..) dimensions = [1]`
    After: `%1 = simt.broadcast %0 [1] : tensor<8xf32> -> tensor<8x4xf32>`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::simt::SimtDialect"];
}

#endif // TILEWRIGHT_BACKENDS_SIMT_TRANSFORMS_PASSES
