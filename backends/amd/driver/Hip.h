//===- Hip.h - HIP's runtime, opened at run time ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own prototypes of libamdhip64.so, so that the plugin builds and loads on
// machines without ROCm and with any of its versions 5 to 7. Numbers are those
// of AMD's "HIP API" reference; they are part of its binary interface.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_DRIVER_HIP_H
#define TILEWRIGHT_BACKENDS_AMD_DRIVER_HIP_H

#include "backends/simt/driver/Driver.h"

namespace tilewright::amd::hip {

using namespace gpu;

/// The functions of Hip.def. Properties are a struct that versions lay out
/// their own way, see Devices.cpp.
struct Driver : Api {
  const char *(*getErrorName)(Status);
  const char *(*getErrorString)(Status);
  Status (*getDevice)(int *);
  Status (*setDevice)(int);
  Status (*moduleLoadData)(Module *, const void *);
  Status (*getProperties6)(void *, int);
  Status (*getProperties)(void *, int);
};

/// The table behind a device's `api`.
inline const Driver &driverOf(const Api &api) {
  return static_cast<const Driver &>(api);
}

} // namespace tilewright::amd::hip

#endif // TILEWRIGHT_BACKENDS_AMD_DRIVER_HIP_H
