//===- Cuda.h - The CUDA driver, opened at run time -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own prototypes of the driver interface of libcuda.so.1, so that the plugin
// builds and loads on machines without CUDA. Numbers are those of NVIDIA's
// "CUDA Driver API" reference; they are part of its binary interface.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H
#define TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright::nvidia::cuda {

using Status = int;
using Address = uint64_t;
using Context = struct ContextObject *;
using Stream = struct StreamObject *;
using Event = struct EventObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;

constexpr Status Success = 0;
constexpr Status OutOfMemory = 2;
constexpr Status NoDevice = 100;
constexpr Status InvalidImage = 200;
constexpr Status NoBinaryForGpu = 209;
constexpr Status InvalidPtx = 218;
constexpr Status UnsupportedPtxVersion = 222;
constexpr Status NotFound = 500;

// Attributes of devices.
constexpr int MaxThreadsPerBlock = 1;
constexpr int MaxGridX = 5;
constexpr int MaxGridY = 6;
constexpr int MaxGridZ = 7;
constexpr int MultiprocessorCount = 16;
constexpr int IntegratedMemory = 18;
constexpr int ComputeCapabilityMajor = 75;
constexpr int ComputeCapabilityMinor = 76;
constexpr int CooperativeLaunch = 95;
constexpr int MaxSharedBytesOptin = 97;

// Attributes of functions.
constexpr int StaticSharedBytes = 1;
constexpr int FunctionMaxThreads = 0;
constexpr int MaxDynamicSharedBytes = 8;
constexpr int NonPortableClusterAllowed = 14;

// Options of module loading.
constexpr int JitInfoLog = 3;
constexpr int JitInfoLogBytes = 4;
constexpr int JitErrorLog = 5;
constexpr int JitErrorLogBytes = 6;

constexpr unsigned StreamNonBlocking = 1;
constexpr unsigned HostAllocPortable = 1;
constexpr unsigned HostAllocMapped = 2;
constexpr unsigned HostRegisterPortable = 1;
constexpr unsigned HostRegisterMapped = 2;
constexpr int CaptureModeRelaxed = 2;

/// CUlaunchAttribute: 64 bytes of value behind the id.
struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    unsigned cluster[3];
    int cooperative;
    char bytes[64];
  } value;
};
constexpr int LaunchCooperative = 2;
constexpr int LaunchCluster = 4;

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

// Words of the `extra` array of a launch with packed parameters.
inline void *const launchEnd = nullptr;
inline void *const launchBuffer = reinterpret_cast<void *>(1);
inline void *const launchBufferBytes = reinterpret_cast<void *>(2);

/// The functions of Cuda.def. One for the process, never closed.
struct Driver {
#define CUDA_FUNCTION(member, symbol, ...) Status (*member)(__VA_ARGS__);
#define CUDA_OPTIONAL(member, symbol, ...) Status (*member)(__VA_ARGS__);
#include "backends/nvidia/driver/Cuda.def"
  int version = 0; ///< 1000 * major + 10 * minor, e.g. 13000

  /// "CUDA_ERROR_X: what it means" in the driver's words.
  std::string describe(Status status) const;
};

/// Opens and initialises the driver once; nullptr when there is none, with the
/// reason in `why`. Thread-safe.
const Driver *openDriver(std::string &why);

} // namespace tilewright::nvidia::cuda

#endif // TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H
