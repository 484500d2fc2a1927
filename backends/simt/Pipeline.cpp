//===- Pipeline.cpp - From Kernel IR to LLVM for one thread -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of passes, and what they are told about the target.
//===----------------------------------------------------------------------===//
#include "backends/simt/Pipeline.h"

#include "backends/simt/emit/Emitter.h"
#include "backends/simt/transforms/Passes.h"
#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilewright::simt {

ArrayRef<backend::OptionalStep> optionalSteps() {
  static constexpr backend::OptionalStep steps[] = {
      {"matrix", "verify", "layouts",
       "matrix instructions for products; else the FMA units"},
      {"share-expansions", "verify", "prepare",
       "one computation for equal expressions of the expansions"},
      {"stride-programs", "verify", "prepare",
       "several programs a block, with tiles loaded ahead"},
      {"optimise-conversions", "prepare", "layouts",
       "layouts chosen to need few conversions"},
      {"share-layouts", "prepare", "layouts", "one conversion for equal ones"},
      {"pipeline-loops", "layouts", "schedule",
       "operands copied ahead of their use"},
      {"llvm", "simt", "llvm", "LLVM's optimiser"}};
  return steps;
}

static void buildVerify(OpPassManager &manager, const TargetHooks &,
                        const PipelineOptions &) {
  manager.addPass(kernel::createVerifyKernelIRPass());
}

/// Functions that the target computes itself well enough for the mode.
static std::vector<std::string>
nativeFunctions(const TargetHooks &hooks, const PipelineOptions &options) {
  std::vector<std::string> names;
  if (options.isPortable())
    return names;
  for (uint32_t number = uint32_t(math::MathFunction::Exp);
       number <= uint32_t(math::MathFunction::Rsqrt); ++number)
    for (unsigned bits : {16, 32, 64}) {
      auto function = math::MathFunction(number);
      if (hooks.isNativeFunction(function, bits, options.math == "fast"))
        names.push_back(nativeFunctionName(function, bits));
    }
  return names;
}

static std::vector<std::string> atomTexts(const TargetHooks &hooks) {
  std::vector<std::string> texts;
  for (const MatrixAtom &atom : hooks.target().atoms)
    texts.push_back(toText(atom));
  return texts;
}

static void buildPrepare(OpPassManager &manager, const TargetHooks &hooks,
                         const PipelineOptions &options) {
  SimtPreparePassOptions prepare;
  prepare.numWarps = options.numWarps;
  prepare.lanes = hooks.target().warpLanes();
  prepare.isPortable = options.isPortable();
  if (options.steps.isEnabled("matrix"))
    llvm::append_range(prepare.atoms, atomTexts(hooks));
  manager.addPass(createSimtPreparePass(prepare));
  SimtExpandArithmeticPassOptions expand;
  expand.math = options.math;
  expand.hasFma = hooks.target().hasFma;
  expand.hasRounding = hooks.target().hasRounding;
  expand.hasNumberMinMax = hooks.target().hasNumberMinMax;
  expand.hasFloat16 = hooks.target().hasFloat16;
  expand.hasBFloat16 = hooks.target().hasBFloat16Casts;
  expand.hasFloat16Arithmetic =
      hooks.target().hasFloat16 && hooks.target().hasFloat16Arithmetic;
  llvm::append_range(expand.nativeFunctions, nativeFunctions(hooks, options));
  manager.addPass(createSimtExpandArithmeticPass(expand));
  if (options.steps.isEnabled("share-expansions"))
    manager.addPass(createCSEPass());
  SimtStrideProgramsPassOptions stride;
  stride.limitBytes = hooks.bytesAhead();
  if (options.steps.isEnabled("stride-programs"))
    manager.addPass(createSimtStrideProgramsPass(stride));
}

