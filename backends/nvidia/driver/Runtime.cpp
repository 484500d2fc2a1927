//===- Runtime.cpp - Devices and memory -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The RUNTIME profile: devices by ordinal, their capabilities, memory, and the
// table itself.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/driver/Driver.h"

#include <cstring>
#include <new>

namespace tilewright::nvidia {

ContextScope::ContextScope(const tw_device &device) : driver(*device.cuda) {
  driver.contextGetCurrent(&previous);
  if (previous == device.context)
    return;
  driver.contextSetCurrent(device.context);
  changed = true;
}

ContextScope::~ContextScope() {
  if (changed)
    driver.contextSetCurrent(previous);
}

int32_t toStatus(cuda::Status status) {
  switch (status) {
  case cuda::Success:
    return TW_OK;
  case cuda::OutOfMemory:
    return TW_E_EXHAUSTED;
  case cuda::NoDevice:
    return TW_E_UNAVAILABLE;
  case cuda::NotFound:
    return TW_E_NOT_FOUND;
  default:
    return TW_E_DEVICE_ERROR;
  }
}

//===--- Devices ----------------------------------------------------------===//

static int32_t countDevices(tw_backend *, uint32_t *count) {
  std::string why;
  const cuda::Driver *driver = cuda::openDriver(why);
  int found = 0;
  if (driver && driver->deviceGetCount(&found) != cuda::Success)
    found = 0;
  *count = static_cast<uint32_t>(found);
  return TW_OK;
}

static Limits readLimits(const cuda::Driver &driver, int handle) {
  auto get = [&](int attribute) {
    int value = 0;
    driver.deviceGetAttribute(&value, attribute, handle);
    return value;
  };
  Limits limits;
  limits.major = get(cuda::ComputeCapabilityMajor);
  limits.minor = get(cuda::ComputeCapabilityMinor);
  limits.threadsPerBlock = get(cuda::MaxThreadsPerBlock);
  limits.sharedBytes = get(cuda::MaxSharedBytesOptin);
  limits.grid[0] = get(cuda::MaxGridX);
  limits.grid[1] = get(cuda::MaxGridY);
  limits.grid[2] = get(cuda::MaxGridZ);
  limits.processors = get(cuda::MultiprocessorCount);
  limits.cooperative = get(cuda::CooperativeLaunch) != 0;
  return limits;
}

std::string architectureOf(const Limits &limits) {
  return "sm_" + std::to_string(limits.major) + std::to_string(limits.minor);
}

/// Pinned memory in which device code reports its first failure.
static cuda::Status makeFailureRecord(tw_device &device) {
  void *memory = nullptr;
  if (cuda::Status status = device.cuda->memHostAlloc(
          &memory, sizeof(tw_nvidia_failure),
          cuda::HostAllocPortable | cuda::HostAllocMapped))
    return status;
  std::memset(memory, 0, sizeof(tw_nvidia_failure));
  device.failure = static_cast<tw_nvidia_failure *>(memory);
  return device.cuda->memHostGetDevicePointer(&device.failureOnDevice, memory,
                                              0);
}

static int32_t openDevice(tw_backend *, uint32_t ordinal, const tw_sink *sink,
                          tw_device **opened) {
  std::string why;
  const cuda::Driver *driver = cuda::openDriver(why);
  if (!driver) {
    emitError(sink, 6001, "no NVIDIA device: " + why,
              "install NVIDIA's driver, or choose another target");
    return TW_E_UNAVAILABLE;
  }
  int count = 0;
  driver->deviceGetCount(&count);
  if (ordinal >= static_cast<uint32_t>(count)) {
    emitError(sink, 6001,
              "expected a device below " + std::to_string(count) +
                  ", got nvidia@" + std::to_string(ordinal),
              "CUDA_VISIBLE_DEVICES hides devices from a process");
    return TW_E_NOT_FOUND;
  }
  auto device = std::unique_ptr<tw_device>(new (std::nothrow) tw_device{});
  if (!device)
    return TW_E_EXHAUSTED;
  device->cuda = driver;
  cuda::Status status =
      driver->deviceGet(&device->handle, static_cast<int>(ordinal));
  if (status == cuda::Success)
    status = driver->primaryContextRetain(&device->context, device->handle);
  if (status == cuda::Success) {
    device->limits = readLimits(*driver, device->handle);
    device->arch = architectureOf(device->limits);
    ContextScope scope(*device);
    status = makeFailureRecord(*device);
  }
  if (status != cuda::Success) {
    emitError(sink, 6001,
              "nvidia@" + std::to_string(ordinal) +
                  " cannot be opened: " + driver->describe(status),
              "another process may hold the device exclusively");
    return TW_E_UNAVAILABLE;
  }
  *opened = device.release();
  return TW_OK;
}

static void closeDevice(tw_device *device) {
  {
    ContextScope scope(*device);
    device->cuda->memFreeHost(device->failure);
  }
  device->cuda->primaryContextRelease(device->handle);
  delete device;
}

static int32_t nameDevice(tw_device *device, tw_writer out) {
  char name[256] = {};
  device->cuda->deviceGetName(name, sizeof name, device->handle);
  out.write(out.ctx, name, std::strlen(name));
  return TW_OK;
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
  case TW_CAP_SUBGROUP_SIZE:
    return say(32);
  case TW_CAP_SHARED_BYTES:
    return say(limits.sharedBytes);
  case TW_CAP_MAX_THREADS:
    return say(limits.threadsPerBlock);
  case TW_CAP_PROCESSORS:
    return say(limits.processors);
  case TW_CAP_MEMORY_BYTES: {
    size_t bytes = 0;
    device.cuda->deviceTotalMem(&bytes, device.handle);
    return say(static_cast<int64_t>(bytes));
  }
  case TW_CAP_VECTOR_BITS:
    return say(128);
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
  case TW_CAP_MAX_PROGRAMS:
    return say(0x7fffffff);
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_GRAPH_CAPTURE:
    return say(1);
  case TW_CAP_ASYNC_COPY:
    return say(limits.major >= 8);
  case TW_CAP_TENSOR_MAP:
    return say(limits.major >= 9 && device.cuda->tensorMapEncodeTiled);
  case TW_CAP_COOPERATIVE_LAUNCH:
    return say(limits.cooperative && device.cuda->launchKernelEx);
  case TW_CAP_CLUSTERS:
    return say(limits.major >= 9 && device.cuda->launchKernelEx ? 8 : 1);
  case TW_CAP_UNIFIED_MEMORY: {
    int integrated = 0;
    device.cuda->deviceGetAttribute(&integrated, cuda::IntegratedMemory,
                                    device.handle);
    return say(integrated);
  }
  default:
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

/// The driver aligns to 256 bytes; nobody has asked for more yet.
static int32_t allocateMemory(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  if ((alignment & (alignment - 1)) || alignment > 256)
    return TW_E_INVALID_ARGUMENT;
  ContextScope scope(*device);
  return toStatus(device->cuda->memAlloc(address, bytes ? bytes : 1));
}

static int32_t freeMemory(tw_device *device, uint64_t address) {
  ContextScope scope(*device);
  return toStatus(device->cuda->memFree(address));
}

/// Kernels reach imported memory over the bus: right, not fast.
static int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                            uint64_t *address) {
  if (!bytes) {
    *address = 0;
    return TW_OK;
  }
  ContextScope scope(*device);
  cuda::Status status = device->cuda->memHostRegister(
      host, bytes, cuda::HostRegisterPortable | cuda::HostRegisterMapped);
  if (status == cuda::Success)
    status = device->cuda->memHostGetDevicePointer(address, host, 0);
  return status == cuda::Success ? TW_OK : TW_E_UNIMPLEMENTED;
}

/// Device and host addresses of registered memory are equal on every system
/// with unified addressing, that is on all 64-bit ones.
static int32_t unimportMemory(tw_device *device, uint64_t address) {
  if (!address)
    return TW_OK;
  ContextScope scope(*device);
  return toStatus(
      device->cuda->memHostUnregister(reinterpret_cast<void *>(address)));
}

static int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                          uint64_t bytes, uint32_t kind) {
  const tw_device &device = *stream->device;
  if (device.hasFailed())
    return TW_E_DEVICE_ERROR;
  if (!bytes)
    return TW_OK;
  ContextScope scope(device);
  const cuda::Driver &driver = *device.cuda;
  if (kind == TW_COPY_HOST_TO_DEVICE)
    return toStatus(driver.memcpyHtoDAsync(
        to, reinterpret_cast<const void *>(from), bytes, stream->native));
  if (kind == TW_COPY_DEVICE_TO_DEVICE)
    return toStatus(driver.memcpyDtoDAsync(to, from, bytes, stream->native));
  // The host may use what it reads once this returns, whatever its memory is.
  cuda::Status status = driver.memcpyDtoHAsync(reinterpret_cast<void *>(to),
                                               from, bytes, stream->native);
  if (status == cuda::Success)
    status = driver.streamSynchronize(stream->native);
  if (status == cuda::Success && device.hasFailed())
    return TW_E_DEVICE_ERROR;
  return toStatus(status);
}

/// Words of 8 bytes are two interleaved columns of 4.
static cuda::Status fillWords(const cuda::Driver &driver, cuda::Stream stream,
                              uint64_t address, uint64_t pattern,
                              uint64_t count) {
  constexpr size_t pitch = 8;
  if (cuda::Status status = driver.memsetD2D32Async(
          address, pitch, static_cast<uint32_t>(pattern), 1, count, stream))
    return status;
  return driver.memsetD2D32Async(address + 4, pitch,
                                 static_cast<uint32_t>(pattern >> 32), 1, count,
                                 stream);
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
  const cuda::Driver &driver = *device.cuda;
  uint64_t count = bytes / width;
  if (width == 1)
    return toStatus(driver.memsetD8Async(address, static_cast<uint8_t>(pattern),
                                         count, stream->native));
  if (width == 2)
    return toStatus(driver.memsetD16Async(
        address, static_cast<uint16_t>(pattern), count, stream->native));
  if (width == 4)
    return toStatus(driver.memsetD32Async(
        address, static_cast<uint32_t>(pattern), count, stream->native));
  return toStatus(fillWords(driver, stream->native, address, pattern, count));
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

} // namespace tilewright::nvidia
