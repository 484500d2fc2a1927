//===- Devices.h - This machine's devices, for a bare target ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiler needs to know of devices, without a driver in its process.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_DEVICES_H
#define TILEWRIGHT_BACKENDS_SPIRV_DEVICES_H

#include "backends/spirv/opencl/Device.h"

namespace tilewright::spirv {

/// The traits of each device, in the driver's numbering, or why there is none.
struct MachineDevices {
  std::vector<opencl::Traits> traits;
  std::string problem, hint; ///< set if there is no device
};

/// Asked once a process, in a child of it: drivers install signal handlers,
/// change the environment and keep threads.
const MachineDevices &devicesOfMachine();

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_DEVICES_H
