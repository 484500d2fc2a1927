//===- Codegen.cpp - LLVM dialect to a relocatable object -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No library function is known to the optimiser, so that it makes no calls the
// object would have to import. The pass list is short because the loops come
// vectorised, unrolled and fused.
//===----------------------------------------------------------------------===//
#include "backends/cpu/codegen/Codegen.h"

#include "backends/common/DeviceLibraries.h"
#include "backends/cpu/codegen/MaskedStores.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace tilewright::cpu {

static constexpr uint32_t kCodegenFailed = 4111;

void registerTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

static llvm::CodeGenOptLevel codegenLevel(unsigned level) {
  switch (level) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  default:
    return llvm::CodeGenOptLevel::Default;
  }
}

/// The target's features without the conversions to bf16, which flush subnormal
/// numbers: LLVM would use them to move bf16 scalars through f32. Our own casts
/// are integer code.
static std::string codegenFeatures(const Target &target) {
  if (!llvm::Triple(target.triple).isX86())
    return target.features;
  std::string without = "-avx512bf16,-avxneconvert";
  return target.features.empty() ? without : target.features + "," + without;
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const Target &target, unsigned level, Report &report) {
  std::string why;
  llvm::Triple triple(target.triple);
  const llvm::Target *llvmTarget =
      llvm::TargetRegistry::lookupTarget(triple, why);
  std::unique_ptr<llvm::TargetMachine> machine;
  if (llvmTarget) {
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    options.FunctionSections = false;
    machine.reset(llvmTarget->createTargetMachine(
        triple, target.processor, codegenFeatures(target), options,
        llvm::Reloc::PIC_, llvm::CodeModel::Small, codegenLevel(level)));
  }
  if (!machine)
    report.error(kCodegenFailed,
                 "no code generator for " + target.name + ": " + why);
  return machine;
}

/// Gives every function the target and the attributes that shorten its code.
static void setAttributes(llvm::Module &module, const Target &target) {
  llvm::AttrBuilder attributes(module.getContext());
  attributes.addAttribute("target-cpu", target.processor);
  std::string features = codegenFeatures(target);
  if (!features.empty())
    attributes.addAttribute("target-features", features);
  attributes.addAttribute("prefer-vector-width",
                          std::to_string(target.vector.registerBits));
  attributes.addAttribute("no-builtins");
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  attributes.addUWTableAttr(llvm::UWTableKind::Async);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttrs(attributes);
    if (!function.hasLocalLinkage())
      function.setDSOLocal(true);
  }
}

static llvm::OptimizationLevel optimiserLevel(unsigned level) {
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  return levels[level];
}

/// Level 2 leaves loops as the emitter made them, but for those that it marked:
/// unrolling them again takes a third of the time and gains nothing.
static void optimise(llvm::Module &module, llvm::TargetMachine &machine,
                     const llvm::TargetLibraryInfoImpl &library,
                     unsigned level) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = level > 2;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.LoopUnrolling = level > 2;
  tuning.MergeFunctions = false;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                 : builder.buildPerModuleDefaultPipeline(optimiserLevel(level));
  passes.run(module, modules);
}

static bool emitFile(llvm::Module &module, llvm::TargetMachine &machine,
                     const llvm::TargetLibraryInfoImpl &library,
                     llvm::CodeGenFileType kind, std::string &out) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind,
                                  /*DisableVerify=*/true))
    return false;
  passes.run(module);
  out.assign(buffer.begin(), buffer.end());
  return true;
}

/// Assembly text comes from a copy: emission changes the module.
static bool emitAll(llvm::Module &module, llvm::TargetMachine &machine,
                    const llvm::TargetLibraryInfoImpl &library,
                    const CodegenOptions &options, Generated &out) {
  if (options.wantLLVM) {
    llvm::raw_string_ostream stream(out.llvmText);
    module.print(stream, nullptr);
  }
  if (options.wantAsm) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    if (!emitFile(*copy, machine, library, llvm::CodeGenFileType::AssemblyFile,
                  out.asmText))
      return false;
  }
  return emitFile(module, machine, library, llvm::CodeGenFileType::ObjectFile,
                  out.object);
}

std::optional<Generated> generateCode(mlir::ModuleOp module,
                                      const Target &target,
                                      const CodegenOptions &options,
                                      Report &report, Timings &timings) {
  timings.begin("translate");
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *opaque) {
        static_cast<Report *>(opaque)->takeLLVM(*info, kCodegenFailed);
      },
      &report, /*RespectFilters=*/true);
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, context, "kernel");
  if (!code) {
    if (!report.hasErrors())
      report.error(kCodegenFailed, "translation to LLVM IR failed");
    return std::nullopt;
  }
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(target, options.optimise, report);
  if (!machine)
    return std::nullopt;
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  if (options.request &&
      !backend::linkLibraries(*code, *options.request, report))
    return std::nullopt;
  setAttributes(*code, target);
  llvm::TargetLibraryInfoImpl library(machine->getTargetTriple());
  library.disableAllFunctions();

  timings.begin("optimise");
  optimise(*code, *machine, library, options.optimise);
  narrowMaskedStores(*code);
  timings.begin("codegen");
  Generated result;
  if (!emitAll(*code, *machine, library, options, result))
    report.error(kCodegenFailed,
                 "the code generator cannot emit objects for " + target.name);
  timings.end();
  if (report.hasErrors())
    return std::nullopt;
  return result;
}

} // namespace tilewright::cpu
