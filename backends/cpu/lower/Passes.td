//===- Passes.td - Passes of the CPU backend ---------------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens between the loops of one program and LLVM IR.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_CPU_PASSES
#define TILEWRIGHT_BACKENDS_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuAddEntryPointsPass : Pass<"cpu-add-entry-points", "::mlir::ModuleOp"> {
  let summary = "wrap each program function into the kernel's calling convention";
  let description = [{
    A function that runs one program, as `cpu-lower-to-loops` makes it,

    ```mlir
    func.func @add(%args: !llvm.ptr, %x: i32, %y: i32, %z: i32,
                   %nx: i32, %ny: i32, %nz: i32,
                   %services: !llvm.ptr, %scratch: !llvm.ptr)
    ```

    becomes private under the name `add.program`, and a public

    ```mlir
    func.func @add(%args: !llvm.ptr, %grid: !llvm.ptr, %begin: i64, %end: i64,
                   %scratch: !llvm.ptr)
    ```

    calls it for each linear id in [begin, end), x fastest (KernelABI.h).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def CpuContractMultiplyAddPass : Pass<"cpu-contract-multiply-add", "::mlir::ModuleOp"> {
  let summary = "fuse a product with the sum that is its only use";
  let description = [{
    Where both carry the flag `contract` and stand in one block, on f32 and
    f64. Afterwards nothing carries the flag: LLVM would fuse more or less with
    its effort and with the processor, and results would change with them.
    Before: `%0 = arith.mulf %a, %b fastmath<contract> : f32
             %1 = arith.subf %c, %0 fastmath<contract> : f32`
    After:  `%0 = arith.negf %a : f32
             %1 = math.fma %0, %b, %c : f32`
  }];
  let options = [
    Option<"hasFma", "has-fma", "bool", "true",
           "f32 and f64 fma are instructions; otherwise nothing is fused">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def CpuConvertToLLVMPass : Pass<"cpu-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "convert loops, arithmetic and vectors to the LLVM dialect";
  let description = [{
    Two conversions: scf to cf, then everything to the LLVM dialect in one walk.
    Functions named `*.program` become internal and are always inlined.
    Before: `%0 = arith.addf %a, %b : vector<16xf32>`
    After: `%0 = llvm.fadd %a, %b : vector<16xf32>`
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect"];
}

def CpuExpandArithmeticPass : Pass<"cpu-expand-arithmetic", "::mlir::ModuleOp"> {
  let summary = "expand what the processor does not do in one instruction";
  let description = [{
    Total integer semantics, maths functions, casts from and to small floats,
    and arithmetic on f16, bf16 and fp8, which is done in f32. Functions on f64 call
    the `math64` service (KernelABI.h), which needs the services argument of a
    program function.
    Before: `%0 = math.exp %a : f64`
    After: `%0 = llvm.call %math64(%c1, %a, %c0) : !llvm.ptr, (i32, f64, f64) -> f64`
  }];
  let options = [
    Option<"math", "math", "std::string", "\"accurate\"",
           "accurate, portable or fast">,
    Option<"hasFma", "has-fma", "bool", "true",
           "f32 and f64 fma are instructions">,
    Option<"hasHalfConversion", "has-half-conversion", "bool", "true",
           "casts between f16 and f32 are instructions">,
    Option<"hasRounding", "has-rounding", "bool", "true",
           "floor, ceil, trunc and round are instructions">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // TILEWRIGHT_BACKENDS_CPU_PASSES
