//===- Passes.td - Passes from tile IR to Kernel IR ---*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of this room, in alphabetical order. Pipeline.cpp holds their
// order.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_PASSES
#define TILEWRIGHT_DIALECTS_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToKernelPass : Pass<"tile-convert-to-kernel", "::mlir::ModuleOp"> {
  let summary = "convert tile ops and types to Kernel IR";
  let description = [{
    Converts every tile op and type that is left. Accesses through tensors of
    pointers become gathers and scatters, scalar ones accesses of rank-0 views,
    descriptor accesses checked boxes.

    ```
    %0 = tile.load %p : !tile.ptr<f32> -> f32
    ```
    becomes
    ```
    %v = kernel.view %p sizes [] strides [] : !kernel.ptr<f32> -> !kernel.view<0, f32>
    %0 = kernel.load %v[] lo [] hi [] boundary [] : !kernel.view<0, f32> -> f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::tilewright::kernel::KernelDialect"
  ];
}

def InlineCallOpsPass : Pass<"tile-inline-call-ops", "::mlir::ModuleOp"> {
  let summary = "replace unclaimed high-level ops by their bodies";
  let description = [{
    A `tile.call_op` without the mark `tw.claims` is replaced by its region. The
    host sets the mark on ops that a claim of a plugin covers.

    ```
    %1 = "tile.call_op"(%0) <{name = "relu@1"}> ({
    ^bb0(%a: tensor<8xf32>):
      %r = arith.maxnumf %a, %zero : tensor<8xf32>
      tile.yield %r : tensor<8xf32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
    becomes `%1 = arith.maxnumf %0, %zero : tensor<8xf32>`.
  }];
}

def RaiseAccessesPass : Pass<"tile-raise-accesses", "::mlir::ModuleOp"> {
  let summary = "turn pointer arithmetic into boxes of views where proved";
  let description = [{
    A load or store whose offsets are proved to be a strided box becomes
    `kernel.load/store` of a `kernel.view`; one dimension may be an index
    tensor. Conditions of the mask become bounds, what is not a bound stays as
    a residual mask. Everything else becomes a gather or scatter with a scalar
    base where there is one.

    ```
    %r = tile.range 0 to 128 : tensor<128xi32>
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
    %a = tile.addptr %q, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    %m = arith.cmpi slt, %r, %n : tensor<128xi32>
    %x = tile.load %a mask %m : tensor<128xi1> : tensor<128x!tile.ptr<f32>> -> tensor<128xf32>
    ```
    becomes
    ```
    %v = kernel.view %p sizes [%n] strides [%c1] : !kernel.ptr<f32> -> !kernel.view<1, f32>
    %x = kernel.load %v[%c0] lo [%c0] hi [%n] boundary [0] : !kernel.view<1, f32> -> tensor<128xf32>
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false",
           "Say for every access whether it was raised, and why not">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::tilewright::kernel::KernelDialect"
  ];
}

def SpecializeWrapsPass : Pass<"tile-specialize-wraps", "::mlir::ModuleOp"> {
  let summary = "add a launch variant in which wrapped offsets are not negative";
  let description = [{
    `offset % extent` truncates, so it wraps around only when the offset is not
    negative. Where that depends on the sign of integer arguments the kernel
    is cloned as `@name__v1` with the range fact 1.. on them and the launch
    predicate that they are positive; the original comes last as the fallback.
  }];
}

def SplitCarriedPass : Pass<"tile-split-carried", "::mlir::ModuleOp"> {
  let summary = "carry offsets instead of pointers and index tensors";
  let description = [{
    A pointer that a loop or conditional advances becomes its initial value
    plus a carried 64-bit offset; an integer tensor that is advanced by a
    scalar becomes its initial value plus a carried scalar. An offset that is
    linear in the induction variable of an `scf.for` is computed from it.

    ```
    %r = scf.for %i = %lo to %hi step %c1 iter_args(%a = %a0) -> (tensor<8x!tile.ptr<f32>>) {
      ...
      %n = tile.addptr %a, %step : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
      scf.yield %n
    }
    ```
    keeps `%a0` outside and uses `%a0 + (%i - %lo) * step` inside.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TILEWRIGHT_DIALECTS_LOWERING_PASSES
