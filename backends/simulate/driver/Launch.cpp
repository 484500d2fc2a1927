//===- Launch.cpp - Prepare and launch --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs run one after the other in linear-id order, x fastest, each by all
// of its lanes.
//===----------------------------------------------------------------------===//
#include "backends/common/Report.h"
#include "backends/simulate/driver/Driver.h"

#include <cstring>

namespace tilewright::simulate {

using backend::toRef;

static constexpr uint32_t kCannotPrepare = 6020;

static int32_t prepare(tw_module *module, const tw_kernel_record *given,
                       const tw_sink *sink, tw_kernel **kernel) {
  return keepInside([&]() -> int32_t {
    tw_kernel_record record;
    if (int32_t status = tw_read_struct(&record, sizeof record, given))
      return status;
    std::string symbol =
        toRef(record.symbol.size ? record.symbol : record.name).str();
    auto refuse = [&](const std::string &why) {
      tw_emit(sink, TW_SEVERITY_ERROR, kCannotPrepare,
              ("kernel '" + symbol + "' " + why).c_str(),
              "compile the kernel again with this version's simulator");
      return TW_E_DIAGNOSED;
    };
    std::string why;
    auto function =
        reinterpret_cast<KernelFunction>(findSymbol(*module, symbol, why));
    auto *lanes = static_cast<const uint32_t *>(
        findSymbol(*module, kWarpLanesSymbol, why));
    if (!function || !lanes)
      return refuse("is not in the payload: " + why);
    if (record.device_block_bytes != record.user_block_bytes ||
        record.derived_count || record.scratch_bytes ||
        record.scratch_formula.size)
      return refuse("has parameters that the simulator does not make");
    if (record.flags & TW_KERNEL_COOPERATIVE)
      return refuse("needs all programs to run at once");
    if (!record.block_size[0] || record.block_size[0] % *lanes)
      return refuse("has threads that fill no warps");
    *kernel =
        new tw_kernel{function, record.user_block_bytes, record.block_size[0],
                      *lanes, record.shared_static_bytes};
    return TW_OK;
  });
}

static void destroyKernel(tw_kernel *kernel) { delete kernel; }

static simulate::Launch describe(Stream &stream, const tw_kernel &kernel,
                                 const tw_dims &dims, const void *arguments) {
  simulate::Launch launch;
  launch.kernel = kernel.function;
  launch.arguments = arguments;
  launch.programs[0] = uint32_t(dims.x);
  launch.programs[1] = uint32_t(dims.y);
  launch.programs[2] = uint32_t(dims.z);
  launch.threads = kernel.threads;
  launch.warpLanes = kernel.warpLanes;
  launch.sharedBytes = kernel.sharedBytes;
  launch.fail = [&stream](uint32_t code, const char *message, const char *file,
                          uint32_t line) {
    stream.error.set(code, message, file, line);
  };
  if (const tw_print_interface *printer = stream.backend->printer)
    launch.print = [printer](const char *text, uint64_t bytes) {
      printer->write(printer->ctx, text, bytes);
    };
  return launch;
}

/// The first program that a finding ended ends the launch, as does a failed
/// check of the kernel's own.
static void runPrograms(Stream &stream, const simulate::Launch &launch) {
  Block &block = stream.backend->block;
  for (uint32_t z = 0; z < launch.programs[2]; ++z)
    for (uint32_t y = 0; y < launch.programs[1]; ++y)
      for (uint32_t x = 0; x < launch.programs[0]; ++x)
        if (!block.run(launch, {x, y, z}) || stream.error.isSet())
          return;
}

/// Code of AMD's reads 16 bytes of them where a lane is masked off.
static const void *copyArguments(Backend &backend, const void *args,
                                 uint32_t bytes) {
  constexpr uint32_t unit = sizeof(std::max_align_t);
  backend.arguments.resize(bytes / unit + 2);
  if (bytes)
    std::memcpy(backend.arguments.data(), args, bytes);
  return backend.arguments.data();
}

static int32_t launch(tw_stream *given, tw_kernel *kernel, const tw_dims *dims,
                      const void *args, uint32_t argsSize, const void *ext) {
  return keepInside([&]() -> int32_t {
    auto &stream = *static_cast<Stream *>(given);
    std::lock_guard<std::mutex> lock(stream.backend->running);
    if (int32_t status = host::checkLaunch(&stream, kernel->blockBytes, *dims,
                                           argsSize, ext))
      return status;
    const void *copy = copyArguments(*stream.backend, args, argsSize);
    runPrograms(stream, describe(stream, *kernel, *dims, copy));
    return TW_OK;
  });
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

} // namespace tilewright::simulate
