//===- Runtime.cpp - Device, memory, streams --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device whose memory is the process's own.
//===----------------------------------------------------------------------===//
#include "backends/simulate/driver/Driver.h"

#include <algorithm>

namespace tilewright::simulate {

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (int32_t status = host::checkOrdinal(ordinal, "simulate", sink))
    return status;
  *device = new (std::nothrow) tw_device{static_cast<Backend *>(backend)};
  return *device ? TW_OK : TW_E_EXHAUSTED;
}

static void closeDevice(tw_device *device) { delete device; }

static int32_t nameDevice(tw_device *, tw_writer out) {
  llvm::StringRef name = "lane simulator";
  out.write(out.ctx, name.data(), name.size());
  return TW_OK;
}

void answerCommon(tw_capability &question) {
  switch (question.id) {
  case TW_CAP_PROCESSORS:
  case TW_CAP_CLUSTERS:
  case TW_CAP_FLAT_ADDRESSES:
  case TW_CAP_UNIFIED_MEMORY:
    return backend::sayYes(question, 1);
  case TW_CAP_VECTOR_BITS:
    return backend::sayYes(question, 128);
  case TW_CAP_MAX_PROGRAMS:
    return backend::sayYes(question, 0x7fffffff);
  case TW_CAP_STORAGE_DTYPES:
  case TW_CAP_ARITHMETIC_DTYPES:
    return backend::sayYes(question, (int64_t(1) << TW_DTYPE_COUNT) - 2);
  case TW_CAP_TENSOR_MAP:
  case TW_CAP_GRAPH_CAPTURE:
  case TW_CAP_COOPERATIVE_LAUNCH:
    return backend::sayNo(question);
  default:
    return;
  }
}

/// The device runs code of every profile.
static int32_t getCaps(tw_device *, tw_capability *caps, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    caps[i].answer = TW_ANSWER_UNKNOWN;
    caps[i].value = 0;
    caps[i].text = tw_str{};
    answerCommon(caps[i]);
  }
  return TW_OK;
}

/// Aligned as on a GPU.
static int32_t allocateMemory(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  return host::allocateMemory(device, bytes, std::max<uint64_t>(alignment, 256),
                              address);
}

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

} // namespace tilewright::simulate
