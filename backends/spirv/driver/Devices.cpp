//===- Devices.cpp - Devices and what they can do ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device is a context of its own; its number is its place in the discovery.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"
#include "backends/spirv/opencl/SignalHandlers.h"

namespace tilewright::spirv {

static constexpr uint32_t kNoDevice = 6001;

int32_t countDevices(tw_backend *backend, uint32_t *count) {
  return keepInside([&] {
    *count = static_cast<uint32_t>(backend->devices().devices.size());
    return TW_OK;
  });
}

int32_t openDevice(tw_backend *backend, uint32_t ordinal, const tw_sink *sink,
                   tw_device **device) {
  return keepInside([&]() -> int32_t {
    const opencl::Discovery &found = backend->devices();
    if (found.devices.empty()) {
      refuse(sink, kNoDevice, found.problem, found.hint);
      return TW_E_UNAVAILABLE;
    }
    if (ordinal >= found.devices.size()) {
      refuse(sink, kNoDevice,
             "expected device 0 to " +
                 std::to_string(found.devices.size() - 1) + ", got spirv@" +
                 std::to_string(ordinal),
             "`tilewright targets` lists the devices");
      return TW_E_NOT_FOUND;
    }
    std::string why;
    opencl::KeepSignalHandlers keep;
    auto created = std::make_unique<tw_device>();
    created->backend = backend;
    created->info = &found.devices[ordinal];
    created->api = opencl::openApi(why);
    cl_int status = CL_SUCCESS;
    cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM,
        reinterpret_cast<cl_context_properties>(created->info->platform), 0};
    created->context = created->api->clCreateContext(
        properties, 1, &created->info->id, nullptr, nullptr, &status);
    if (status != CL_SUCCESS) {
      refuse(sink, kNoDevice,
             "the driver makes no context for '" + created->info->name +
                 "': " + opencl::statusName(status),
             "see whether `clinfo` can use the device");
      return TW_E_UNAVAILABLE;
    }
    *device = created.release();
    return TW_OK;
  });
}

void closeDevice(tw_device *device) {
  device->api->clReleaseContext(device->context);
  delete device;
}

int32_t nameDevice(tw_device *device, tw_writer out) {
  return keepInside([&] {
    const opencl::Device &info = *device->info;
    std::string name =
        info.name + ", " + info.platformName + ", " +
        (info.takesIL() ? info.ilVersions : std::string("SPIR 1.2"));
    out.write(out.ctx, name.data(), name.size());
    return TW_OK;
  });
}

static constexpr int64_t bits(uint32_t first, uint32_t last) {
  return ((int64_t(1) << (last + 1)) - 1) & ~((int64_t(1) << first) - 1);
}

static int64_t arithmeticDtypes(const opencl::Traits &traits) {
  int64_t mask =
      bits(TW_DTYPE_I1, TW_DTYPE_U64) | bits(TW_DTYPE_F32, TW_DTYPE_F32);
  if (traits.hasHalf)
    mask |= bits(TW_DTYPE_F16, TW_DTYPE_F16);
  if (traits.hasDouble)
    mask |= bits(TW_DTYPE_F64, TW_DTYPE_F64);
  return mask;
}

template <typename T>
static int64_t ask(const tw_device &device, cl_device_info what) {
  T value = 0;
  device.api->clGetDeviceInfo(device.info->id, what, sizeof value, &value,
                              nullptr);
  return static_cast<int64_t>(value);
}

/// The number that answers a question, or nothing for "no" and "unknown".
static bool answerNumber(const tw_device &device, uint32_t id, int64_t &value) {
  const opencl::Traits &traits = device.info->traits;
  switch (id) {
  case TW_CAP_SUBGROUP_SIZE:
    value = static_cast<int64_t>(traits.subgroupWidth);
    return value != 0;
  case TW_CAP_SHARED_BYTES:
    value = static_cast<int64_t>(traits.localBytes);
    return true;
  case TW_CAP_MAX_THREADS:
    value = static_cast<int64_t>(traits.maxThreads);
    return true;
  case TW_CAP_PROCESSORS:
    value = ask<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    return true;
  case TW_CAP_MEMORY_BYTES:
    value = ask<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    return true;
  case TW_CAP_STORAGE_DTYPES:
    value = bits(TW_DTYPE_I1, TW_DTYPE_COUNT - 1);
    return true;
  case TW_CAP_ARITHMETIC_DTYPES:
    value = arithmeticDtypes(traits);
    return true;
  case TW_CAP_FLAT_ADDRESSES:
    value = traits.hasAddresses;
    return value != 0;
  case TW_CAP_UNIFIED_MEMORY:
    value = device.info->sharesHostMemory;
    return value != 0;
  case TW_CAP_CLUSTERS:
    value = 1;
    return true;
  case TW_CAP_MAX_PROGRAMS:
    value = 0x7fffffff;
    return true;
  default:
    return false;
  }
}

static void answer(const tw_device &device, tw_capability &cap) {
  cap.value = 0;
  cap.text = tw_str{};
  cap.answer = TW_ANSWER_YES;
  if (cap.id == TW_CAP_ARCH)
    cap.text = tw_str{device.info->name.data(), device.info->name.size()};
  else if (!answerNumber(device, cap.id, cap.value))
    cap.answer =
        cap.id <= TW_CAP_MAX_PROGRAMS ? TW_ANSWER_NO : TW_ANSWER_UNKNOWN;
}

int32_t getCaps(tw_device *device, tw_capability *caps, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    answer(*device, caps[i]);
  return TW_OK;
}

} // namespace tilewright::spirv
