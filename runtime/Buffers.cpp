//===- Buffers.cpp - Device memory ------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every range is checked here, so that plugins need not.
//===----------------------------------------------------------------------===//
#include "runtime/State.h"

#include "tilewright/plugin.h"

using namespace tilewright;
using namespace tilewright::runtime;

static constexpr uint64_t bufferAlignment = 64;

extern "C" int32_t tw_rt_buffer_create(tw_rt_device *device, uint64_t bytes,
                                       tw_rt_buffer **buffer) {
  return guarded([&]() -> int32_t {
    if (!device || !buffer)
      return failNull("a device and a place for the buffer");
    DeviceState &state = *device->state;
    auto created = std::make_unique<tw_rt_buffer>(
        tw_rt_buffer{device->state, 0, bytes, false});
    int32_t status = state.runtime.memory_allocate(
        state.device, bytes, bufferAlignment, &created->address);
    if (status)
      return failFromDevice(status, "allocating a buffer");
    state.addBuffer(created->address, bytes);
    *buffer = created.release();
    return TW_OK;
  });
}

extern "C" int32_t tw_rt_buffer_wrap(tw_rt_device *device, void *host,
                                     uint64_t bytes, tw_rt_buffer **buffer) {
  return guarded([&]() -> int32_t {
    if (!device || !buffer || (!host && bytes))
      return failNull("a device, host memory and a place for the buffer");
    DeviceState &state = *device->state;
    auto created = std::make_unique<tw_rt_buffer>(
        tw_rt_buffer{device->state, 0, bytes, true});
    int32_t status = state.runtime.memory_import(state.device, host, bytes,
                                                 &created->address);
    if (status)
      return failFromDevice(status, "wrapping host memory");
    state.addBuffer(created->address, bytes);
    *buffer = created.release();
    return TW_OK;
  });
}

extern "C" void tw_rt_buffer_release(tw_rt_buffer *buffer) {
  if (!buffer)
    return;
  DeviceState &state = *buffer->device;
  state.removeBuffer(buffer->address, buffer->bytes);
  if (buffer->imported)
    state.runtime.memory_unimport(state.device, buffer->address);
  else
    state.runtime.memory_free(state.device, buffer->address);
  delete buffer;
}

extern "C" uint64_t tw_rt_buffer_address(const tw_rt_buffer *buffer) {
  return buffer ? buffer->address : 0;
}

extern "C" uint64_t tw_rt_buffer_bytes(const tw_rt_buffer *buffer) {
  return buffer ? buffer->bytes : 0;
}

/// The common checks of an access; TW_OK when it may go on.
static int32_t checkAccess(const tw_rt_stream *stream,
                           const tw_rt_buffer *buffer, uint64_t offset,
                           uint64_t bytes) {
  if (!stream || !buffer)
    return failNull("a stream and a buffer");
  if (stream->device != buffer->device)
    return fail(TW_E_INVALID_ARGUMENT, 6014,
                "stream and buffer are of different devices");
  if (offset > buffer->bytes || bytes > buffer->bytes - offset)
    return fail(TW_E_OUT_OF_RANGE, 6008,
                "expected a range inside a buffer of " +
                    std::to_string(buffer->bytes) + " bytes, got offset " +
                    std::to_string(offset) + " and " + std::to_string(bytes) +
                    " bytes");
  return TW_OK;
}

static int32_t copy(tw_rt_stream *stream, uint64_t to, uint64_t from,
                    uint64_t bytes, uint32_t kind) {
  if (bytes == 0)
    return TW_OK;
  int32_t status = stream->device->runtime.memory_copy(stream->stream, to, from,
                                                       bytes, kind);
  return status ? failFromDevice(status, "copy") : TW_OK;
}

extern "C" int32_t tw_rt_buffer_write(tw_rt_stream *stream,
                                      tw_rt_buffer *buffer, uint64_t offset,
                                      const void *host, uint64_t bytes) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkAccess(stream, buffer, offset, bytes))
      return status;
    if (!host && bytes)
      return failNull("host memory");
    return copy(stream, buffer->address + offset,
                reinterpret_cast<uintptr_t>(host), bytes,
                TW_COPY_HOST_TO_DEVICE);
  });
}

extern "C" int32_t tw_rt_buffer_read(tw_rt_stream *stream,
                                     const tw_rt_buffer *buffer,
                                     uint64_t offset, void *host,
                                     uint64_t bytes) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkAccess(stream, buffer, offset, bytes))
      return status;
    if (!host && bytes)
      return failNull("host memory");
    return copy(stream, reinterpret_cast<uintptr_t>(host),
                buffer->address + offset, bytes, TW_COPY_DEVICE_TO_HOST);
  });
}

extern "C" int32_t tw_rt_buffer_copy(tw_rt_stream *stream, tw_rt_buffer *to,
                                     uint64_t toOffset,
                                     const tw_rt_buffer *from,
                                     uint64_t fromOffset, uint64_t bytes) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkAccess(stream, to, toOffset, bytes))
      return status;
    if (int32_t status = checkAccess(stream, from, fromOffset, bytes))
      return status;
    return copy(stream, to->address + toOffset, from->address + fromOffset,
                bytes, TW_COPY_DEVICE_TO_DEVICE);
  });
}

extern "C" int32_t tw_rt_buffer_fill(tw_rt_stream *stream, tw_rt_buffer *buffer,
                                     uint64_t offset, uint64_t bytes,
                                     uint64_t pattern, uint32_t width) {
  return guarded([&]() -> int32_t {
    if (int32_t status = checkAccess(stream, buffer, offset, bytes))
      return status;
    bool known = width == 1 || width == 2 || width == 4 || width == 8;
    if (!known || offset % width || bytes % width)
      return fail(TW_E_INVALID_ARGUMENT, 6008,
                  "expected a pattern of 1, 2, 4 or 8 bytes that divides "
                  "offset and size, got " +
                      std::to_string(width),
                  "fill the rest with a smaller pattern");
    if (bytes == 0)
      return TW_OK;
    int32_t status = stream->device->runtime.memory_fill(
        stream->stream, buffer->address + offset, pattern, width, bytes);
    return status ? failFromDevice(status, "fill") : TW_OK;
  });
}
