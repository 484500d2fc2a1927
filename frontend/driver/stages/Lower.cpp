//===- Lower.cpp - Tile IR to Kernel IR -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline of the dialects, with overrides marked before and applied after,
// and the prebuilt kernel that makes it unnecessary.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Passes.h"
#include "dialects/kernel/portable/Portable.h"
#include "dialects/lowering/Pipeline.h"
#include "frontend/driver/stages/Compilation.h"
#include "frontend/driver/stages/Needs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilewright::driver {

bool Compilation::raises() const {
  if (const tw_option *option = findOption("raise"))
    return option->integer != 0;
  return !llvm::StringRef(output.target).starts_with("reference");
}

std::string Compilation::ranges() const {
  const tw_option *option = findOption("ranges");
  return option ? toString(option->text) : "";
}

bool Compilation::runLowering(ModuleOp module, bool remarks) {
  PassManager passes(context.get());
  passes.enableVerifier(false); // kernel-verify is the last pass
  TileToKernelOptions options;
  options.remarks = remarks;
  options.raise = raises() && disabled.raise;
  options.variants = disabled.variants;
  options.share = disabled.share;
  buildTileToKernelPipeline(passes, options);
  if (succeeded(passes.run(module)))
    return true;
  if (!output.sink.hasErrors())
    fail(3000, "lowering to Kernel IR failed without a message");
  return false;
}

bool Compilation::lower() {
  {
    StageTimer timer(output, "lower");
    if (overrides)
      overrides->mark(*ir);
    if (!runLowering(*ir, /*remarks=*/true))
      return false;
    // A body from elsewhere may be simpler where it stands.
    PassManager passes(context.get());
    passes.addPass(kernel::createCanonicalizePass());
    passes.addPass(createCSEPass());
    if (overrides && overrides->apply(*ir) && failed(passes.run(*ir)))
      return false;
  }
  if (wants("kernel"))
    keep("kernel", printIR(*ir));
  if (wants("needs"))
    keep("needs", describeNeeds(*ir, ranges()));
  std::string portable;
  if (!wants("portable"))
    return true;
  if (failed(kernel::writePortableIR(*ir, TW_PORTABLE_NEWEST, portable)))
    return false;
  keep("portable", std::move(portable));
  return true;
}

/// Looks for a prebuilt artifact of the kernel as it is without overrides; true
/// if that is the result of this compile.
bool Compilation::replaceKernel() {
  func::FuncOp kernelOp;
  for (auto function : ir->getOps<func::FuncOp>())
    if (function->hasAttr("tw.kernel") && !kernelOp)
      kernelOp = function;
  if (!kernelOp)
    return false;
  std::string name = kernelOp.getSymName().str();
  if (!wants("identity") && !overrides->claimsKernel(name))
    return false;
  OwningOpRef<ModuleOp> plain = ir->clone();
  if (!runLowering(*plain, /*remarks=*/false))
    return false;
  std::string identity = kernelIdentity(*plain);
  if (wants("identity"))
    keep("identity", llvm::toHex(identity, /*LowerCase=*/true) + "\n");
  // Stage texts are those of a compile, whose times alone change nothing.
  if (!isTimedOnly() || !overrides->claimsKernel(name))
    return false;
  auto found =
      overrides->takeKernel(name, identity, kernelOp.getLoc(), emptyArtifact());
  if (found)
    write(std::move(*found));
  return found.has_value();
}

} // namespace tilewright::driver
