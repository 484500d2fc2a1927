//===- Pipeline.h - From Kernel IR to the LLVM dialect ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the CPU backend's passes, in named phases. The plugin and the
// pass driver (`--cpu-pipeline`) use the same functions.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOWER_PIPELINE_H
#define TILEWRIGHT_BACKENDS_CPU_LOWER_PIPELINE_H

#include "backends/common/Steps.h"
#include "backends/cpu/Target.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright::cpu {

/// What a request may leave out by `disable`, in order.
llvm::ArrayRef<backend::OptionalStep> optionalSteps();

struct PipelineOptions {
  VectorUnit vector;
  std::string math = "accurate";
  backend::Steps steps{optionalSteps()};
  std::vector<std::string> libraries; ///< that functions may be called of
};

/// One stage of the pipeline; `name` is what timings and stage texts use.
struct Phase {
  llvm::StringLiteral name;
  void (*build)(mlir::OpPassManager &manager, const PipelineOptions &options);
};

/// verify, loops, expand, llvm.
llvm::ArrayRef<Phase> pipelinePhases();

void buildPipeline(mlir::OpPassManager &manager,
                   const PipelineOptions &options);

/// Registers `cpu-pipeline` with the pass driver.
void registerCpuPipelines();

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOWER_PIPELINE_H
