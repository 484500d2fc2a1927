//===- Plugin.cpp - The NVIDIA compiler as a plugin -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVIDIA adds to the shared compiler: targets, hooks, PTX and cubins.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"
#include "backends/nvidia/codegen/Apart.h"
#include "backends/nvidia/codegen/Assemble.h"
#include "backends/nvidia/codegen/Ptx.h"
#include "backends/nvidia/driver/KernelABI.h"
#include "backends/nvidia/hooks/NvidiaHooks.h"
#include "backends/simt/codegen/Codegen.h"
#include "backends/simt/compile/Vendor.h"

#include "backends/common/request/Request.h"

#include "llvm/Config/llvm-config.h"

using namespace tilewright;
using namespace tilewright::backend;
using llvm::StringRef;

namespace tilewright::nvidia {

namespace {
class NvidiaVendor : public simt::VendorOf<Target, resolveTarget> {
public:
  const char *name() const override { return "nvidia"; }
  const char *title() const override {
    return "NVIDIA compiler (LLVM " LLVM_VERSION_STRING ")";
  }
  std::vector<std::string> knownTargets() const override {
    return knownArchitectures();
  }
  llvm::ArrayRef<simt::VendorOption> options() const override;
  std::string tools() const override {
    return "assembler=" + assemblerName(AssemblerOptions());
  }
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

llvm::ArrayRef<simt::VendorOption> NvidiaVendor::options() const {
  static constexpr simt::VendorOption options[] = {
      {"assembler", /*isText=*/true},
      {"bytes_ahead", /*isText=*/false, 0, 1024},
      {"ptxas_level", /*isText=*/false, 0, 3},
  };
  return options;
}

/// What is not answered is a device's property, or newer than this plugin.
void NvidiaVendor::answer(const simt::VendorTarget &resolved,
                          tw_capability &question, Interner intern) const {
  const Target &target = targetOf(resolved);
  switch (question.id) {
  case TW_CAP_ARCH:
    return sayYes(question, intern(target.processor));
  case TW_CAP_SUBGROUP_SIZE:
    return sayYes(question, 32);
  case TW_CAP_SHARED_BYTES:
    return sayYes(question, int64_t(target.sharedBytes));
  case TW_CAP_MAX_THREADS:
    return sayYes(question, 1024);
  case TW_CAP_VECTOR_BITS:
    return sayYes(question, 128);
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_COOPERATIVE_LAUNCH:
    return sayYes(question, 1);
  case TW_CAP_ASYNC_COPY:
    return sayWhether(question, target.number >= 80);
  case TW_CAP_TENSOR_MAP:
    return sayWhether(question, target.number >= 90);
  case TW_CAP_CLUSTERS:
    return sayYes(question, target.number >= 90 ? 8 : 1);
  case TW_CAP_UNIFIED_MEMORY:
    return sayNo(question);
  default:
    return;
  }
}

std::unique_ptr<simt::TargetHooks>
NvidiaVendor::makeHooks(const simt::VendorTarget &target,
                        const simt::CompileOptions &options) const {
  beginNaming(AssemblerOptions()); // the fingerprint is asked for at the end
  HookOptions hooks;
  hooks.isPortable = options.math == "portable";
  hooks.isFast = options.math == "fast";
  hooks.maxRegisters = options.maxRegisters;
  auto ahead = options.integers.find("bytes_ahead");
  if (ahead != options.integers.end())
    hooks.bytesAhead = uint64_t(ahead->second);
  return std::make_unique<NvidiaHooks>(targetOf(target), hooks);
}

/// The hidden parameters in the order of `Hidden`.
void NvidiaVendor::completeRecord(KernelRecord &record,
                                  const simt::VendorTarget &,
                                  const simt::CompileOptions &) const {
  record.addHiddenGrid(/*firstAxis=*/1);
}

bool NvidiaVendor::generate(simt::Generation &generation) const {
  const Target &target = targetOf(generation.target);
  Artifact &artifact = generation.artifact;
  unsigned level = generation.options.optimise;
  simt::Machine machine = createMachine(target, level, generation.report);
  if (!machine)
    return false;
  llvm::Module &module = *generation.module;
  std::optional<KernelsApart> others;
  if (!wantsStage(generation.request, "llvm")) // which shows one module
    others.emplace(module, target, level);
  optimiseForPtx(module, *machine, level);
  if (wantsStage(generation.request, "llvm"))
    artifact.stages.emplace_back("llvm", simt::printModule(module));
  std::optional<std::string> ptx = writePtx(module, *machine);
  if (!ptx) {
    generation.report.error(4111, "LLVM cannot write PTX for " + target.name);
    return false;
  }
  if (others && !others->appendTo(*ptx, generation.report))
    return false;
  artifact.payload = std::move(*ptx);
  if (wantsStage(generation.request, "asm"))
    artifact.stages.emplace_back("asm", artifact.payload);
  artifact.format = TW_NVIDIA_FORMAT_PTX;
  artifact.compat = target.processor + ";ptx" + std::to_string(target.ptx);
  // Shared memory is dynamic: static arrays end at 48 KB.
  for (KernelRecord &record : artifact.records)
    std::swap(record.sharedStaticBytes, record.sharedDynamicBytes);
  return true;
}

static AssemblerOptions assemblerOptions(const simt::CompileOptions &options) {
  AssemblerOptions assembler;
  auto choice = options.texts.find("assembler");
  if (choice != options.texts.end())
    assembler.choice = choice->second;
  auto level = options.integers.find("ptxas_level");
  if (level != options.integers.end())
    assembler.level = unsigned(level->second);
  return assembler;
}

/// PTX becomes a cubin where there is an assembler.
bool NvidiaVendor::finish(simt::Generation &generation) const {
  Artifact &artifact = generation.artifact;
  std::optional<Assembled> assembled =
      assemble(artifact.payload, targetOf(generation.target),
               assemblerOptions(generation.options), generation.report);
  if (!assembled)
    return !generation.report.hasErrors();
  artifact.format = TW_NVIDIA_FORMAT_CUBIN;
  artifact.payload = std::move(assembled->cubin);
  auto [tool, version] = StringRef(assembled->tool).split(' ');
  artifact.otherTools.emplace_back(tool.str(), version.str());
  for (KernelRecord &record : artifact.records) {
    auto found = assembled->kernels.find(record.symbol);
    if (found == assembled->kernels.end())
      continue;
    record.registers = found->second.registers;
    record.spillBytes = found->second.spillBytes;
    record.sharedStaticBytes = uint32_t(found->second.staticSharedBytes);
  }
  if (wantsStage(generation.request, "ptxas"))
    artifact.stages.emplace_back("ptxas", std::move(assembled->log));
  return true;
}

} // namespace tilewright::nvidia

const Compiler &tilewright::backend::thisCompiler() {
  static const nvidia::NvidiaVendor vendor;
  static const simt::SimtCompiler compiler(vendor);
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return answerOffer(offer, answer);
}
