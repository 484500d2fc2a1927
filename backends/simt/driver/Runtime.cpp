//===- Runtime.cpp - Devices and memory -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The RUNTIME profile: devices by ordinal, their capabilities, memory, and the
// table itself.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Driver.h"

#include <cstring>
#include <new>

namespace tilewright::gpu {

ContextScope::ContextScope(const tw_device &device) : api(*device.api) {
  api.contextGetCurrent(&previous);
  if (previous == device.context)
    return;
  api.contextSetCurrent(device.context);
  changed = true;
}

ContextScope::~ContextScope() {
  if (changed)
    api.contextSetCurrent(previous);
}

int32_t toStatus(Status status) {
  switch (status) {
  case Success:
    return TW_OK;
  case OutOfMemory:
    return TW_E_EXHAUSTED;
  case NoDevice:
    return TW_E_UNAVAILABLE;
  case NotFound:
    return TW_E_NOT_FOUND;
  default:
    return TW_E_DEVICE_ERROR;
  }
}

//===--- Devices ----------------------------------------------------------===//

static int32_t countDevices(tw_backend *, uint32_t *count) {
  std::string why;
  const Api *api = openApi(why);
  int found = 0;
  if (api && api->deviceGetCount(&found) != Success)
    found = 0;
  *count = static_cast<uint32_t>(found);
  return TW_OK;
}

static Limits readLimits(const Api &api, int handle) {
  const AttributeNumbers &number = vendor.attributes;
  auto get = [&](int attribute) {
    int value = 0;
    api.deviceGetAttribute(&value, attribute, handle);
    return value;
  };
  Limits limits;
  limits.major = get(number.major);
  limits.minor = get(number.minor);
  limits.threadsPerBlock = get(number.threadsPerBlock);
  limits.sharedBytes = get(number.sharedBytes);
  limits.grid[0] = get(number.gridX);
  limits.grid[1] = get(number.gridY);
  limits.grid[2] = get(number.gridZ);
  limits.processors = get(number.processors);
  limits.cooperative = get(number.cooperative) != 0;
  return limits;
}

/// Pinned memory in which device code reports its first failure.
static Status makeFailureRecord(tw_device &device) {
  void *memory = nullptr;
  if (Status status = device.api->memHostAlloc(
          &memory, sizeof(tw_gpu_failure), HostAllocPortable | HostAllocMapped))
    return status;
  std::memset(memory, 0, sizeof(tw_gpu_failure));
  device.failure = static_cast<tw_gpu_failure *>(memory);
  return device.api->memHostGetDevicePointer(&device.failureOnDevice, memory,
                                             0);
}

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **opened) {
  std::string why;
  const Api *api = openApi(why);
  if (!api) {
    std::string title = vendor.title;
    emitError(
        sink, 6001, "no " + title + " device: " + why,
        ("install " + title + "'s driver, or choose another target").c_str());
    return TW_E_UNAVAILABLE;
  }
  int count = 0;
  api->deviceGetCount(&count);
  if (ordinal >= static_cast<uint32_t>(count)) {
    emitError(sink, 6001,
              "expected a device below " + std::to_string(count) + ", got " +
                  vendor.name + "@" + std::to_string(ordinal),
              vendor.visibleDevices);
    return TW_E_NOT_FOUND;
  }
  auto device = std::unique_ptr<tw_device>(new (std::nothrow) tw_device{});
  if (!device)
    return TW_E_EXHAUSTED;
  device->api = api;
  device->print = backend->print;
  Status status = api->deviceGet(&device->handle, static_cast<int>(ordinal));
  if (status == Success)
    status = api->primaryContextRetain(&device->context, device->handle);
  if (status == Success) {
    device->limits = readLimits(*api, device->handle);
    device->arch = architectureOf(*api, device->handle, device->limits);
    ContextScope scope(*device);
    status = makeFailureRecord(*device);
  }
  if (status != Success) {
    emitError(sink, 6001,
              vendor.name + ("@" + std::to_string(ordinal)) +
                  " cannot be opened: " + describe(*api, status),
              "another process may hold the device exclusively");
    return TW_E_UNAVAILABLE;
  }
  *opened = device.release();
  return TW_OK;
}

static void closeDevice(tw_device *device) {
  {
    ContextScope scope(*device);
    device->prints.drain(device->print);
    device->prints.close(*device->api);
    device->api->memFreeHost(device->failure);
  }
  device->api->primaryContextRelease(device->handle);
  delete device;
}

static int32_t nameDevice(tw_device *device, tw_writer out) {
  char name[256] = {};
  device->api->deviceGetName(name, sizeof name, device->handle);
  out.write(out.ctx, name, std::strlen(name));
  return TW_OK;
}

static void answer(const tw_device &device, tw_capability &cap) {
  const Limits &limits = device.limits;
  auto say = [&](int64_t value) {
    cap.answer = value ? TW_ANSWER_YES : TW_ANSWER_NO;
    cap.value = value;
  };
  cap.text = tw_str{};
  switch (cap.id) {
  case TW_CAP_ARCH:
    cap.text = tw_str{device.arch.data(), device.arch.size()};
    cap.answer = TW_ANSWER_YES;
    cap.value = 0;
    return;
  case TW_CAP_SHARED_BYTES:
    return say(limits.sharedBytes);
  case TW_CAP_MAX_THREADS:
    return say(limits.threadsPerBlock);
  case TW_CAP_PROCESSORS:
    return say(limits.processors);
  case TW_CAP_MEMORY_BYTES: {
    size_t bytes = 0;
    device.api->deviceTotalMem(&bytes, device.handle);
    return say(static_cast<int64_t>(bytes));
  }
  case TW_CAP_VECTOR_BITS:
    return say(128);
  case TW_CAP_MAX_PROGRAMS:
    return say(0x7fffffff);
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_GRAPH_CAPTURE:
    return say(1);
  case TW_CAP_COOPERATIVE_LAUNCH:
    return say(hasCooperativeLaunch(device));
  case TW_CAP_UNIFIED_MEMORY: {
    int integrated = 0;
    device.api->deviceGetAttribute(&integrated, vendor.attributes.isIntegrated,
                                   device.handle);
    return say(integrated);
  }
  default:
    if (int64_t value = 0; answerCapability(device, cap.id, value))
      return say(value);
    cap.answer = TW_ANSWER_UNKNOWN;
    cap.value = 0;
  }
}

