//===- HostRuntime.cpp - Streams, events and copies on the host -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything ends where it starts, so nothing here waits.
//===----------------------------------------------------------------------===//
#include "tilewright/sdk/HostRuntime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string>

namespace tilewright::host {

//===--- Errors -----------------------------------------------------------===//

void StickyError::set(uint32_t newCode, const char *newMessage,
                      const char *newFile, uint32_t newLine) {
  uint32_t expected = None;
  if (!state.compare_exchange_strong(expected, Writing))
    return;
  code = newCode;
  line = newLine;
  std::snprintf(message, sizeof message, "%s",
                newMessage ? newMessage : "the kernel failed");
  std::snprintf(file, sizeof file, "%s", newFile ? newFile : "");
  state.store(Set, std::memory_order_release);
}

int32_t StickyError::report(const tw_sink *sink) {
  if (!isSet())
    return TW_OK;
  if (!sink || !sink->emit)
    return TW_E_DEVICE_ERROR; // kept for whoever asks what it was
  tw_location location = {};
  location.file = tw_string(file);
  location.line = line;
  tw_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = TW_SEVERITY_ERROR;
  diagnostic.code = code;
  diagnostic.message = tw_string(message);
  diagnostic.location = file[0] ? &location : nullptr;
  sink->emit(sink->ctx, &diagnostic);
  state.store(None, std::memory_order_release);
  return TW_E_DEVICE_ERROR;
}

//===--- Device -----------------------------------------------------------===//

int32_t countDevices(tw_backend *, uint32_t *count) {
  *count = 1;
  return TW_OK;
}

int32_t checkOrdinal(uint32_t ordinal, const char *target,
                     const tw_sink *sink) {
  if (ordinal == 0)
    return TW_OK;
  std::string message = std::string("expected device 0, got ") + target + "@" +
                        std::to_string(ordinal);
  tw_emit(sink, TW_SEVERITY_ERROR, 6001, message.c_str(),
          "a machine is one device of this target");
  return TW_E_NOT_FOUND;
}

//===--- Memory -----------------------------------------------------------===//

int32_t allocateMemory(tw_device *, uint64_t bytes, uint64_t alignment,
                       uint64_t *address) {
  if (alignment & (alignment - 1))
    return TW_E_INVALID_ARGUMENT;
  void *memory = nullptr;
  if (posix_memalign(&memory, std::max<uint64_t>(alignment, 64),
                     std::max<uint64_t>(bytes, 1)))
    return TW_E_EXHAUSTED;
  *address = reinterpret_cast<uintptr_t>(memory);
  return TW_OK;
}

int32_t freeMemory(tw_device *, uint64_t address) {
  std::free(reinterpret_cast<void *>(address));
  return TW_OK;
}

int32_t importMemory(tw_device *, void *host, uint64_t, uint64_t *address) {
  *address = reinterpret_cast<uintptr_t>(host);
  return TW_OK;
}

int32_t unimportMemory(tw_device *, uint64_t) { return TW_OK; }

int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                   uint64_t bytes, uint32_t) {
  if (stream->error.isSet())
    return TW_E_DEVICE_ERROR;
  if (bytes)
    std::memmove(reinterpret_cast<void *>(to),
                 reinterpret_cast<const void *>(from), bytes);
  return TW_OK;
}

template <typename T>
static void fillWith(uint64_t address, uint64_t pattern, uint64_t bytes) {
  T *to = reinterpret_cast<T *>(address);
  std::fill(to, to + bytes / sizeof(T), static_cast<T>(pattern));
}

int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                   uint32_t width, uint64_t bytes) {
  if (stream->error.isSet())
    return TW_E_DEVICE_ERROR;
  if (width != 1 && width != 2 && width != 4 && width != 8)
    return TW_E_INVALID_ARGUMENT;
  if (bytes % width || address % width)
    return TW_E_INVALID_ARGUMENT;
  if (width == 1)
    fillWith<uint8_t>(address, pattern, bytes);
  else if (width == 2)
    fillWith<uint16_t>(address, pattern, bytes);
  else if (width == 4)
    fillWith<uint32_t>(address, pattern, bytes);
  else
    fillWith<uint64_t>(address, pattern, bytes);
  return TW_OK;
}

