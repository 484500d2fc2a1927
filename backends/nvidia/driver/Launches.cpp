//===- Launches.cpp - Clusters, attributes and tensor maps ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches on NVIDIA devices have that the shared path has not.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"

#include <algorithm>

using namespace tilewright::nvidia::cuda;

namespace tilewright::gpu {

static constexpr uint32_t plainSharedBytes = 48 * 1024; // without opting in

Status prepareFunction(const tw_kernel &kernel) {
  const Driver &driver = driverOf(*kernel.device->api);
  if (kernel.sharedBytes > plainSharedBytes)
    if (Status status =
            driver.functionSetAttribute(kernel.function, MaxDynamicSharedBytes,
                                        static_cast<int>(kernel.sharedBytes)))
      return status;
  if (kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2] > 8)
    if (Status status = driver.functionSetAttribute(
            kernel.function, NonPortableClusterAllowed, 1))
      return status;
  if (driver.functionLoad)
    return driver.functionLoad(kernel.function);
  int threads = 0; // asking for an attribute loads, too
  return driver.functionGetAttribute(&threads, FunctionMaxThreads,
                                     kernel.function);
}

Status launchSpecial(const tw_kernel &kernel, Stream stream,
                     const unsigned grid[3], void **extra) {
  LaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (kernel.clustered) {
    attributes[count].id = LaunchCluster;
    std::copy_n(kernel.cluster, 3, attributes[count++].value.cluster);
  }
  if (kernel.flags & TW_KERNEL_COOPERATIVE) {
    attributes[count].id = LaunchCooperative;
    attributes[count++].value.cooperative = 1;
  }
  LaunchConfig config = {};
  std::copy_n(grid, 3, config.grid);
  std::copy_n(kernel.block, 3, config.block);
  config.sharedBytes = kernel.sharedBytes;
  config.stream = stream;
  config.attributes = attributes;
  config.attributeCount = count;
  return driverOf(*kernel.device->api)
      .launchKernelEx(&config, kernel.function, nullptr, extra);
}

/// CUtensorMapDataType of an element type, -1 when there is none.
static int tensorMapType(uint32_t dtype) {
  switch (dtype) {
  case TW_DTYPE_I1:
  case TW_DTYPE_I8:
  case TW_DTYPE_U8:
    return 0;
  case TW_DTYPE_I16:
  case TW_DTYPE_U16:
    return 1;
  case TW_DTYPE_U32:
    return 2;
  case TW_DTYPE_I32:
    return 3;
  case TW_DTYPE_U64:
    return 4;
  case TW_DTYPE_I64:
    return 5;
  case TW_DTYPE_F16:
    return 6;
  case TW_DTYPE_F32:
    return 7;
  case TW_DTYPE_F64:
    return 8;
  case TW_DTYPE_BF16:
    return 9;
  default:
    return tw_dtype_bytes(dtype) == 1 ? 0 : -1;
  }
}

/// Index of a byte count in a table such as 0, 32, 64, 128.
static int rankOf(uint32_t bytes, std::initializer_list<uint32_t> table) {
  int index = 0;
  for (uint32_t entry : table) {
    if (entry == bytes)
      return index;
    ++index;
  }
  return 0;
}

int32_t encodeTensorMap(const tw_device &device,
                        const TensorMapRequest &request, void *out) {
  const Driver &driver = driverOf(*device.api);
  if (!driver.tensorMapEncodeTiled)
    return TW_E_UNIMPLEMENTED;
  const uint32_t *rest = request.rest;
  Status status = driver.tensorMapEncodeTiled(
      out, tensorMapType(request.dtype), request.rank,
      reinterpret_cast<void *>(request.address), request.sizes, request.strides,
      request.box, request.steps, rankOf(rest[1], {0, 16, 32}),
      rankOf(rest[0], {0, 32, 64, 128}), rankOf(rest[3], {0, 64, 128, 256}),
      static_cast<int>(rest[2]));
  return status == Success ? TW_OK : TW_E_INVALID_ARGUMENT;
}

} // namespace tilewright::gpu
