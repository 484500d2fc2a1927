//===- Devices.cpp - What NVIDIA devices can do -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By compute capability.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Cuda.h"

using namespace tilewright::nvidia::cuda;

namespace tilewright::gpu {

std::string architectureOf(const Api &, int, const Limits &limits) {
  return "sm_" + std::to_string(limits.major) + std::to_string(limits.minor);
}

bool hasClusters(const tw_device &device) {
  return device.limits.major >= 9 && driverOf(*device.api).launchKernelEx;
}

bool hasCooperativeLaunch(const tw_device &device) {
  return device.limits.cooperative && driverOf(*device.api).launchKernelEx;
}

static constexpr int64_t bits(uint32_t first, uint32_t last) {
  return ((int64_t(1) << (last + 1)) - 1) & ~((int64_t(1) << first) - 1);
}

/// Element types of the matrix units, by generation.
static int64_t matrixTypes(const Limits &limits) {
  int sm = 10 * limits.major + limits.minor;
  int64_t types =
      bits(TW_DTYPE_F16, TW_DTYPE_F16) | bits(TW_DTYPE_I8, TW_DTYPE_I8);
  if (sm >= 80)
    types |= bits(TW_DTYPE_BF16, TW_DTYPE_F64);
  if (sm >= 89)
    types |= bits(TW_DTYPE_F8E4NV, TW_DTYPE_F8E5);
  return types;
}

bool answerCapability(const tw_device &device, uint32_t id, int64_t &value) {
  const Limits &limits = device.limits;
  auto say = [&](int64_t answer) {
    value = answer;
    return true;
  };
  switch (id) {
  case TW_CAP_SUBGROUP_SIZE:
    return say(32);
  case TW_CAP_STORAGE_DTYPES:
    return say(bits(TW_DTYPE_I1, TW_DTYPE_COUNT - 1));
  case TW_CAP_ARITHMETIC_DTYPES:
    return say(bits(TW_DTYPE_I1, TW_DTYPE_F16) |
               bits(TW_DTYPE_F32, TW_DTYPE_F64) |
               (limits.major >= 9 ? bits(TW_DTYPE_BF16, TW_DTYPE_BF16) : 0));
  case TW_CAP_MATRIX_DTYPES:
    return say(matrixTypes(limits));
  case TW_CAP_ATOMIC_DTYPES:
    return say(bits(TW_DTYPE_I8, TW_DTYPE_F64));
  case TW_CAP_ASYNC_COPY:
    return say(limits.major >= 8);
  case TW_CAP_TENSOR_MAP:
    return say(limits.major >= 9 && driverOf(*device.api).tensorMapEncodeTiled);
  case TW_CAP_CLUSTERS:
    return say(hasClusters(device) ? 8 : 1);
  default:
    return false;
  }
}

} // namespace tilewright::gpu
