//===- Codegen.cpp - From a kernel's LLVM module to text or object *- C++ -*-=//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No library function is known to the optimiser: device code has none to call.
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/Codegen.h"
#include "backends/simt/codegen/BriefPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::simt {

void setTarget(llvm::Module &module, const llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
}

static llvm::OptimizationLevel optimiserLevel(unsigned level) {
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  return levels[level < 4 ? level : 3];
}

/// Whether LLVM knows that the target's branches may diverge.
static bool knowsDivergence(llvm::Module &module,
                            const llvm::TargetMachine &machine) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        !machine.getTargetTransformInfo(function).hasBranchDivergence(
            &function))
      return false;
  return true;
}

static bool definesOne(const llvm::Module &module) {
  return llvm::count_if(module, [](const llvm::Function &function) {
           return !function.isDeclaration();
         }) == 1;
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level, Effort effort) {
  // Jump threading takes quadratic time on the many small branches of masked
  // accesses, and is meant for processors: level 1 has none of it.
  if (!knowsDivergence(module, machine))
    level = std::min(level, 1u);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = level > 2;
  tuning.MergeFunctions = false;
  if (effort == Effort::Brief)
    level = std::min(level, 1u);
  bool isBrief = effort == Effort::Brief && level && definesOne(module);
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::TargetLibraryInfoImpl library = noLibrary(module.getTargetTriple());
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::OptimizationLevel target = optimiserLevel(level);
  llvm::ModulePassManager passes =
      isBrief      ? buildBriefPipeline(builder)
      : level == 0 ? builder.buildO0DefaultPipeline(target)
                   : builder.buildPerModuleDefaultPipeline(target);
  passes.run(module, modules);
}

bool emitCode(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::CodeGenFileType kind, std::string &out) {
  std::unique_ptr<Emission> emission = Emission::create(machine, kind);
  if (emission)
    emission->run(module, out);
  return emission != nullptr;
}

bool emitObject(llvm::Module &module, Machine &machine, std::string &out) {
  MachineKeeper &keeper = machine.get_deleter();
  if (!keeper.emission)
    keeper.emission =
        Emission::create(*machine, llvm::CodeGenFileType::ObjectFile);
  if (keeper.emission)
    keeper.emission->run(module, out);
  return keeper.emission != nullptr;
}

std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace tilewright::simt
