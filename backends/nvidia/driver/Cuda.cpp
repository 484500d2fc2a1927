//===- Cuda.cpp - The CUDA driver, opened at run time -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads libcuda.so.1 and looks up every function of Cuda.def.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"

#include <dlfcn.h>

using namespace tilewright::nvidia::cuda;

namespace tilewright::gpu {

static Driver driver = {};

const Vendor vendor = {
    "nvidia",
    "NVIDIA",
    "NVIDIA driver: runs kernels through libcuda.so.1",
    "nvidia driver 0.1",
    "CUDA_VISIBLE_DEVICES hides devices from a process",
    {/*major=*/75, /*minor=*/76, /*threadsPerBlock=*/1, /*gridX=*/5,
     /*gridY=*/6, /*gridZ=*/7, /*processors=*/16, /*sharedBytes=*/97,
     /*cooperative=*/95, /*isIntegrated=*/18},
    /*launchEnd=*/nullptr,
    /*maxGridThreads=*/0,
    {{"libcuda.so.1"},
     "libcuda.so.1, the NVIDIA driver's library, cannot be opened",
     "the NVIDIA driver",
     &driver}};

std::string describe(const Api &api, Status status) {
  const char *name = nullptr;
  const char *text = nullptr;
  if (driverOf(api).getErrorName(status, &name) != Success || !name)
    return "CUDA error " + std::to_string(status);
  driverOf(api).getErrorString(status, &text);
  return std::string(name) + (text ? std::string(": ") + text : "");
}

/// Words of 8 bytes are two interleaved columns of 4.
static Status fillLongWords(Address address, uint64_t pattern, size_t count,
                            Stream stream) {
  constexpr size_t pitch = 8;
  if (Status status = driver.memsetD2D32Async(
          address, pitch, static_cast<uint32_t>(pattern), 1, count, stream))
    return status;
  return driver.memsetD2D32Async(address + 4, pitch,
                                 static_cast<uint32_t>(pattern >> 32), 1, count,
                                 stream);
}

const char *lookUp(void *library) {
  const char *missing = nullptr;
#define CUDA_OPTIONAL(member, symbol)                                          \
  driver.member =                                                              \
      reinterpret_cast<decltype(driver.member)>(dlsym(library, #symbol));
#define CUDA_FUNCTION(member, symbol)                                          \
  CUDA_OPTIONAL(member, symbol)                                                \
  if (!driver.member && !missing)                                              \
    missing = #symbol;
#include "backends/nvidia/driver/Cuda.def"
  driver.memsetD64Async = fillLongWords;
  return missing;
}

} // namespace tilewright::gpu
