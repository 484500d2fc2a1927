//===- Pipeline.h - From Kernel IR to LLVM for one thread -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The named phases that every GPU-like target runs, and the emission of one
// kernel. A backend may insert phases of its own between.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_PIPELINE_H
#define TILEWRIGHT_BACKENDS_SIMT_PIPELINE_H

#include "backends/common/Steps.h"
#include "backends/simt/TargetHooks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <functional>

namespace tilewright::simt {

/// What a request may leave out by `disable`, in order.
llvm::ArrayRef<backend::OptionalStep> optionalSteps();

struct PipelineOptions {
  unsigned numWarps = 4;
  unsigned numStages = 3;
  std::string math = "accurate"; ///< or "portable" or "fast"
  backend::Steps steps{optionalSteps()};
  std::vector<std::string> libraries; ///< that functions may be called of
  /// Adds what a backend runs at the end of the phase of that name.
  std::function<void(llvm::StringRef, mlir::OpPassManager &)> addPasses;
  bool isPortable() const { return math == "portable"; }
};

/// One step; `name` is also that of its stage text. `build` is null for a phase
/// that only backends fill.
struct Phase {
  llvm::StringLiteral name;
  void (*build)(mlir::OpPassManager &, const TargetHooks &,
                const PipelineOptions &);
};

/// In order: verify, prepare, layouts, partition (of data, one part a group of
/// warps), schedule (copies and products ahead of their use), specialise
/// (`simt.partition`), simt. "partition" and "specialise" hold what a backend
/// adds and nothing else. Records are read after "verify", while attributes are
/// those of Kernel IR; the text after "simt" is that of `--emit=simt`.
llvm::ArrayRef<Phase> pipelinePhases();

/// One phase with what the backend adds to it.
void buildPhase(const Phase &phase, mlir::OpPassManager &manager,
                const TargetHooks &hooks, const PipelineOptions &options);
/// All phases at once.
void buildPipeline(mlir::OpPassManager &manager, const TargetHooks &hooks,
                   const PipelineOptions &options);

/// Dialects of Kernel IR and of the phases.
void registerDialects(mlir::DialectRegistry &registry);

/// Emits a kernel that went through all phases into `module`; null after
/// located errors.
llvm::Function *emitKernel(mlir::func::FuncOp kernel, llvm::Module &module,
                           TargetHooks &hooks, const PipelineOptions &options);

/// Shared memory of such a kernel, in bytes.
uint64_t sharedBytes(mlir::func::FuncOp kernel);

/// Whether a launch may have fewer blocks than programs.
bool isStrided(mlir::func::FuncOp kernel);

/// The passes and pipeline "simt-pipeline" of tw-opt.
void registerSimtPipelines();

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_PIPELINE_H
