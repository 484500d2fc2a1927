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
  return host::keepInside([&]() -> int32_t {
    std::string resolved = std::string(kVendor) + ":" + kArch;
    std::string given(target.data, target.size);
    if (given != kVendor && given != resolved) {
      std::string message = "expected target " + std::string(kVendor) + " or " +
                            resolved + ", got '" + given + "'";
      tw_emit(sink, TW_SEVERITY_ERROR, 4001, message.c_str(),
              "there is one architecture: the machine that compiles");
      return TW_E_DIAGNOSED;
    }
    sdk::write(out, resolved);
    return TW_OK;
  });
}

void answerCapabilities(tw_capability *caps, uint64_t count) {
  static const std::string formats =
      "tw.portable:" + std::to_string(TW_PORTABLE_OLDEST) + "-" +
      std::to_string(TW_PORTABLE_NEWEST);
  for (uint64_t i = 0; i < count; ++i) {
    tw_capability &cap = caps[i];
    cap.answer = TW_ANSWER_YES;
    cap.value = 1;
    cap.text = {};
    switch (cap.id) {
    case TW_CAP_ARCH:
      cap.text = tw_string(kArch);
      break;
    case TW_CAP_IR_FORMATS:
      cap.text = {formats.data(), formats.size()};
      break;
    case TW_CAP_SUBGROUP_SIZE:
    case TW_CAP_MAX_THREADS:
    case TW_CAP_PROCESSORS:
    case TW_CAP_FLAT_ADDRESSES:
    case TW_CAP_UNIFIED_MEMORY:
      break;
    case TW_CAP_MAX_PROGRAMS:
      cap.value = 0x7fffffff;
      break;
    case TW_CAP_STORAGE_DTYPES:
    case TW_CAP_ARITHMETIC_DTYPES:
      cap.value = (int64_t(1) << TW_DTYPE_F8E4B15) - 2;
      break;
    case TW_CAP_ASYNC_COPY:
    case TW_CAP_TENSOR_MAP:
    case TW_CAP_GRAPH_CAPTURE:
    case TW_CAP_HINTS:
      cap.answer = TW_ANSWER_NO;
      cap.value = 0;
      break;
    default:
      cap.answer = TW_ANSWER_UNKNOWN;
      cap.value = 0;
    }
  }
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
  return host::keepInside([&] {
    std::vector<uint32_t> lacking;
    for (const Lacking &row : lackingOperations)
      lacking.push_back(row.op);
    return sdk::canCompile(request, lacking);
  });
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
