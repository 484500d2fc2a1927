//===- Passes.td - Passes on Kernel IR ---*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of this room, in alphabetical order.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_KERNEL_PASSES
#define TILEWRIGHT_DIALECTS_KERNEL_PASSES

include "mlir/Pass/PassBase.td"

def CanonicalizePass : Pass<"kernel-canonicalize", "::mlir::ModuleOp"> {
  let summary = "canonicalise without changing a value";
  let description = [{
    Upstream's canonicaliser for tile IR and Kernel IR, less what would change a
    result: conversions marked `tw.saturate` are neither folded nor merged,
    integer to float conversions not merged with a following rounding, and with
    `tw.math = "portable"` approximate functions not evaluated at compile time.

    ```
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.truncf %1 {tw.saturate} : f32 to f8E5M2
    ```
    stays, where `canonicalize` would give `arith.sitofp %0 : i32 to f8E5M2`.
  }];
  let dependentDialects = ["::tilewright::kernel::KernelDialect"];
}

def VerifyKernelIRPass : Pass<"kernel-verify", "::mlir::ModuleOp"> {
  let summary = "check that a module is Kernel IR";
  let description = [{
    Defines what a backend may trust; changes nothing. Legal operations and
    their element types are rows of KernelIRTable.def. Beyond the operations'
    own verifiers it checks the rules of docs/kernel-ir.md: static shapes,
    matrix products with stated precision, one-op reductions, views that no
    region carries, kernels and their argument attributes, no attribute outside
    the schema but `tw.opt.*`. All errors are reported, with codes TW31xx.

    ```
    %0 = linalg.generic ...   // error: TW3101: expected an operation of Kernel IR, got 'linalg.generic'
    ```
  }];
}

#endif // TILEWRIGHT_DIALECTS_KERNEL_PASSES
