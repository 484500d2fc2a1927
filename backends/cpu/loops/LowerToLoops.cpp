//===- LowerToLoops.cpp - The pass cpu-lower-to-loops -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the emitter on every kernel of a module.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"
#include "backends/cpu/loops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilewright::cpu {

#define GEN_PASS_DEF_CPULOWERTOLOOPSPASS
#include "backends/cpu/loops/Passes.h.inc"

LogicalResult lowerKernelToLoops(func::FuncOp kernel,
                                 const CpuLoopOptions &options) {
  return Emitter(kernel, options).run();
}

namespace {
struct CpuLowerToLoopsPass
    : public impl::CpuLowerToLoopsPassBase<CpuLowerToLoopsPass> {
  using CpuLowerToLoopsPassBase::CpuLowerToLoopsPassBase;

  void runOnOperation() override {
    CpuLoopOptions options;
    options.vectorBytes = vectorBytes;
    options.registerCount = registerCount;
    options.hasFma = hasFma;
    options.hasMaskRegisters = hasMaskRegisters;
    options.libraries = {libraries.begin(), libraries.end()};
    // Kernels that print add functions to the module.
    for (auto kernel : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (kernel->hasAttr("tw.kernel") &&
          failed(lowerKernelToLoops(kernel, options)))
        signalPassFailure();
  }
};
} // namespace

} // namespace tilewright::cpu