static int32_t getCaps(tw_device *device, tw_capability *caps, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    answer(*device, caps[i]);
  return TW_OK;
}

//===--- Memory -----------------------------------------------------------===//

/// The driver aligns to 256 bytes; for more an allocation has room in front.
static int32_t allocateMemory(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  constexpr uint64_t always = 256;
  if (alignment & (alignment - 1))
    return TW_E_INVALID_ARGUMENT;
  bytes = bytes ? bytes : 1;
  ContextScope scope(*device);
  if (alignment <= always)
    return toStatus(device->api->memAlloc(address, bytes));
  if (__builtin_add_overflow(bytes, alignment, &bytes))
    return TW_E_EXHAUSTED;
  Address base = 0;
  if (Status status = device->api->memAlloc(&base, bytes))
    return toStatus(status);
  *address = (base + alignment - 1) & ~(alignment - 1);
  std::lock_guard<std::mutex> lock(device->mutex);
  device->bases[*address] = base;
  return TW_OK;
}

static int32_t freeMemory(tw_device *device, uint64_t address) {
  {
    std::lock_guard<std::mutex> lock(device->mutex);
    auto found = device->bases.find(address);
    if (found != device->bases.end()) {
      address = found->second;
      device->bases.erase(found);
    }
  }
  ContextScope scope(*device);
  return toStatus(device->api->memFree(address));
}

/// Kernels reach imported memory over the bus: right, not fast.
static int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                            uint64_t *address) {
  if (!bytes) {
    *address = 0;
    return TW_OK;
  }
  ContextScope scope(*device);
  Status status = device->api->memHostRegister(
      host, bytes, HostRegisterPortable | HostRegisterMapped);
  if (status == Success)
    status = device->api->memHostGetDevicePointer(address, host, 0);
  return status == Success ? TW_OK : TW_E_UNIMPLEMENTED;
}

/// Device and host addresses of registered memory are equal on every system
/// with unified addressing, that is on all 64-bit ones.
static int32_t unimportMemory(tw_device *device, uint64_t address) {
  if (!address)
    return TW_OK;
  ContextScope scope(*device);
  return toStatus(
      device->api->memHostUnregister(reinterpret_cast<void *>(address)));
}

static int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                          uint64_t bytes, uint32_t kind) {
  tw_device &device = *stream->device;
  if (device.hasFailed())
    return TW_E_DEVICE_ERROR;
  if (!bytes)
    return TW_OK;
  ContextScope scope(device);
  const Api &api = *device.api;
  if (kind == TW_COPY_HOST_TO_DEVICE)
    return toStatus(api.memcpyHtoDAsync(
        to, reinterpret_cast<const void *>(from), bytes, stream->native));
  if (kind == TW_COPY_DEVICE_TO_DEVICE)
    return toStatus(api.memcpyDtoDAsync(to, from, bytes, stream->native));
  // The host may use what it reads once this returns, whatever its memory is.
  Status status = api.memcpyDtoHAsync(reinterpret_cast<void *>(to), from, bytes,
                                      stream->native);
  if (status == Success)
    status = api.streamSynchronize(stream->native);
  device.prints.drain(device.print);
  if (status == Success && device.hasFailed())
    return TW_E_DEVICE_ERROR;
  return toStatus(status);
}

static int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                          uint32_t width, uint64_t bytes) {
  const tw_device &device = *stream->device;
  if (device.hasFailed())
    return TW_E_DEVICE_ERROR;
  if ((width != 1 && width != 2 && width != 4 && width != 8) || bytes % width ||
      address % width)
    return TW_E_INVALID_ARGUMENT;
  if (!bytes)
    return TW_OK;
  ContextScope scope(device);
  const Api &api = *device.api;
  uint64_t count = bytes / width;
  if (width == 1)
    return toStatus(api.memsetD8Async(address, static_cast<uint8_t>(pattern),
                                      count, stream->native));
  if (width == 2)
    return toStatus(api.memsetD16Async(address, static_cast<uint16_t>(pattern),
                                       count, stream->native));
  if (width == 4)
    return toStatus(api.memsetD32Async(address, static_cast<uint32_t>(pattern),
                                       count, stream->native));
  return toStatus(api.memsetD64Async(address, pattern, count, stream->native));
}

const tw_runtime_table runtimeTable = {
    sizeof(tw_runtime_table),
    0,
    countDevices,
    openDevice,
    closeDevice,
    nameDevice,
    getCaps,
    allocateMemory,
    freeMemory,
    importMemory,
    unimportMemory,
    copyMemory,
    fillMemory,
    createStream,
    wrapStream,
    nativeStream,
    destroyStream,
    synchronizeStream,
    waitStream,
    createEvent,
    destroyEvent,
    recordEvent,
    synchronizeEvent,
    elapsedBetween,
    loadModule,
    unloadModule,
    gradeArtifact,
};

} // namespace tilewright::gpu
