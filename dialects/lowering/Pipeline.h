//===- Pipeline.h - From tile IR to Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows the order of this room's passes.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DIALECTS_LOWERING_PIPELINE_H
#define TILEWRIGHT_DIALECTS_LOWERING_PIPELINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace tilewright {

/// What the lowering does beyond converting.
struct TileToKernelOptions
    : public mlir::PassPipelineOptions<TileToKernelOptions> {
  Option<bool> raise{*this, "raise",
                     llvm::cl::desc("Turn pointer arithmetic into views"),
                     llvm::cl::init(true)};
  Option<bool> variants{
      *this, "variants",
      llvm::cl::desc("Add launch variants where they remove wrap-around"),
      llvm::cl::init(true)};
  Option<bool> share{*this, "share",
                     llvm::cl::desc("Compute equal expressions once"),
                     llvm::cl::init(true)};
  Option<bool> remarks{*this, "remarks",
                       llvm::cl::desc("Emit a remark for every access"),
                       llvm::cl::init(false)};
};

/// Appends the phases inline, split, specialize, raise, convert, clean.
void buildTileToKernelPipeline(mlir::OpPassManager &manager,
                               const TileToKernelOptions &options);

} // namespace tilewright

#endif // TILEWRIGHT_DIALECTS_LOWERING_PIPELINE_H
