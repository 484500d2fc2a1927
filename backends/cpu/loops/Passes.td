//===- Passes.td - Passes of the CPU loop emitter ----------*- tablegen -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pass of this folder.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES

include "mlir/Pass/PassBase.td"

def CpuLowerToLoopsPass : Pass<"cpu-lower-to-loops", "::mlir::ModuleOp"> {
  let summary = "turn Kernel IR functions into loops over vectors";
  let description = [{
    Each `tw.kernel` function becomes the code of one program: `scf` loops over
    1-D vectors, LLVM memory operations, scratch buffers at constant offsets.

    Before: `%t = kernel.load %v[%i] ... -> tensor<64xf32>`
    After: `scf.for %j = 0 to 64 step 16 { %t = llvm.load ... vector<16xf32> }`
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", "16",
           "bytes of a vector register">,
    Option<"registerCount", "register-count", "unsigned", "16",
           "number of vector registers">,
    Option<"hasFma", "fma", "bool", "false", "fused multiply-add exists">,
    Option<"hasMaskRegisters", "mask-registers", "bool", "false",
           "masked accesses cost no more than others">,
    ListOption<"libraries", "libraries", "std::string",
               "device libraries whose functions may be called">
  ];
}

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_PASSES