static void buildLayouts(OpPassManager &manager, const TargetHooks &hooks,
                         const PipelineOptions &options) {
  SimtAssignLayoutsPassOptions assign;
  if (options.steps.isEnabled("matrix"))
    llvm::append_range(assign.atoms, atomTexts(hooks));
  manager.addPass(createSimtAssignLayoutsPass(assign));
  if (options.steps.isEnabled("optimise-conversions"))
    manager.addPass(createSimtOptimizeConversionsPass(
        {hooks.target().registersPerThread, hooks.target().maxVectorBytes,
         hooks.target().sectorBytes, hooks.target().mostStoreSectors}));
  if (options.steps.isEnabled("share-layouts"))
    manager.addPass(createCSEPass());
}

/// Without asynchronous copies loads stay where they are.
static void buildSchedule(OpPassManager &manager, const TargetHooks &hooks,
                          const PipelineOptions &options) {
  if (!hooks.hasAsyncCopies() || !options.steps.isEnabled("pipeline-loops"))
    return;
  SimtPipelineLoopsPassOptions pipeline;
  pipeline.numStages = options.numStages;
  pipeline.sharedBytes = hooks.target().sharedBytes;
  pipeline.inRegisters = hooks.copiesInRegisters();
  pipeline.copySizes = hooks.target().copies.sizes;
  pipeline.areConsecutive = hooks.target().copies.areConsecutive;
  manager.addPass(createSimtPipelineLoopsPass(pipeline));
}

static void buildShared(OpPassManager &manager, const TargetHooks &hooks,
                        const PipelineOptions &) {
  SimtAllocateSharedPassOptions allocate;
  allocate.sharedBytes = hooks.target().sharedBytes;
  allocate.hasShuffles = hooks.hasShuffles();
  allocate.hasMatrixAtoms = hooks.hasMatrixAtoms();
  manager.addPass(createSimtAllocateSharedPass(allocate));
  manager.addPass(createSimtInsertBarriersPass());
  manager.addPass(createSimtCheckRacesPass());
  SimtReportMissedPassOptions missed;
  missed.maxVectorBytes = hooks.target().maxVectorBytes;
  missed.sectorBytes = hooks.target().sectorBytes;
  missed.sharedBytes = hooks.target().sharedBytes;
  missed.hasShuffles = hooks.hasShuffles();
  missed.bankCount = hooks.target().banks.count;
  missed.bankBytes = hooks.target().banks.bytes;
  missed.registers = hooks.target().registersPerThread;
  missed.hasAtoms = hooks.hasMatrixAtoms();
  manager.addPass(createSimtReportMissedPass(missed));
}

ArrayRef<Phase> pipelinePhases() {
  static constexpr Phase phases[] = {
      {"verify", buildVerify},     {"prepare", buildPrepare},
      {"layouts", buildLayouts},   {"partition", nullptr},
      {"schedule", buildSchedule}, {"specialise", nullptr},
      {"simt", buildShared}};
  return phases;
}

void buildPhase(const Phase &phase, OpPassManager &manager,
                const TargetHooks &hooks, const PipelineOptions &options) {
  if (phase.build)
    phase.build(manager, hooks, options);
  if (options.addPasses)
    options.addPasses(phase.name, manager);
}

void buildPipeline(OpPassManager &manager, const TargetHooks &hooks,
                   const PipelineOptions &options) {
  for (const Phase &phase : pipelinePhases())
    buildPhase(phase, manager, hooks, options);
}

void registerDialects(DialectRegistry &registry) {
  kernel::registerKernelIRDialects(registry);
  registry.insert<SimtDialect>();
}

llvm::Function *emitKernel(func::FuncOp kernel, llvm::Module &module,
                           TargetHooks &hooks, const PipelineOptions &options) {
  EmitOptions emit;
  emit.libraries = options.libraries;
  emit.numWarps = options.numWarps;
  emit.isPortable = options.isPortable();
  return Emitter(module, hooks, emit).run(kernel);
}

bool isStrided(func::FuncOp kernel) { return kernel->hasAttr(kStridedAttr); }

uint64_t sharedBytes(func::FuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  return bytes ? bytes.getInt() : 0;
}

} // namespace tilewright::simt
