//===- Codegen.cpp - LLVM IR to a validated SPIR-V module -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target is initialised once a process. Fatal errors of the optimiser are
// the caller's affair (FatalErrorGuard).
//===----------------------------------------------------------------------===//
#include "backends/spirv/codegen/Codegen.h"

#include "backends/simt/codegen/Codegen.h"
#include "backends/spirv/codegen/Translate.h"
#include "backends/spirv/codegen/Validate.h"
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

extern "C" {
void LLVMInitializeSPIRVTargetInfo();
void LLVMInitializeSPIRVTarget();
void LLVMInitializeSPIRVTargetMC();
void LLVMInitializeSPIRVAsmPrinter();
}

namespace tilewright::spirv {

static constexpr uint32_t kCodegenFailed = 4111, kInvalidModule = 4161,
                          kUnvalidated = 4162;

static void initialiseTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
}

/// Extensions that the code generator may use for a target.
static std::vector<std::string> extensionsOf(const opencl::Traits &traits) {
  std::vector<std::string> names;
  if (traits.hasMatrices)
    names.push_back("SPV_KHR_cooperative_matrix");
  return names;
}

/// At least level 1: the target is right only where casts of casts have been
/// combined (i32 to i8 to i16 becomes a module that is invalid).
static bool optimiseModule(llvm::Module &module, const Target &target,
                           unsigned level, Report &report) {
  level = std::max(level, 1u);
  std::string why;
  simt::Machine machine =
      simt::createMachine({target.triple(), "", ""}, level, why);
  if (!machine) {
    report.error(kCodegenFailed,
                 "no code generator for " + target.name + ": " + why);
    return false;
  }
  simt::setTarget(module, *machine);
  simt::optimise(module, *machine, level);
  return true;
}

static bool translate(llvm::Module &module, const Target &target,
                      Generated &result, Report &report) {
  std::string why = "the module is cut short";
  result.words = readWords(translateModule(module, target.triple(),
                                           extensionsOf(target.traits), why));
  if (!result.words.empty())
    return true;
  report.error(kCodegenFailed,
               "LLVM's SPIR-V target refuses the kernel: " + why,
               "report this kernel");
  return false;
}

static bool checkModule(Generated &result, const Target &target,
                        const CodegenOptions &options, Report &report) {
  std::vector<std::string> unknown = unknownExtensions(result.words);
  result.unvalidated = unknown.size();
  if (!unknown.empty()) {
    if (options.allowUnvalidated)
      return true;
    report.error(kUnvalidated,
                 "the validator does not know " + llvm::join(unknown, ", ") +
                     ", which the kernel for " + target.name + " uses",
                 "pass --opt allow-unvalidated=1 to let it through unchecked, "
                 "or remove the feature from the target");
    return false;
  }
  std::string problem = validate(result.words, target.traits.spirvVersion);
  if (problem.empty())
    return true;
  report.error(kInvalidModule, "the generated SPIR-V is invalid: " + problem,
               "report this kernel; a target with fewer features may do");
  return false;
}

/// What the module declares, as traits of a device.
static opencl::Traits readNeeds(const Words &words, const Target &target) {
  enum : uint32_t { Float16 = 9, Float64 = 10, Int64Atomics = 12 };
  opencl::Traits needs;
  needs.openclVersion = target.traits.openclVersion;
  needs.spirvVersion = target.traits.spirvVersion;
  needs.hasAddresses = target.traits.hasAddresses;
  needs.subgroupWidth = target.traits.subgroupWidth;
  std::set<uint32_t> capabilities = readCapabilities(words);
  needs.hasHalf = capabilities.count(Float16) != 0;
  needs.hasDouble = capabilities.count(Float64) != 0;
  needs.hasLongAtomics = capabilities.count(Int64Atomics) != 0;
  std::set<std::string> extensions = readExtensions(words);
  needs.hasMatrices = extensions.count("SPV_KHR_cooperative_matrix") != 0;
  return needs;
}

std::optional<Generated> generateCode(llvm::Module &module,
                                      const Target &target,
                                      const CodegenOptions &options,
                                      Report &report) {
  initialiseTarget();
  module.getContext().setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *opaque) {
        static_cast<Report *>(opaque)->takeLLVM(*info, kCodegenFailed);
      },
      &report, /*RespectFilters=*/true);
  Generated result;
  if (!optimiseModule(module, target, options.optimise, report) ||
      !legalize(module, target, report))
    return std::nullopt;
  if (options.wantLLVM)
    result.llvmText = simt::printModule(module);
  if (!translate(module, target, result, report))
    return std::nullopt;
  rewriteScalarNulls(result.words);
  addTexts(result.words, options.texts);
  if (report.hasErrors() || !checkModule(result, target, options, report))
    return std::nullopt;
  result.needs = readNeeds(result.words, target);
  return result;
}

} // namespace tilewright::spirv
