//===- Plugin.cpp - The AMD compiler as a plugin ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AMD adds to the shared compiler: targets, hooks, code objects.
//===----------------------------------------------------------------------===//
#include "backends/amd/codegen/ObjectCode.h"
#include "backends/amd/driver/KernelABI.h"
#include "backends/amd/hooks/AmdHooks.h"
#include "backends/common/link/Link.h"
#include "backends/common/request/Request.h"
#include "backends/simt/codegen/Codegen.h"
#include "backends/simt/codegen/WithoutPasses.h"
#include "backends/simt/compile/Vendor.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace tilewright;
using namespace tilewright::backend;
using llvm::StringRef;

namespace tilewright::amd {

static constexpr uint32_t kUnmetOption = 4118, kBadOption = 4106,
                          kCodegenFailed = 4111, kLinkFailed = 4112;

namespace {
class AmdVendor : public simt::VendorOf<Target, resolveTarget> {
public:
  const char *name() const override { return "amd"; }
  const char *title() const override {
    return "AMD compiler for HIP (LLVM " LLVM_VERSION_STRING ")";
  }
  std::vector<std::string> knownTargets() const override {
    return knownArchitectures();
  }
  llvm::ArrayRef<simt::VendorOption> options() const override;
  bool checkOptions(const simt::CompileOptions &options,
                    Problem &problem) const override;
  void answer(const simt::VendorTarget &target, tw_capability &question,
              Interner intern) const override;
  std::unique_ptr<simt::TargetHooks>
  makeHooks(const simt::VendorTarget &target,
            const simt::CompileOptions &options) const override;
  void completeRecord(KernelRecord &record, const simt::VendorTarget &target,
                      const simt::CompileOptions &options) const override;
  bool generate(simt::Generation &generation) const override;
  bool finish(simt::Generation &generation) const override;
};
} // namespace

llvm::ArrayRef<simt::VendorOption> AmdVendor::options() const {
  static constexpr simt::VendorOption options[] = {
      {"direct_copies", /*isText=*/false, 0, 2},
      {"kpack", /*isText=*/false, 0, 8},
      {"matrix_instr_nonkdim", /*isText=*/false, 0, 32},
      {"waves_per_eu", /*isText=*/false, 0, 16},
  };
  return options;
}

bool AmdVendor::checkOptions(const simt::CompileOptions &options,
                             Problem &problem) const {
  int64_t extent = options.integers.lookup("matrix_instr_nonkdim");
  if (extent == 0 || extent == 16 || extent == 32)
    return true;
  problem = {TW_E_DIAGNOSED, kBadOption,
             "expected 0, 16 or 32 for option 'matrix_instr_nonkdim', got " +
                 std::to_string(extent),
             "0 leaves the choice to the compiler"};
  return false;
}

/// What is not answered is a device's property, or newer than this plugin.
void AmdVendor::answer(const simt::VendorTarget &resolved,
                       tw_capability &question, Interner intern) const {
  const Target &target = targetOf(resolved);
  switch (question.id) {
  case TW_CAP_ARCH:
    return sayYes(question, intern(target.targetId));
  case TW_CAP_SUBGROUP_SIZE:
    return sayYes(question, target.lanes);
  case TW_CAP_SHARED_BYTES:
    return sayYes(question, int64_t(target.ldsBytes));
  case TW_CAP_MAX_THREADS:
    return sayYes(question, 1024);
  case TW_CAP_VECTOR_BITS:
    return sayYes(question, 128);
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_CLUSTERS:
    return sayYes(question, 1);
  case TW_CAP_ASYNC_COPY:
    return target.copiesDirectly(0) ? sayYes(question, 1) : sayNo(question);
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_COOPERATIVE_LAUNCH:
    return sayNo(question);
  default:
    return;
  }
}

std::unique_ptr<simt::TargetHooks>
AmdVendor::makeHooks(const simt::VendorTarget &target,
                     const simt::CompileOptions &options) const {
  return std::make_unique<AmdHooks>(targetOf(target),
                                    hookOptions(targetOf(target), options));
}

/// The hidden parameters in the order of `Hidden`.
void AmdVendor::completeRecord(KernelRecord &record, const simt::VendorTarget &,
                               const simt::CompileOptions &) const {
  record.addHiddenGrid(/*firstAxis=*/0);
}

/// Assembly text of a copy: code generation changes the module.
static bool addAssembly(simt::Generation &generation,
                        llvm::TargetMachine &machine) {
  std::string text;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*generation.module);
  if (!simt::emitCode(*copy, machine, llvm::CodeGenFileType::AssemblyFile,
                      text))
    return false;
  generation.artifact.stages.emplace_back("asm", std::move(text));
  return true;
}

