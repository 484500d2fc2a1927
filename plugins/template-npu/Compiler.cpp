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
  return sdk::resolveOnly(kVendor, kArch, "there is one version of the machine",
                          target, sink, out);
}

static constexpr int64_t bit(uint32_t dtype) { return int64_t(1) << dtype; }

void answerCapabilities(tw_capability *caps, uint64_t count) {
  static const int64_t types = [] {
    int64_t mask = 0;
    for (uint32_t dtype = 1; dtype < TW_DTYPE_COUNT; ++dtype)
      mask |= hasType(dtype) ? bit(dtype) : 0;
    return mask;
  }();
  static const std::vector<sdk::Capability> table = {
      {TW_CAP_ARCH, 1, kArch},
      {TW_CAP_IR_FORMATS, 1, sdk::portableFormats()},
      {TW_CAP_SUBGROUP_SIZE},
      {TW_CAP_MAX_THREADS},
      {TW_CAP_PROCESSORS},
      {TW_CAP_FLAT_ADDRESSES},
      {TW_CAP_UNIFIED_MEMORY},
      {TW_CAP_ASYNC_COPY},
      {TW_CAP_SHARED_BYTES, kScratchBytes},
      {TW_CAP_VECTOR_BITS, kLanes * 32},
      {TW_CAP_MAX_PROGRAMS, 0x7fffffff},
      {TW_CAP_STORAGE_DTYPES, types},
      {TW_CAP_ARITHMETIC_DTYPES, types},
      {TW_CAP_MATRIX_DTYPES, bit(TW_DTYPE_F16) | bit(TW_DTYPE_BF16)},
      {TW_CAP_ATOMIC_DTYPES, 0, "", false},
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

} // namespace tilewright::npu
