//===- Runtime.cpp - Device, memory, streams, events ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The RUNTIME profile of the CPU driver: one device, whose memory is the
// process's own.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/Driver.h"
#include "backends/cpu/driver/HostCpu.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::cpu {

/// Buffers from this size on get huge pages.
static constexpr uint64_t hugeThreshold = 4u << 20;
static constexpr uint64_t hugePage = 2u << 20;

//===--- Device -----------------------------------------------------------===//

static int32_t countDevices(tw_backend *, uint32_t *count) {
  *count = 1;
  return TW_OK;
}

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (ordinal != 0) {
    emitError(sink, 6001,
              "expected device 0, got cpu@" + std::to_string(ordinal),
              "a machine is one cpu device");
    return TW_E_NOT_FOUND;
  }
  *device = new (std::nothrow) tw_device{backend};
  return *device ? TW_OK : TW_E_EXHAUSTED;
}

static void closeDevice(tw_device *device) { delete device; }

static int32_t nameDevice(tw_device *, tw_writer out) {
  std::string name = hostName();
  out.write(out.ctx, name.data(), name.size());
  return TW_OK;
}

static constexpr int64_t bits(uint32_t first, uint32_t last) {
  return ((int64_t(1) << (last + 1)) - 1) & ~((int64_t(1) << first) - 1);
}

static void answer(const tw_device &device, tw_capability &cap) {
  cap.answer = TW_ANSWER_YES;
  cap.value = 1;
  cap.text = tw_str{};
  switch (cap.id) {
  case TW_CAP_ARCH:
    cap.value = 0;
    cap.text = tw_string(hostArchitecture());
    return;
  case TW_CAP_SUBGROUP_SIZE:
  case TW_CAP_MAX_THREADS:
  case TW_CAP_CLUSTERS:
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_UNIFIED_MEMORY:
    return;
  case TW_CAP_PROCESSORS:
    cap.value = device.backend->pool.size();
    return;
  case TW_CAP_MEMORY_BYTES:
    cap.value = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    return;
  case TW_CAP_VECTOR_BITS:
    cap.value = hostVectorBits();
    return;
  case TW_CAP_STORAGE_DTYPES:
    cap.value = bits(TW_DTYPE_I1, TW_DTYPE_COUNT - 1);
    return;
  case TW_CAP_ARITHMETIC_DTYPES:
    cap.value =
        bits(TW_DTYPE_I1, TW_DTYPE_U64) | bits(TW_DTYPE_F32, TW_DTYPE_F64);
    return;
  case TW_CAP_ATOMIC_DTYPES:
    cap.value = bits(TW_DTYPE_I8, TW_DTYPE_F64);
    return;
  case TW_CAP_MAX_PROGRAMS:
    cap.value = 0x7fffffff;
    return;
  case TW_CAP_SHARED_BYTES:
  case TW_CAP_MATRIX_DTYPES:
  case TW_CAP_ASYNC_COPY:
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_COOPERATIVE_LAUNCH:
    cap.answer = TW_ANSWER_NO;
    cap.value = 0;
    return;
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

static int32_t allocateMemory(tw_device *, uint64_t bytes, uint64_t alignment,
                              uint64_t *address) {
  if (alignment & (alignment - 1))
    return TW_E_INVALID_ARGUMENT;
  if (alignment < 64)
    alignment = 64;
  bool huge = bytes >= hugeThreshold;
  if (huge && alignment < hugePage)
    alignment = hugePage;
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes ? bytes : 1))
    return TW_E_EXHAUSTED;
  if (huge)
    madvise(memory, bytes, MADV_HUGEPAGE); // only a wish
  *address = reinterpret_cast<uintptr_t>(memory);
  return TW_OK;
}

static int32_t freeMemory(tw_device *, uint64_t address) {
  std::free(reinterpret_cast<void *>(address));
  return TW_OK;
}

static int32_t importMemory(tw_device *, void *host, uint64_t,
                            uint64_t *address) {
  *address = reinterpret_cast<uintptr_t>(host);
  return TW_OK;
}

static int32_t unimportMemory(tw_device *, uint64_t) { return TW_OK; }

static bool hasFailed(const tw_stream &stream) {
  return stream.error.state.load(std::memory_order_acquire) !=
         StickyError::None;
}

static int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                          uint64_t bytes, uint32_t) {
  if (hasFailed(*stream))
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

static int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                          uint32_t width, uint64_t bytes) {
  if (hasFailed(*stream))
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

static int32_t createStream(tw_device *device, tw_stream **stream) {
  *stream = new (std::nothrow) tw_stream();
  if (!*stream)
    return TW_E_EXHAUSTED;
  (*stream)->backend = device->backend;
  (*stream)->services = makeServices(*stream);
  return TW_OK;
}

/// A CPU has no streams of its own to wrap.
static int32_t wrapStream(tw_device *, uint64_t, tw_stream **) {
  return TW_E_UNIMPLEMENTED;
}

static int32_t nativeStream(tw_stream *, uint64_t *) {
  return TW_E_UNIMPLEMENTED;
}

static void destroyStream(tw_stream *stream) { delete stream; }

/// Launches have ended already; what is left is to report and clear an error.
static int32_t synchronizeStream(tw_stream *stream, const tw_sink *sink) {
  StickyError &error = stream->error;
  if (!hasFailed(*stream))
    return TW_OK;
  tw_location location = {};
  location.file = tw_string(error.file);
  location.line = error.line;
  tw_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = TW_SEVERITY_ERROR;
  diagnostic.code = error.code;
  diagnostic.message = tw_string(error.message);
  diagnostic.location = error.file[0] ? &location : nullptr;
  if (sink && sink->emit)
    sink->emit(sink->ctx, &diagnostic);
  error.state.store(StickyError::None, std::memory_order_release);
  return TW_E_DEVICE_ERROR;
}

static int32_t waitStream(tw_stream *stream, tw_event *event) {
  if (hasFailed(*stream))
    return TW_E_DEVICE_ERROR;
  return event->nanoseconds ? TW_OK : TW_E_PRECONDITION;
}

//===--- Events -----------------------------------------------------------===//

static int32_t createEvent(tw_device *, tw_event **event) {
  *event = new (std::nothrow) tw_event{0};
  return *event ? TW_OK : TW_E_EXHAUSTED;
}

static void destroyEvent(tw_event *event) { delete event; }

static int32_t recordEvent(tw_event *event, tw_stream *stream) {
  if (hasFailed(*stream))
    return TW_E_DEVICE_ERROR;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->nanoseconds =
      uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
  return TW_OK;
}

static int32_t synchronizeEvent(tw_event *event) {
  return event->nanoseconds ? TW_OK : TW_E_PRECONDITION;
}

static int32_t elapsedBetween(tw_event *start, tw_event *end,
                              uint64_t *nanoseconds) {
  if (!start->nanoseconds || !end->nanoseconds)
    return TW_E_PRECONDITION;
  if (end->nanoseconds < start->nanoseconds)
    return TW_E_OUT_OF_RANGE;
  *nanoseconds = end->nanoseconds - start->nanoseconds;
  return TW_OK;
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

} // namespace tilewright::cpu
