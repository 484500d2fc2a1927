//===- Cuda.h - The CUDA driver, opened at run time -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own prototypes of the driver interface of libcuda.so.1, so that the plugin
// builds and loads on machines without CUDA. Numbers are those of NVIDIA's
// "CUDA Driver API" reference; they are part of its binary interface. What HIP
// has as well is in backends/simt/driver.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H
#define TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H

#include "backends/simt/driver/Driver.h"

namespace tilewright::nvidia::cuda {

using namespace gpu;

constexpr Status UnsupportedPtxVersion = 222;

// Attributes of functions.
constexpr int MaxDynamicSharedBytes = 8;
constexpr int NonPortableClusterAllowed = 14;

// Options of module loading.
constexpr int JitErrorLog = 5;
constexpr int JitErrorLogBytes = 6;

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

/// The functions of Cuda.def.
struct Driver : Api {
  Status (*getErrorName)(Status, const char **);
  Status (*getErrorString)(Status, const char **);
  Status (*memsetD2D32Async)(Address, size_t, unsigned, size_t, size_t, Stream);
  Status (*moduleLoadDataEx)(Module *, const void *, unsigned, int *, void **);
  Status (*functionSetAttribute)(Function, int, int);
  Status (*launchKernelEx)(const LaunchConfig *, Function, void **, void **);
  Status (*functionLoad)(Function);
  Status (*tensorMapEncodeTiled)(void *, int, unsigned, void *,
                                 const uint64_t *, const uint64_t *,
                                 const uint32_t *, const uint32_t *, int, int,
                                 int, int);
};

/// The table behind a device's `api`.
inline const Driver &driverOf(const Api &api) {
  return static_cast<const Driver &>(api);
}

} // namespace tilewright::nvidia::cuda

#endif // TILEWRIGHT_BACKENDS_NVIDIA_DRIVER_CUDA_H
