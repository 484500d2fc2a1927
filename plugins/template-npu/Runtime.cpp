//===- Runtime.cpp - RUNTIME: one device, the host's memory -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DMA engine reaches the memory of the host, so copies are the host's.
//===----------------------------------------------------------------------===//
#include "NpuPlugin.h"

namespace tilewright::npu {

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (int32_t status = host::checkOrdinal(ordinal, kVendor, sink))
    return status;
  *device = new (std::nothrow) tw_device{backend};
  return *device ? TW_OK : TW_E_EXHAUSTED;
}

static void closeDevice(tw_device *device) { delete device; }

static int32_t nameDevice(tw_device *, tw_writer out) {
  sdk::write(out, "Simulated accelerator");
  return TW_OK;
}

static int32_t getCaps(tw_device *, tw_capability *caps, uint64_t count) {
  return host::keepInside([&] {
    answerCapabilities(caps, count);
    return TW_OK;
  });
}

static int32_t createStream(tw_device *device, tw_stream **stream) {
  return host::keepInside([&] {
    auto made = std::make_unique<Stream>();
    made->printer = device->backend->printer;
    *stream = made.release();
    return TW_OK;
  });
}

static tw_runtime_table makeTable() {
  tw_runtime_table table = host::runtimeTable();
  table.device_open = openDevice;
  table.device_close = closeDevice;
  table.device_name = nameDevice;
  table.get_caps = getCaps;
  table.stream_create = createStream;
  table.module_load = loadModule;
  table.module_unload = unloadModule;
  table.grade_artifact = gradeArtifact;
  return table;
}

const tw_runtime_table runtimeTable = makeTable();

} // namespace tilewright::npu
