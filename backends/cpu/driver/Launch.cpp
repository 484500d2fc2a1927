//===- Launch.cpp - Prepare and launch --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of one program, or with one thread, is a plain call on the caller's
// thread: no lock, no allocation once the stream's scratch has grown.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/Driver.h"

#include <cstring>
#include <dlfcn.h>
#include <new>

namespace tilewright::cpu {

static constexpr uint64_t maxScratchAlignment = 4096;

static int32_t refuse(const tw_sink *sink, const std::string &what,
                      const char *hint) {
  emitError(sink, 6020, what, hint);
  return TW_E_DIAGNOSED;
}

/// Refuses what this device does not have.
static int32_t checkRecord(const tw_kernel_record &record,
                           const std::string &name, const tw_sink *sink) {
  if (record.flags & TW_KERNEL_COOPERATIVE)
    return refuse(sink,
                  "kernel '" + name +
                      "' needs all programs to run at once, which a CPU cannot "
                      "promise",
                  "let programs wait only for programs with lower ids");
  if (record.device_block_bytes != record.user_block_bytes ||
      record.derived_count || record.scratch_formula.size)
    return refuse(sink,
                  "kernel '" + name +
                      "' has derived parameters, which the CPU driver does not "
                      "make",
                  "compile it with this version's CPU plugin");
  for (uint64_t i = 0; i < record.parameter_count; ++i)
    if (record.parameters[i].kind > TW_PARAMETER_USER_POINTER)
      return refuse(sink, "kernel '" + name + "' has hidden parameters",
                    "compile it with this version's CPU plugin");
  if (record.scratch_alignment > maxScratchAlignment)
    return refuse(sink,
                  "kernel '" + name + "' wants scratch alignment " +
                      std::to_string(record.scratch_alignment),
                  "4096 is the largest");
  return TW_OK;
}

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  tw_kernel_record record;
  if (int32_t status = tw_read_struct(&record, sizeof record, given))
    return status;
  tw_str text = record.symbol.size ? record.symbol : record.name;
  std::string symbol(text.data, text.size);
  if (int32_t status = checkRecord(record, symbol, sink))
    return status;
  void *function = dlsym(module->library, symbol.c_str());
  if (!function)
    return refuse(sink, "the payload has no function '" + symbol + "'",
                  "compile the kernel again");
  uint64_t alignment = record.scratch_alignment;
  *kernel = new (std::nothrow) tw_kernel{
      reinterpret_cast<tw_cpu_kernel_fn>(function), record.user_block_bytes,
      record.flags, record.scratch_bytes, alignment < 64 ? 64 : alignment};
  return *kernel ? TW_OK : TW_E_EXHAUSTED;
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

namespace {
/// What the programs of one launch share.
struct Launch {
  Stream *stream;
  const tw_kernel *kernel;
  const void *args;
  tw_cpu_grid grid;
  void *sharedScratch; // with TW_KERNEL_SCRATCH_LAUNCH
};
} // namespace

static void callKernel(const Launch &launch, int64_t begin, int64_t end,
                       void *scratch) {
  const tw_kernel &kernel = *launch.kernel;
  if (!(kernel.flags & TW_KERNEL_SCRATCH_ZEROED) || launch.sharedScratch)
    return kernel.function(launch.args, &launch.grid, begin, end, scratch);
  for (int64_t id = begin; id < end; ++id) {
    std::memset(scratch, 0, kernel.scratchBytes);
    kernel.function(launch.args, &launch.grid, id, id + 1, scratch);
  }
}

static bool runChunk(const Job &job, int64_t begin, int64_t end,
                     void *scratch) {
  const Launch &launch = *static_cast<const Launch *>(job.context);
  callKernel(launch, begin, end,
             launch.sharedScratch ? launch.sharedScratch : scratch);
  return !launch.stream->error.isSet();
}

static int32_t launch(tw_stream *given, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  auto *stream = static_cast<Stream *>(given);
  if (int32_t status =
          host::checkLaunch(stream, kernel->blockBytes, *dims, argsSize, ext))
    return status;
  int64_t total = host::countPrograms(*dims);
  if (total == 0)
    return TW_OK;
  void *scratch = nullptr;
  if (kernel->scratchBytes) {
    scratch =
        stream->scratch.get(kernel->scratchBytes, kernel->scratchAlignment);
    if (!scratch)
      return TW_E_EXHAUSTED;
  }
  Launch shared = {stream,
                   kernel,
                   args,
                   {{dims->x, dims->y, dims->z}, &stream->services},
                   nullptr};
  if (scratch && (kernel->flags & TW_KERNEL_SCRATCH_LAUNCH)) {
    shared.sharedScratch = scratch;
    if (kernel->flags & TW_KERNEL_SCRATCH_ZEROED)
      std::memset(scratch, 0, kernel->scratchBytes);
  }
  ThreadPool &pool = stream->backend->pool;
  if (total == 1 || pool.size() == 1) {
    callKernel(shared, 0, total, scratch);
    return TW_OK;
  }
  Job job;
  job.run = runChunk;
  job.context = &shared;
  job.total = total;
  job.scratchBytes = shared.sharedScratch ? 0 : kernel->scratchBytes;
  job.scratchAlignment = kernel->scratchAlignment;
  pool.run(job, scratch);
  return TW_OK;
}

/// There is one block: the kernel reads the user's.
static int32_t encodeArgs(tw_kernel *kernel, const tw_dims *, const void *args,
                          uint32_t argsSize, void *device, uint32_t capacity,
                          uint32_t *written) {
  return host::encodeBlock(args, argsSize, kernel->blockBytes, device, capacity,
                           written);
}

static int32_t nativeKernel(tw_kernel *kernel, uint64_t *native) {
  *native = reinterpret_cast<uintptr_t>(kernel->function);
  return TW_OK;
}

const tw_launch_table launchTable = {
    sizeof(tw_launch_table),
    0,
    prepare,
    destroyKernel,
    launch,
    encodeArgs,
    nativeKernel,
};

} // namespace tilewright::cpu
