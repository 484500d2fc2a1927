//===- Device.h - The OpenCL devices of this machine ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Discovery over all platforms, shared by the compiler (a bare target means the
// attached device) and the driver.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_OPENCL_DEVICE_H
#define TILEWRIGHT_BACKENDS_SPIRV_OPENCL_DEVICE_H

#include "backends/spirv/opencl/Api.h"
#include "backends/spirv/opencl/Traits.h"

namespace tilewright::opencl {

/// One device that can run SPIR-V, directly or translated.
struct Device {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  std::string platformName;
  std::string name;
  std::string ilVersions; ///< CL_DEVICE_IL_VERSION; empty: takes no SPIR-V
  bool takesSpir = false; ///< takes the older SPIR as a binary
  bool sharesHostMemory = false; ///< any host address may be used
  bool hasFineBuffers = false;   ///< the host may read shared buffers directly
  std::vector<uint64_t> subgroupWidths;
  Traits traits; ///< all that it has; `subgroupWidth` is the preferred one

  bool takesIL() const { return !ilVersions.empty(); }
  /// The first trait that code needs and this device lacks, or "".
  std::string missing(const Traits &needed) const;
};

/// Devices in the order of their numbers: those that take SPIR-V come first.
struct Discovery {
  std::vector<Device> devices;
  std::string problem; ///< why there is none; empty otherwise
  std::string hint;    ///< what to install
};

/// Asks the loader. Slow the first time: drivers start.
Discovery discoverDevices();

} // namespace tilewright::opencl

#endif // TILEWRIGHT_BACKENDS_SPIRV_OPENCL_DEVICE_H
