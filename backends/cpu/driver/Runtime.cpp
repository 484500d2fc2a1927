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
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::cpu {

/// Buffers from this size on get huge pages.
static constexpr uint64_t hugeThreshold = 4u << 20;
static constexpr uint64_t hugePage = 2u << 20;

//===--- Device -----------------------------------------------------------===//

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (int32_t status = host::checkOrdinal(ordinal, "cpu", sink))
    return status;
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

//===--- Streams ----------------------------------------------------------===//

static int32_t createStream(tw_device *device, tw_stream **stream) {
  *stream = new (std::nothrow) Stream(device->backend);
  return *stream ? TW_OK : TW_E_EXHAUSTED;
}

static tw_runtime_table makeTable() {
  tw_runtime_table table = host::runtimeTable();
  table.device_open = openDevice;
  table.device_close = closeDevice;
  table.device_name = nameDevice;
  table.get_caps = getCaps;
  table.memory_allocate = allocateMemory;
  table.stream_create = createStream;
  table.module_load = loadModule;
  table.module_unload = unloadModule;
  table.grade_artifact = gradeArtifact;
  return table;
}

const tw_runtime_table runtimeTable = makeTable();

} // namespace tilewright::cpu
