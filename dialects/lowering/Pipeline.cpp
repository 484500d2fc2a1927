//===- Pipeline.cpp - From tile IR to Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases: inline -> split -> specialize -> raise -> convert -> clean.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/Pipeline.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/Passes.h"
#include "dialects/lowering/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;

/// Pointer arithmetic becomes views.
static void addRaisePhase(OpPassManager &manager,
                          const TileToKernelOptions &options) {
  manager.addPass(lowering::createSplitCarriedPass());
  if (options.variants)
    manager.addPass(lowering::createSpecializeWrapsPass());
  lowering::RaiseAccessesPassOptions raiseOptions;
  raiseOptions.remarks = options.remarks;
  manager.addPass(lowering::createRaiseAccessesPass(raiseOptions));
}

/// Every tile op and type becomes Kernel IR; what is left over is removed.
static void addConvertPhase(OpPassManager &manager,
                            const TileToKernelOptions &options) {
  manager.addPass(lowering::createConvertTileToKernelPass());
  manager.addPass(kernel::createCanonicalizePass());
  if (options.share)
    manager.addPass(createCSEPass());
}

void tilewright::buildTileToKernelPipeline(OpPassManager &manager,
                                           const TileToKernelOptions &options) {
  manager.addPass(lowering::createInlineCallOpsPass());
  if (options.raise)
    addRaisePhase(manager, options);
  addConvertPhase(manager, options);
}

namespace tilewright::lowering {
#define GEN_PASS_REGISTRATION
#include "dialects/lowering/Passes.h.inc"
} // namespace tilewright::lowering

void tilewright::registerTilewrightLoweringPasses() {
  lowering::registerTilewrightLoweringPasses();
  PassPipelineRegistration<TileToKernelOptions>("tile-to-kernel",
                                                "Lower tile IR to Kernel IR",
                                                buildTileToKernelPipeline);
}