//===--- Streams ----------------------------------------------------------===//

/// The host has no streams of its own to wrap.
int32_t wrapStream(tw_device *, uint64_t, tw_stream **) {
  return TW_E_UNIMPLEMENTED;
}

int32_t nativeStream(tw_stream *, uint64_t *) { return TW_E_UNIMPLEMENTED; }

void destroyStream(tw_stream *stream) { delete stream; }

/// Launches have ended already; what is left is to report and clear an error.
int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink) {
  return stream->error.report(sink);
}

int32_t waitStream(tw_stream *stream, tw_event *event) {
  if (stream->error.isSet())
    return TW_E_DEVICE_ERROR;
  return event->nanoseconds ? TW_OK : TW_E_PRECONDITION;
}

//===--- Events -----------------------------------------------------------===//

uint64_t monotonicNanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

int32_t createEvent(tw_device *, tw_event **event) {
  *event = new (std::nothrow) tw_event{0};
  return *event ? TW_OK : TW_E_EXHAUSTED;
}

void destroyEvent(tw_event *event) { delete event; }

int32_t recordEvent(tw_event *event, tw_stream *stream) {
  if (stream->error.isSet())
    return TW_E_DEVICE_ERROR;
  event->nanoseconds = monotonicNanoseconds();
  return TW_OK;
}

int32_t synchronizeEvent(tw_event *event) {
  return event->nanoseconds ? TW_OK : TW_E_PRECONDITION;
}

int32_t elapsedBetween(tw_event *start, tw_event *end, uint64_t *nanoseconds) {
  if (!start->nanoseconds || !end->nanoseconds)
    return TW_E_PRECONDITION;
  if (end->nanoseconds < start->nanoseconds)
    return TW_E_OUT_OF_RANGE;
  *nanoseconds = end->nanoseconds - start->nanoseconds;
  return TW_OK;
}

//===--- Launches ---------------------------------------------------------===//

int32_t checkLaunch(const tw_stream *stream, uint32_t bytes,
                    const tw_dims &dims, uint32_t argsSize, const void *ext) {
  for (auto *extension = static_cast<const tw_extension *>(ext); extension;
       extension = extension->next)
    if (extension->flags & TW_EXTENSION_MUST_UNDERSTAND)
      return TW_E_UNKNOWN_FIELD;
  if (argsSize != bytes)
    return TW_E_INVALID_ARGUMENT;
  if (countPrograms(dims) < 0)
    return TW_E_OUT_OF_RANGE;
  return stream->error.isSet() ? TW_E_DEVICE_ERROR : TW_OK;
}

int32_t encodeBlock(const void *args, uint32_t argsSize, uint32_t bytes,
                    void *device, uint32_t capacity, uint32_t *written) {
  if (argsSize != bytes || capacity < argsSize)
    return TW_E_INVALID_ARGUMENT;
  if (argsSize)
    std::memcpy(device, args, argsSize);
  *written = argsSize;
  return TW_OK;
}

int64_t countPrograms(const tw_dims &dims) {
  constexpr int64_t largest = 0x7fffffff; // an axis
  for (int64_t extent : {dims.x, dims.y, dims.z})
    if (extent < 0 || extent > largest)
      return -1;
  int64_t total;
  return __builtin_mul_overflow(dims.x * dims.y, dims.z, &total) ? -1 : total;
}

//===--- Table ------------------------------------------------------------===//

tw_runtime_table runtimeTable() {
  tw_runtime_table table = {};
  table.size = sizeof table;
  table.device_count = countDevices;
  table.memory_allocate = allocateMemory;
  table.memory_free = freeMemory;
  table.memory_import = importMemory;
  table.memory_unimport = unimportMemory;
  table.memory_copy = copyMemory;
  table.memory_fill = fillMemory;
  table.stream_wrap = wrapStream;
  table.stream_native = nativeStream;
  table.stream_destroy = destroyStream;
  table.stream_synchronize = synchronizeStream;
  table.stream_wait = waitStream;
  table.event_create = createEvent;
  table.event_destroy = destroyEvent;
  table.event_record = recordEvent;
  table.event_synchronize = synchronizeEvent;
  table.event_elapsed = elapsedBetween;
  return table;
}

} // namespace tilewright::host