/// What LLVM says of a wish that it cannot meet is in its own words, without a
/// place or a code.
static void takeDiagnostic(const llvm::DiagnosticInfo &info, Report &report) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  auto [head, tail] = StringRef(text).split("desired occupancy was ");
  auto [wanted, got] = tail.split(", final occupancy is ");
  if (!head.contains("amdgpu-waves-per-eu") || got.empty())
    return report.takeLLVM(info, kCodegenFailed);
  report.emit(TW_SEVERITY_WARNING, kUnmetOption,
              ("expected " + wanted +
               " waves on a SIMD unit for option 'waves_per_eu', got " + got)
                  .str(),
              "registers or LDS of a work-group leave no room for more "
              "(--emit=resources): use smaller tiles, or leave the option out");
}

bool AmdVendor::generate(simt::Generation &generation) const {
  const Target &target = targetOf(generation.target);
  Artifact &artifact = generation.artifact;
  auto machine =
      createMachine(target, generation.options.optimise, generation.report);
  if (!machine)
    return false;
  llvm::Module &module = *generation.module;
  // Inline assembly is parsed last: without this its errors end the process.
  module.getContext().setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *opaque) {
        takeDiagnostic(*info, *static_cast<Report *>(opaque));
      },
      &generation.report, /*RespectFilters=*/true);
  simt::setTarget(module, *machine);
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                       100 * target.codeObject);
  simt::optimise(module, *machine, generation.options.optimise,
                 simt::Effort::Brief);
  if (wantsStage(generation.request, "llvm"))
    artifact.stages.emplace_back("llvm", simt::printModule(module));
  simt::WithoutPasses without(module.getContext(), wastefulPasses(module));
  if ((wantsStage(generation.request, "asm") &&
       !addAssembly(generation, *machine)) ||
      !simt::emitObject(module, machine, artifact.payload)) {
    generation.report.error(kCodegenFailed,
                            "LLVM cannot write code for " + target.name);
    return false;
  }
  if (generation.report.hasErrors()) {
    machine.get_deleter().emission.reset();
    return false;
  }
  artifact.format = TW_AMD_FORMAT_HSACO;
  artifact.compat = target.targetId;
  return true;
}

/// The relocatable object becomes a code object, which says what its kernels
/// use.
bool AmdVendor::finish(simt::Generation &generation) const {
  Artifact &artifact = generation.artifact;
  std::string why;
  std::optional<std::string> image =
      linkObjects({StringRef(artifact.payload)}, {}, why);
  if (!image) {
    generation.report.error(kLinkFailed, "linking the kernel failed: " + why);
    return false;
  }
  artifact.payload = std::move(*image);
  llvm::StringMap<KernelResources> resources = readResources(artifact.payload);
  for (KernelRecord &record : artifact.records) {
    auto found = resources.find(record.symbol);
    if (found == resources.end())
      continue;
    record.registers = found->second.vectorRegisters;
    record.spillBytes = 4 * found->second.vectorSpills;
    record.sharedStaticBytes = uint32_t(found->second.sharedBytes);
    unsigned most = generation.options.maxRegisters;
    if (most && record.registers > most)
      generation.report.emit(
          TW_SEVERITY_WARNING, kUnmetOption,
          "expected at most " + std::to_string(most) +
              " registers for option 'maxnreg', got " +
              std::to_string(record.registers),
          "LLVM keeps to what the waves of a work-group leave each other: use "
          "'waves_per_eu', more warps or smaller tiles");
  }
  if (wantsStage(generation.request, "resources"))
    artifact.stages.emplace_back("resources", resourcesText(resources));
  return true;
}

} // namespace tilewright::amd

const Compiler &tilewright::backend::thisCompiler() {
  static const amd::AmdVendor vendor;
  static const simt::SimtCompiler compiler(vendor);
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return answerOffer(offer, answer);
}
