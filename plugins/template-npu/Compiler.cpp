//===- Compiler.cpp - COMPILE: tw.portable in, code out ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that comes in several forms is compiled if one of them can be: the
// record says when that form holds, and other launches are refused.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "NpuPlugin.h"

#include <map>

namespace tilewright::npu {

static int32_t fingerprint(tw_backend *, tw_writer out) {
  return host::keepInside([&] {
    sdk::write(out, std::string(kBuildId) + " " + kCompat);
    return TW_OK;
  });
}

static int32_t resolveTarget(tw_backend *, tw_str target, const tw_sink *sink,
                             tw_writer out) {
  return host::keepInside([&]() -> int32_t {
    std::string resolved = std::string(kVendor) + ":" + kArch;
    std::string given(target.data, target.size);
    if (given != kVendor && given != resolved) {
      std::string message =
          "expected target npu or npu:v1, got '" + given + "'";
      tw_emit(sink, TW_SEVERITY_ERROR, 4001, message.c_str(),
              "there is one version of the machine");
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
  auto bit = [](uint32_t dtype) { return int64_t(1) << dtype; };
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
    case TW_CAP_ASYNC_COPY:
      break;
    case TW_CAP_SHARED_BYTES:
      cap.value = kScratchBytes;
      break;
    case TW_CAP_VECTOR_BITS:
      cap.value = kLanes * 32;
      break;
    case TW_CAP_MAX_PROGRAMS:
      cap.value = 0x7fffffff;
      break;
    case TW_CAP_STORAGE_DTYPES:
    case TW_CAP_ARITHMETIC_DTYPES:
      cap.value = 0;
      for (uint32_t dtype = 1; dtype < TW_DTYPE_COUNT; ++dtype)
        cap.value |= hasType(dtype) ? bit(dtype) : 0;
      break;
    case TW_CAP_MATRIX_DTYPES:
      cap.value = bit(TW_DTYPE_F16) | bit(TW_DTYPE_BF16);
      break;
    case TW_CAP_ATOMIC_DTYPES:
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

static void compileKernels(const sdk::Request &request,
                           sdk::Artifact &artifact) {
  std::string report = request.option("report", "none");
  if (report != "none" && report != "cycles")
    throw sdk::Refusal{TW_E_DIAGNOSED,
                       4106,
                       "expected none or cycles for option 'report', got '" +
                           report + "'",
                       "report=cycles prints a line a launch",
                       nullptr,
                       {}};
  std::vector<Program> programs;
  std::map<std::string, sdk::Refusal> refused; // by kernel, the first form's
  for (const Op *kernel : request.kernels) {
    request.poll();
    sdk::KernelRecord record = sdk::readRecord(*kernel);
    record.symbol = kernel->text(TW_PORTABLE_ATTR_NAME);
    try {
      Program program =
          Lowering(*request.module).lowerKernel(*kernel, record.symbol);
      program.reportsCycles = report == "cycles";
      record.sharedBytes = program.scratchBytes;
      programs.push_back(std::move(program));
      artifact.kernels.push_back(std::move(record));
    } catch (const sdk::Refusal &refusal) {
      refused.emplace(record.name, refusal);
    }
  }
  for (const sdk::KernelRecord &record : artifact.kernels)
    refused.erase(record.name);
  if (!refused.empty())
    throw refused.begin()->second;
  if (request.wantsStage("asm")) {
    std::string text;
    for (const Program &program : programs)
      text += disassemble(program);
    artifact.stages.emplace_back("asm", text);
  }
  artifact.format = kPayloadFormat;
  artifact.compat = kCompat;
  artifact.payload = writePayload(programs);
}

static int32_t compile(tw_backend *, const tw_compile_request *request,
                       tw_compile_response *response) {
  return sdk::compileRequest(kVendor, {"report"}, request, response,
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

} // namespace tilewright::npu
