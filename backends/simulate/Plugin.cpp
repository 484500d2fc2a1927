//===- Plugin.cpp - The simulator as a plugin -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulator adds to the shared GPU compiler: profiles, hooks, and code
// of the host for one lane. Its device is in driver/.
//===----------------------------------------------------------------------===//
#include "backends/common/request/Request.h"
#include "backends/simt/codegen/Codegen.h"
#include "backends/simt/compile/Vendor.h"
#include "backends/simulate/Profiles.h"
#include "backends/simulate/amd/AmdLaneHooks.h"
#include "backends/simulate/amd/Translate.h"
#include "backends/simulate/codegen/Instrument.h"
#include "backends/simulate/driver/Driver.h"
#include "backends/simulate/hooks/SimulateHooks.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace tilewright;
using namespace tilewright::backend;
using llvm::StringRef;

namespace tilewright::simulate {

static constexpr uint32_t kCodegenFailed = 4111;

namespace {
class SimulateVendor : public simt::VendorOf<Profile, resolveProfile> {
public:
  SimulateVendor() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  }

  const char *name() const override { return "simulate"; }
  const char *title() const override {
    return "lane simulator (LLVM " LLVM_VERSION_STRING ")";
  }
  std::vector<std::string> knownTargets() const override {
    return knownProfiles();
  }
  llvm::ArrayRef<simt::VendorOption> options() const override;
  std::string tools() const override {
    return "host=" + llvm::sys::getHostCPUName().str();
  }
  void answer(const simt::VendorTarget &target, tw_capability &question,
              Interner intern) const override;
  std::unique_ptr<simt::TargetHooks>
  makeHooks(const simt::VendorTarget &target,
            const simt::CompileOptions &options) const override;
  void completeRecord(KernelRecord &, const simt::VendorTarget &,
                      const simt::CompileOptions &) const override {}
  bool generate(simt::Generation &generation) const override;
};

/// The compiler of a Vendor, with a device.
class SimulateCompiler : public simt::SimtCompiler {
public:
  using SimtCompiler::SimtCompiler;

  std::unique_ptr<tw_backend> createBackend() const override {
    return std::make_unique<Backend>();
  }
  const tw_runtime_table *runtime() const override { return &runtimeTable; }
  const tw_launch_table *launch() const override { return &launchTable; }
};
} // namespace

llvm::ArrayRef<simt::VendorOption> SimulateVendor::options() const {
  static constexpr simt::VendorOption options[] = {
      {"direct_copies", /*isText=*/false, 0, 2},
      {"drop_barrier", /*isText=*/false, 0, 1 << 20},
      {"drop_wait", /*isText=*/false, 0, 1 << 20},
      {"kpack", /*isText=*/false, 0, 8},
      {"matrix_instr_nonkdim", /*isText=*/false, 0, 32},
      {"wrong_fragment", /*isText=*/false, 0, 1}};
  return options;
}

void SimulateVendor::answer(const simt::VendorTarget &resolved,
                            tw_capability &question, Interner intern) const {
  const Profile &profile = targetOf(resolved);
  switch (question.id) {
  case TW_CAP_ARCH:
    return sayYes(question, intern(profile.arch));
  case TW_CAP_SUBGROUP_SIZE:
    return sayYes(question, profile.target.warpLanes());
  case TW_CAP_SHARED_BYTES:
    return sayYes(question, int64_t(profile.target.sharedBytes));
  case TW_CAP_MAX_THREADS:
    return sayYes(question, profile.target.maxThreads);
  case TW_CAP_ASYNC_COPY:
    return sayWhether(question, profile.hasAsyncCopies);
  default:
    return answerCommon(question);
  }
}

std::unique_ptr<simt::TargetHooks>
SimulateVendor::makeHooks(const simt::VendorTarget &target,
                          const simt::CompileOptions &options) const {
  Faults faults;
  faults.dropBarrier = unsigned(options.integers.lookup("drop_barrier"));
  faults.dropWait = unsigned(options.integers.lookup("drop_wait"));
  faults.wrongFragment = options.integers.lookup("wrong_fragment") != 0;
  const Profile &profile = targetOf(target);
  if (!profile.amd)
    return std::make_unique<SimulateHooks>(profile, faults);
  amd::HookOptions amdOptions = amd::hookOptions(*profile.amd, options);
  amdOptions.hasBFloat16Casts = false; // the host's are calls of a library
  return std::make_unique<AmdLaneHooks>(*profile.amd, amdOptions, faults);
}

static std::string hostFeatures() {
  std::string features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") +
                ((feature.second ? "+" : "-") + feature.first()).str();
  return features;
}

/// Says in the payload how many lanes a warp has.
static void addWarpLanes(llvm::Module &module, unsigned lanes) {
  auto *type = llvm::Type::getInt32Ty(module.getContext());
  new llvm::GlobalVariable(
      module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantInt::get(type, lanes), kWarpLanesSymbol);
}

/// Level 1 unless less is asked for: the emitter leaves what it wants folded,
/// and lanes run too short to pay for more.
bool SimulateVendor::generate(simt::Generation &generation) const {
  unsigned level = std::min(generation.options.optimise, 1u);
  simt::MachineNames names{llvm::sys::getProcessTriple(),
                           llvm::sys::getHostCPUName().str(), hostFeatures(),
                           /*isMovable=*/true};
  std::string why;
  auto machine = simt::createMachine(names, level, why);
  if (!machine) {
    generation.report.error(kCodegenFailed, why);
    return false;
  }
  llvm::Module &module = *generation.module;
  Artifact &artifact = generation.artifact;
  simt::setTarget(module, *machine);
  const Profile &profile = targetOf(generation.target);
  if (profile.amd && !translateAmd(module, *profile.amd, why)) {
    generation.report.error(kCodegenFailed, why);
    return false;
  }
  announceAccesses(module, profile.target);
  addWarpLanes(module, profile.target.warpLanes());
  simt::optimise(module, *machine, level);
  if (wantsStage(generation.request, "llvm"))
    artifact.stages.emplace_back("llvm", simt::printModule(module));
  if (!simt::emitCode(module, *machine, llvm::CodeGenFileType::ObjectFile,
                      artifact.payload)) {
    generation.report.error(kCodegenFailed,
                            "LLVM cannot write objects of the host");
    return false;
  }
  artifact.format = kPayloadFormat;
  artifact.compat = compatText(profile.target.warpLanes());
  return true;
}

} // namespace tilewright::simulate

const Compiler &tilewright::backend::thisCompiler() {
  static const simulate::SimulateVendor vendor;
  static const simulate::SimulateCompiler compiler(vendor);
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return answerOffer(offer, answer);
}
