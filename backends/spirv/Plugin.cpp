//===- Plugin.cpp - The SPIR-V compiler as a plugin -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SPIR-V adds to the shared compiler: targets, hooks, validated modules.
//===----------------------------------------------------------------------===//
#include "backends/common/request/Request.h"
#include "backends/simt/compile/Vendor.h"
#include "backends/spirv/Target.h"
#include "backends/spirv/codegen/Codegen.h"
#include "backends/spirv/codegen/Validate.h"
#include "backends/spirv/driver/KernelABI.h"
#include "backends/spirv/hooks/SpirvHooks.h"

#include "llvm/Config/llvm-config.h"

using namespace tilewright;
using namespace tilewright::backend;
using llvm::StringRef;

namespace tilewright::spirv {

namespace {
class SpirvVendor : public simt::VendorOf<Target, resolveTarget> {
public:
  const char *name() const override { return "spirv"; }
  const char *title() const override {
    return "SPIR-V compiler for OpenCL (LLVM " LLVM_VERSION_STRING ")";
  }
  std::vector<std::string> knownTargets() const override {
    return spirv::knownTargets();
  }
  llvm::ArrayRef<simt::VendorOption> options() const override;
  std::string tools() const override {
    return "spirv-tools=" + validatorVersion();
  }
  void answer(const simt::VendorTarget &target, tw_capability &question,
              Interner intern) const override;
  std::unique_ptr<simt::TargetHooks>
  makeHooks(const simt::VendorTarget &target,
            const simt::CompileOptions &options) const override;
  void completeRecord(KernelRecord &record, const simt::VendorTarget &target,
                      const simt::CompileOptions &options) const override;
  bool generate(simt::Generation &generation) const override;
};
} // namespace

llvm::ArrayRef<simt::VendorOption> SpirvVendor::options() const {
  static constexpr simt::VendorOption options[] = {
      {"allow-unvalidated", /*isText=*/false, 0, 1},
      {"emulate-atoms", /*isText=*/false, 0, 1}};
  return options;
}

static int64_t arithmeticDtypes(const opencl::Traits &traits) {
  int64_t mask = dtypeMask(
      {TW_DTYPE_I1, TW_DTYPE_I8, TW_DTYPE_I16, TW_DTYPE_I32, TW_DTYPE_I64,
       TW_DTYPE_U8, TW_DTYPE_U16, TW_DTYPE_U32, TW_DTYPE_U64, TW_DTYPE_F32});
  if (traits.hasHalf)
    mask |= dtypeMask({TW_DTYPE_F16});
  if (traits.hasDouble)
    mask |= dtypeMask({TW_DTYPE_F64});
  return mask;
}

/// What is not answered is a device's property, or newer than this plugin.
void SpirvVendor::answer(const simt::VendorTarget &resolved,
                         tw_capability &question, Interner intern) const {
  const opencl::Traits &traits = targetOf(resolved).traits;
  switch (question.id) {
  case TW_CAP_ARCH:
    return sayYes(question, intern(traitsText(traits)));
  case TW_CAP_SUBGROUP_SIZE:
    return traits.subgroupWidth
               ? sayYes(question, int64_t(traits.subgroupWidth))
               : sayNo(question);
  case TW_CAP_SHARED_BYTES:
    return sayYes(question, int64_t(traits.localBytes));
  case TW_CAP_MAX_THREADS:
    return sayYes(question, int64_t(traits.maxThreads));
  case TW_CAP_ARITHMETIC_DTYPES:
    return sayYes(question, arithmeticDtypes(traits));
  case TW_CAP_CLUSTERS:
    return sayYes(question, 1);
  case TW_CAP_FLAT_ADDRESSES:
    return sayWhether(question, traits.hasAddresses);
  case TW_CAP_ASYNC_COPY:
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_COOPERATIVE_LAUNCH:
    return sayNo(question);
  default:
    return;
  }
}

std::unique_ptr<simt::TargetHooks>
SpirvVendor::makeHooks(const simt::VendorTarget &target,
                       const simt::CompileOptions &options) const {
  Target described = targetOf(target);
  described.emulatesAtoms = options.integers.lookup("emulate-atoms") != 0;
  return std::make_unique<SpirvHooks>(described);
}

void SpirvVendor::completeRecord(KernelRecord &record,
                                 const simt::VendorTarget &,
                                 const simt::CompileOptions &) const {
  record.addHidden(TW_PARAMETER_HIDDEN_SCRATCH, "launch_memory", 8);
}

bool SpirvVendor::generate(simt::Generation &generation) const {
  const Target &target = targetOf(generation.target);
  const simt::CompileOptions &given = generation.options;
  CodegenOptions options;
  options.optimise = given.optimise;
  options.allowUnvalidated = given.integers.lookup("allow-unvalidated") != 0;
  options.wantLLVM = wantsStage(generation.request, "llvm");
  options.texts = static_cast<SpirvHooks &>(generation.hooks).texts();
  std::optional<Generated> code =
      generateCode(*generation.module, target, options, generation.report);
  if (!code)
    return false;
  Artifact &artifact = generation.artifact;
  if (code->unvalidated)
    generation.report.remark("extensions let through unvalidated: " +
                             llvm::Twine(code->unvalidated));
  if (options.wantLLVM)
    artifact.stages.emplace_back("llvm", std::move(code->llvmText));
  if (wantsStage(generation.request, "asm"))
    artifact.stages.emplace_back(
        "asm", disassemble(code->words, target.traits.spirvVersion));
  artifact.format = target.traits.hasAddresses ? TW_SPIRV_PAYLOAD_FORMAT
                                               : TW_SPIRV_HANDLES_FORMAT;
  artifact.payload = writeWords(code->words);
  opencl::Traits needs = code->needs;
  for (const KernelRecord &record : artifact.records) {
    needs.maxThreads = std::max<uint64_t>(needs.maxThreads, record.threads);
    needs.localBytes =
        std::max<uint64_t>(needs.localBytes, record.sharedStaticBytes);
  }
  artifact.compat = traitsText(needs);
  artifact.otherTools.emplace_back("spirv-tools", validatorVersion());
  return true;
}

} // namespace tilewright::spirv

const Compiler &tilewright::backend::thisCompiler() {
  static const spirv::SpirvVendor vendor;
  static const simt::SimtCompiler compiler(vendor);
  return compiler;
}

extern "C" TW_EXPORT int32_t tw_backend_entry(const tw_host_offer *offer,
                                              tw_backend_answer *answer) {
  return answerOffer(offer, answer);
}
