//===- Pipeline.cpp - From Kernel IR to the LLVM dialect --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four phases. Each is a short list: the loop emitter already fuses and
// vectorises, LLVM cleans up, so nothing in between canonicalises.
//===----------------------------------------------------------------------===//
#include "backends/cpu/lower/Pipeline.h"

#include "backends/cpu/loops/Passes.h"
#include "backends/cpu/lower/Passes.h"
#include "dialects/kernel/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace tilewright::cpu {

ArrayRef<backend::OptionalStep> optionalSteps() {
  static constexpr backend::OptionalStep steps[] = {
      {"mask-registers", "verify", "loops",
       "masked accesses by mask registers; else by blends and branches"},
      {"contract", "loops", "expand",
       "a product and the sum that uses it as one fma"},
      {"llvm", "expand", "llvm", "LLVM's optimiser"}};
  return steps;
}

static void buildVerify(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(kernel::createVerifyKernelIRPass());
}

static void buildLoops(OpPassManager &manager, const PipelineOptions &options) {
  CpuLowerToLoopsPassOptions loops;
  loops.vectorBytes = options.vector.registerBits / 8;
  loops.registerCount = options.vector.registerCount;
  loops.hasFma = options.vector.hasFma;
  loops.hasMaskRegisters = options.vector.hasMaskRegisters &&
                           options.steps.isEnabled("mask-registers");
  loops.libraries.assign(options.libraries.begin(), options.libraries.end());
  manager.addPass(createCpuLowerToLoopsPass(loops));
}

static void buildExpand(OpPassManager &manager,
                        const PipelineOptions &options) {
  // Before expansions, which state their own fused operations.
  CpuContractMultiplyAddPassOptions contract;
  contract.hasFma = options.vector.hasFma;
  if (options.steps.isEnabled("contract"))
    manager.addPass(createCpuContractMultiplyAddPass(contract));
  CpuExpandArithmeticPassOptions expand;
  expand.math = options.math;
  expand.hasFma = options.vector.hasFma;
  expand.hasHalfConversion = options.vector.hasHalfConversion;
  expand.hasRounding = options.vector.hasRounding;
  manager.addPass(createCpuExpandArithmeticPass(expand));
  manager.addPass(createCpuAddEntryPointsPass());
}

static void buildLLVM(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createCpuConvertToLLVMPass());
}

ArrayRef<Phase> pipelinePhases() {
  static constexpr Phase phases[] = {{"verify", buildVerify},
                                     {"loops", buildLoops},
                                     {"expand", buildExpand},
                                     {"llvm", buildLLVM}};
  return phases;
}

void buildPipeline(OpPassManager &manager, const PipelineOptions &options) {
  for (const Phase &phase : pipelinePhases())
    phase.build(manager, options);
}

namespace {
struct CommandLineOptions : public PassPipelineOptions<CommandLineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("cpu[:processor][+-feature]"),
                             llvm::cl::init("cpu")};
  Option<std::string> math{*this, "math",
                           llvm::cl::desc("accurate, portable or fast"),
                           llvm::cl::init("accurate")};
};
} // namespace

void registerCpuPipelines() {
  registerCpuBackendPasses();
  PassPipelineRegistration<CommandLineOptions>(
      "cpu-pipeline", "Kernel IR to the LLVM dialect for a processor",
      [](OpPassManager &manager, const CommandLineOptions &text) {
        PipelineOptions options;
        options.math = text.math;
        Problem problem;
        if (std::optional<Target> target = resolveTarget(text.target, problem))
          options.vector = target->vector;
        else
          llvm::errs() << "error: " << problem.message << "\n";
        buildPipeline(manager, options);
      });
}

} // namespace tilewright::cpu
