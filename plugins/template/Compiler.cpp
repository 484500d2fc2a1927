//===- Compiler.cpp - COMPILE: tw.portable in, a library out ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the IR, writes C, has it compiled. One architecture: this machine's.
//===----------------------------------------------------------------------===//
#include "Emitter.h"
#include "Payload.h"
#include "Prelude.inc"
#include "SystemCompiler.h"
#include "TemplatePlugin.h"

#include <cctype>

namespace tilewright::template_ {

/// The option that names the C compiler, and its default: what built this.
static constexpr const char *kCompilerOption = "cc";
static constexpr const char *kDefaultCompiler = TEMPLATE_CC;

static int32_t fingerprint(tw_backend *, tw_writer out) {
  return host::keepInside([&] {
    static const std::string text = std::string(kBuildId) + " abi " +
                                    std::to_string(TEMPLATE_ABI) + " " +
                                    compilerVersion(kDefaultCompiler);
    sdk::write(out, text);
    return TW_OK;
  });
}

static int32_t resolveTarget(tw_backend *, tw_str target, const tw_sink *sink,
                             tw_writer out) {
  return sdk::resolveOnly(kVendor, kArch,
                          "there is one architecture: the machine that "
                          "compiles",
                          target, sink, out);
}

void answerCapabilities(tw_capability *caps, uint64_t count) {
  constexpr int64_t allTypes = (int64_t(1) << TW_DTYPE_F8E4B15) - 2;
  static const std::vector<sdk::Capability> table = {
      {TW_CAP_ARCH, 1, kArch},
      {TW_CAP_IR_FORMATS, 1, sdk::portableFormats()},
      {TW_CAP_SUBGROUP_SIZE},
      {TW_CAP_MAX_THREADS},
      {TW_CAP_PROCESSORS},
      {TW_CAP_FLAT_ADDRESSES},
      {TW_CAP_UNIFIED_MEMORY},
      {TW_CAP_MAX_PROGRAMS, 0x7fffffff},
      {TW_CAP_STORAGE_DTYPES, allTypes},
      {TW_CAP_ARITHMETIC_DTYPES, allTypes},
      {TW_CAP_ASYNC_COPY, 0, "", false},
      {TW_CAP_TENSOR_MAP, 0, "", false},
      {TW_CAP_GRAPH_CAPTURE, 0, "", false},
      {TW_CAP_HINTS, 0, "", false}};
  sdk::answerFrom(table, caps, count);
}

static int32_t getCaps(tw_backend *, tw_str, tw_capability *caps,
                       uint64_t count) {
  return host::keepInside([&] {
    answerCapabilities(caps, count);
    return TW_OK;
  });
}

/// A name that is one in C, too, and no other kernel's.
static std::string symbolOf(const std::string &name, size_t number) {
  std::string symbol = "kernel" + std::to_string(number) + "_";
  for (unsigned char c : name)
    symbol += std::isalnum(c) ? char(c) : '_';
  return symbol;
}

static void compileKernels(const sdk::Request &request,
                           sdk::Artifact &artifact) {
  std::string code = preludeText;
  Emitter emitter(request);
  for (const Op *kernel : request.kernels) {
    request.poll();
    sdk::KernelRecord record = sdk::readRecord(*kernel);
    record.symbol = symbolOf(record.name, artifact.kernels.size());
    code += emitter.emitKernel(*kernel, record.symbol);
    artifact.kernels.push_back(std::move(record));
  }
  if (request.wantsStage("c"))
    artifact.stages.emplace_back("c", code);
  request.poll();
  std::string compiler = request.option(kCompilerOption, kDefaultCompiler);
  artifact.payload = sealPayload(buildLibrary(compiler, code));
  artifact.format = kPayloadFormat;
  artifact.compat = compatText();
  artifact.overrides = emitter.overridesUsed;
  artifact.tools.emplace_back("cc", compiler);
}

static int32_t compile(tw_backend *, const tw_compile_request *request,
                       tw_compile_response *response) {
  return sdk::compileRequest(kVendor, {kCompilerOption}, request, response,
                             compileKernels);
}

static int32_t canCompile(tw_backend *, const tw_compile_request *request) {
  return sdk::canCompile(request, lackingOperations);
}

static int32_t listTargets(tw_backend *, tw_writer out) {
  return host::keepInside([&] {
    sdk::write(out, std::string(kArch) + "\n");
    return TW_OK;
  });
}

const tw_compile_table compileTable = {sizeof(tw_compile_table),
                                       0,
                                       fingerprint,
                                       resolveTarget,
                                       getCaps,
                                       compile,
                                       canCompile,
                                       listTargets};

} // namespace tilewright::template_
