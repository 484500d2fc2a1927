//===- PlaceShared.cpp - The passes before emission -----------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the pipeline runs them.
//===----------------------------------------------------------------------===//
#include "PlaceShared.h"

#include "backends/simt/transforms/Passes.h"
#include "dialects/kernel/Dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilewright::simt::test {

std::unique_ptr<MLIRContext> createContext() {
  DialectRegistry registry;
  kernel::registerKernelIRDialects(registry);
  registry.insert<SimtDialect>();
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}

OwningOpRef<ModuleOp> placeShared(MLIRContext &context, const std::string &text,
                                  const MachineOptions &options) {
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return nullptr;
  Builder b(&context);
  for (auto kernel : module->getOps<func::FuncOp>()) {
    kernel->setAttr(kNumWarpsAttr, b.getI64IntegerAttr(options.numWarps));
    kernel->setAttr(kLanesAttr, b.getI64IntegerAttr(options.lanes));
  }
  PassManager manager(&context);
  SimtAllocateSharedPassOptions allocate;
  allocate.sharedBytes = options.sharedBytes;
  allocate.hasShuffles = options.hasShuffles;
  manager.addPass(createSimtAllocateSharedPass(allocate));
  manager.addPass(createSimtInsertBarriersPass());
  if (failed(manager.run(*module)))
    return nullptr;
  return module;
}

} // namespace tilewright::simt::test
