//===- Runtime.cpp - RUNTIME: one device, the host's memory -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most slots are those of tilewright/sdk/HostRuntime.h. For hardware, each one
// calls the driver instead.
//===----------------------------------------------------------------------===//
#include "TemplatePlugin.h"

#include <sys/mman.h>

namespace tilewright::template_ {

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (int32_t status = host::checkOrdinal(ordinal, kVendor, sink))
    return status;
  *device = new (std::nothrow) tw_device{backend};
  return *device ? TW_OK : TW_E_EXHAUSTED;
}

static void closeDevice(tw_device *device) { delete device; }

static int32_t nameDevice(tw_device *, tw_writer out) {
  sdk::write(out, "This machine, by its C compiler");
  return TW_OK;
}

static int32_t getCaps(tw_device *, tw_capability *caps, uint64_t count) {
  return host::keepInside([&] {
    answerCapabilities(caps, count);
    return TW_OK;
  });
}

/// Streams have the memory that programs need: a launch allocates nothing.
static int32_t createStream(tw_device *device, tw_stream **stream) {
  auto *made = new (std::nothrow) Stream;
  if (!made)
    return TW_E_EXHAUSTED;
  void *frame = mmap(nullptr, kFrameBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (frame == MAP_FAILED) {
    delete made;
    return TW_E_EXHAUSTED;
  }
  made->frame = static_cast<unsigned char *>(frame);
  made->printer = device->backend->printer;
  *stream = made;
  return TW_OK;
}

Stream::~Stream() {
  if (frame)
    munmap(frame, kFrameBytes);
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

} // namespace tilewright::template_
