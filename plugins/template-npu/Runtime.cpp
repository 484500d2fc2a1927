//===- Runtime.cpp - RUNTIME: one device, the host's memory -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DMA engine reaches the memory of the host, so copies are the host's.
//===----------------------------------------------------------------------===//
#include "NpuPlugin.h"

namespace tilewright::npu {

static int32_t countDevices(tw_backend *, uint32_t *count) {
  *count = 1;
  return TW_OK;
}

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (ordinal != 0) {
    tw_emit(sink, TW_SEVERITY_ERROR, 6001, "expected device 0 of target npu",
            "the simulator is one device");
    return TW_E_NOT_FOUND;
  }
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

const tw_runtime_table runtimeTable = {
    sizeof(tw_runtime_table),
    0,
    countDevices,
    openDevice,
    closeDevice,
    nameDevice,
    getCaps,
    host::allocateMemory,
    host::freeMemory,
    host::importMemory,
    host::unimportMemory,
    host::copyMemory,
    host::fillMemory,
    createStream,
    host::wrapStream,
    host::nativeStream,
    host::destroyStream,
    host::synchronizeStream,
    host::waitStream,
    host::createEvent,
    host::destroyEvent,
    host::recordEvent,
    host::synchronizeEvent,
    host::elapsedBetween,
    loadModule,
    unloadModule,
    gradeArtifact,
};

} // namespace tilewright::npu
