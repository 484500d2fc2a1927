//===- Memory.cpp - Device memory -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers have addresses where the device has shared virtual memory (or shares
// the host's), else they are handles behind the memory map.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/Driver.h"

#include <algorithm>
#include <cstdlib>

namespace tilewright::spirv {

static constexpr uint64_t kMinAlignment = 64, kMaxSharedAlignment = 128;

static int32_t allocateHost(tw_device *device, uint64_t bytes,
                            uint64_t alignment, uint64_t *address) {
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, std::max<uint64_t>(bytes, 1)))
    return TW_E_EXHAUSTED;
  *address = reinterpret_cast<uintptr_t>(memory);
  device->memory.add(*address, bytes, MemoryMap::Kind::Host);
  return TW_OK;
}

static int32_t allocateShared(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
  if (device->info->hasFineBuffers)
    flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
  void *memory = device->api->clSVMAlloc(
      device->context, flags, std::max<uint64_t>(bytes, 1),
      static_cast<cl_uint>(std::min(alignment, kMaxSharedAlignment)));
  *address = reinterpret_cast<uintptr_t>(memory);
  if (!memory)
    return TW_E_EXHAUSTED;
  device->memory.add(*address, bytes, MemoryMap::Kind::Shared);
  return TW_OK;
}

static int32_t allocateHandle(tw_device *device, uint64_t bytes,
                              uint64_t *address) {
  cl_int status = CL_SUCCESS;
  cl_mem handle = device->api->clCreateBuffer(
      device->context, CL_MEM_READ_WRITE, std::max<uint64_t>(bytes, 1), nullptr,
      &status);
  if (status == CL_INVALID_BUFFER_SIZE)
    return TW_E_EXHAUSTED;
  if (status != CL_SUCCESS)
    return toStatus(status);
  *address = device->memory.addHandle(handle, bytes);
  return TW_OK;
}

int32_t allocateMemory(tw_device *device, uint64_t bytes, uint64_t alignment,
                       uint64_t *address) {
  return keepInside([&]() -> int32_t {
    if (alignment & (alignment - 1))
      return TW_E_INVALID_ARGUMENT;
    alignment = std::max(alignment, kMinAlignment);
    if (device->info->sharesHostMemory)
      return allocateHost(device, bytes, alignment, address);
    if (device->info->traits.hasAddresses)
      return allocateShared(device, bytes, alignment, address);
    return allocateHandle(device, bytes, address);
  });
}

int32_t freeMemory(tw_device *device, uint64_t address) {
  return keepInside([&]() -> int32_t {
    MemoryMap::Entry entry = device->memory.take(address);
    if (entry.handle)
      device->api->clReleaseMemObject(entry.handle);
    void *memory = reinterpret_cast<void *>(address);
    if (entry.kind == MemoryMap::Kind::Shared)
      device->api->clSVMFree(device->context, memory);
    else if (entry.kind == MemoryMap::Kind::Host)
      std::free(memory);
    return TW_OK;
  });
}

int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                     uint64_t *address) {
  return keepInside([&]() -> int32_t {
    if (!device->info->sharesHostMemory)
      return TW_E_UNIMPLEMENTED;
    *address = reinterpret_cast<uintptr_t>(host);
    device->memory.add(*address, bytes, MemoryMap::Kind::Imported);
    return TW_OK;
  });
}

int32_t unimportMemory(tw_device *device, uint64_t address) {
  return keepInside([&]() -> int32_t {
    MemoryMap::Entry entry = device->memory.take(address);
    if (entry.handle)
      device->api->clReleaseMemObject(entry.handle);
    return TW_OK;
  });
}

/// The handle forms of a copy; made-up addresses are looked up.
static int32_t copyHandles(tw_stream *stream, uint64_t to, uint64_t from,
                           uint64_t bytes, uint32_t kind) {
  tw_device &device = *stream->device;
  Place target, source;
  if (kind != TW_COPY_DEVICE_TO_HOST &&
      !device.memory.find(*device.api, device.context, to, target))
    return TW_E_INVALID_ARGUMENT;
  if (kind != TW_COPY_HOST_TO_DEVICE &&
      !device.memory.find(*device.api, device.context, from, source))
    return TW_E_INVALID_ARGUMENT;
  if (kind == TW_COPY_HOST_TO_DEVICE)
    return stream->check(device.api->clEnqueueWriteBuffer(
        stream->queue, target.handle, CL_FALSE, target.offset, bytes,
        reinterpret_cast<const void *>(from), 0, nullptr, nullptr));
  if (kind == TW_COPY_DEVICE_TO_HOST)
    return stream->check(device.api->clEnqueueReadBuffer(
        stream->queue, source.handle, CL_FALSE, source.offset, bytes,
        reinterpret_cast<void *>(to), 0, nullptr, nullptr));
  return stream->check(device.api->clEnqueueCopyBuffer(
      stream->queue, source.handle, target.handle, source.offset, target.offset,
      bytes, 0, nullptr, nullptr));
}

int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                   uint64_t bytes, uint32_t kind) {
  return keepInside([&]() -> int32_t {
    if (stream->hasFailed())
      return TW_E_DEVICE_ERROR;
    if (bytes == 0 || to == from)
      return TW_OK;
    if (!stream->device->info->traits.hasAddresses)
      return copyHandles(stream, to, from, bytes, kind);
    return stream->check(stream->device->api->clEnqueueSVMMemcpy(
        stream->queue, CL_FALSE, reinterpret_cast<void *>(to),
        reinterpret_cast<const void *>(from), bytes, 0, nullptr, nullptr));
  });
}

int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                   uint32_t width, uint64_t bytes) {
  return keepInside([&]() -> int32_t {
    if (stream->hasFailed())
      return TW_E_DEVICE_ERROR;
    bool isWidth = width == 1 || width == 2 || width == 4 || width == 8;
    if (!isWidth || bytes % width || address % width)
      return TW_E_INVALID_ARGUMENT;
    if (bytes == 0)
      return TW_OK;
    tw_device &device = *stream->device;
    if (device.info->traits.hasAddresses)
      return stream->check(device.api->clEnqueueSVMMemFill(
          stream->queue, reinterpret_cast<void *>(address), &pattern, width,
          bytes, 0, nullptr, nullptr));
    Place place;
    if (!device.memory.find(*device.api, device.context, address, place))
      return TW_E_INVALID_ARGUMENT;
    return stream->check(device.api->clEnqueueFillBuffer(
        stream->queue, place.handle, &pattern, width, place.offset, bytes, 0,
        nullptr, nullptr));
  });
}

} // namespace tilewright::spirv
