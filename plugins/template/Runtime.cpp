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

static int32_t countDevices(tw_backend *, uint32_t *count) {
  *count = 1;
  return TW_OK;
}

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (ordinal != 0) {
    tw_emit(sink, TW_SEVERITY_ERROR, 6001,
            "expected device 0 of target template", "the host is one device");
    return TW_E_NOT_FOUND;
  }
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

} // namespace tilewright::template_
