//===- Launch.cpp - Modules, and LAUNCH -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs run one after the other on the stream's core, so a launch has ended
// when it returns.
//===----------------------------------------------------------------------===//
#include "NpuPlugin.h"

#include <cstdio>

using namespace tilewright;
using npu::Stream;

struct tw_module {
  std::vector<npu::Program> programs;
};

struct tw_kernel {
  const npu::Program *program;
  std::string name;
  uint32_t blockBytes;
};

namespace tilewright::npu {

static int32_t refuse(const tw_sink *sink, uint32_t code,
                      const std::string &message) {
  tw_emit(sink, TW_SEVERITY_ERROR, code, message.c_str(),
          "compile the kernel again for target npu");
  return TW_E_DIAGNOSED;
}

int32_t gradeArtifact(tw_device *, tw_str format, tw_str compat,
                      uint32_t *grade) {
  bool runs = tw_str_equal(format, tw_string(kPayloadFormat)) &&
              tw_str_equal(compat, tw_string(kCompat));
  *grade = runs ? TW_GRADE_OPTIMAL : TW_GRADE_UNUSABLE;
  return TW_OK;
}

int32_t loadModule(tw_device *, tw_str format, tw_bytes payload,
                   const tw_sink *sink, tw_module **module) {
  return host::keepInside([&]() -> int32_t {
    if (!tw_str_equal(format, tw_string(kPayloadFormat)))
      return refuse(sink, 6011, "expected a payload of format npu-code");
    auto loaded = std::make_unique<tw_module>();
    if (!readPayload(payload, loaded->programs))
      return refuse(sink, 6015, "the payload is damaged");
    *module = loaded.release();
    return TW_OK;
  });
}

void unloadModule(tw_module *module) { delete module; }

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  return host::keepInside([&]() -> int32_t {
    tw_kernel_record record;
    if (int32_t status = tw_read_struct(&record, sizeof record, given))
      return status;
    tw_str text = record.symbol.size ? record.symbol : record.name;
    std::string symbol(text.data, text.size);
    for (const Program &program : module->programs) {
      if (program.symbol != symbol)
        continue;
      if (program.registers > kRegisterCount)
        return refuse(sink, 6020, "'" + symbol + "' has too many registers");
      *kernel = new tw_kernel{&program,
                              std::string(record.name.data, record.name.size),
                              record.user_block_bytes};
      return TW_OK;
    }
    return refuse(sink, 6020, "the payload has no kernel '" + symbol + "'");
  });
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

/// `npu name: programs, cycles (of each unit)`, on request.
static void reportCycles(const Stream &stream, const tw_kernel &kernel,
                         int64_t programs) {
  if (!kernel.program->reportsCycles || !stream.printer)
    return;
  char line[512];
  const Cycles &spent = stream.last;
  int size = std::snprintf(
      line, sizeof line,
      "npu %s: %lld programs, %llu cycles (scalar %llu, vector %llu, matrix "
      "%llu, dma %llu)\n",
      kernel.name.c_str(), (long long)programs, (unsigned long long)spent.total,
      (unsigned long long)spent.scalar, (unsigned long long)spent.vector,
      (unsigned long long)spent.matrix, (unsigned long long)spent.dma);
  stream.printer->write(stream.printer->ctx, line,
                        std::min<uint64_t>(size, sizeof line - 1));
}

/// Runs all programs, x fastest; the first one that fails stops the launch.
static void runPrograms(Stream &stream, const tw_kernel &kernel,
                        const tw_dims &dims, const void *args) {
  Simulator::Launch launch = {args, {dims.x, dims.y, dims.z}, {}};
  stream.core.cycles = {};
  for (int64_t z = 0; z < dims.z; ++z)
    for (int64_t y = 0; y < dims.y; ++y)
      for (int64_t x = 0; x < dims.x; ++x) {
        launch.program[0] = x;
        launch.program[1] = y;
        launch.program[2] = z;
        uint32_t number = stream.core.run(*kernel.program, launch);
        if (number == Simulator::kFault) {
          stream.error.set(6012, stream.core.fault, "", 0);
          return;
        }
        if (number) {
          const Failure &why = kernel.program->failures[number - 1];
          stream.error.set(why.code, why.message.c_str(), why.file.c_str(),
                           why.line);
          return;
        }
      }
}

static int32_t launch(tw_stream *given, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  if (int32_t status =
          host::checkLaunch(given, kernel->blockBytes, *dims, argsSize, ext))
    return status;
  auto &stream = *static_cast<Stream *>(given);
  runPrograms(stream, *kernel, *dims, args);
  stream.last = stream.core.cycles;
  reportCycles(stream, *kernel, host::countPrograms(*dims));
  return TW_OK;
}

static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *, const void *args,
                          uint32_t argsSize, void *device, uint32_t capacity,
                          uint32_t *written) {
  return host::encodeBlock(args, argsSize, kernel->blockBytes, device, capacity,
                           written);
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),  0, prepare, destroyKernel, launch, encodeArgs,
    /*kernel_native=*/nullptr};

static int32_t lastLaunch(tw_stream *stream, npu_cycles *out) {
  const Cycles &spent = static_cast<Stream *>(stream)->last;
  *out = {spent.total, spent.scalar, spent.vector, spent.matrix, spent.dma};
  return TW_OK;
}

const npu_cycles_interface cyclesInterface = {sizeof(npu_cycles_interface), 0,
                                              lastLaunch};

} // namespace tilewright::npu
