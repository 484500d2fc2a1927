//===- Runtime.cpp - Device, memory, streams, events -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device whose memory is the process's own.
//===----------------------------------------------------------------------===//
#include "backends/reference/Driver.h"

#include <cstdlib>
#include <cstring>

namespace tilewright::reference {

//===--- Device -----------------------------------------------------------===//

static int32_t countDevices(tw_backend *, uint32_t *count) {
  *count = 1;
  return TW_OK;
}

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (ordinal != 0) {
    tw_emit(sink, TW_SEVERITY_ERROR, 6001,
            "expected device 0 of target reference",
            "the interpreter is one device");
    return TW_E_NOT_FOUND;
  }
  *device = new (std::nothrow) tw_device;
  if (!*device)
    return TW_E_EXHAUSTED;
  (*device)->backend = static_cast<Backend *>(backend);
  return TW_OK;
}

static void closeDevice(tw_device *device) { delete device; }

static int32_t nameDevice(tw_device *, tw_writer out) {
  llvm::StringRef name = "Kernel IR interpreter";
  out.write(out.ctx, name.data(), name.size());
  return TW_OK;
}

static int32_t getCaps(tw_device *, tw_capability *caps, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    tw_capability &cap = caps[i];
    cap.answer = TW_ANSWER_YES;
    cap.value = 1;
    cap.text = tw_str{};
    switch (cap.id) {
    case TW_CAP_ARCH:
      cap.value = 0;
      cap.text = tw_string("kernel-ir");
      break;
    case TW_CAP_SUBGROUP_SIZE:
    case TW_CAP_MAX_THREADS:
    case TW_CAP_PROCESSORS:
    case TW_CAP_CLUSTERS:
    case TW_CAP_FLAT_ADDRESSES:
    case TW_CAP_UNIFIED_MEMORY:
      break;
    case TW_CAP_MAX_PROGRAMS:
      cap.value = 0x7fffffff;
      break;
    case TW_CAP_STORAGE_DTYPES:
    case TW_CAP_ARITHMETIC_DTYPES:
      cap.value = (int64_t(1) << TW_DTYPE_COUNT) - 2;
      break;
    case TW_CAP_HINTS:
      cap.answer = TW_ANSWER_NO;
      cap.value = 0;
      break;
    default:
      cap.answer = TW_ANSWER_UNKNOWN;
      cap.value = 0;
    }
  }
  return TW_OK;
}

//===--- Memory -----------------------------------------------------------===//

static int32_t allocateMemory(tw_device *device, uint64_t bytes,
                              uint64_t alignment, uint64_t *address) {
  return keepInside([&]() -> int32_t {
    if (alignment & (alignment - 1))
      return TW_E_INVALID_ARGUMENT;
    void *memory = nullptr;
    if (posix_memalign(&memory, std::max<uint64_t>(alignment, 64),
                       bytes ? bytes : 1))
      return TW_E_EXHAUSTED;
    std::memset(memory, 0, bytes); // what is read unwritten is always the same
    *address = reinterpret_cast<uintptr_t>(memory);
    device->addBuffer(*address, bytes);
    device->allocations.add(*address, bytes);
    return TW_OK;
  });
}

static int32_t freeMemory(tw_device *device, uint64_t address) {
  device->removeBuffer(address);
  device->allocations.remove(address);
  std::free(reinterpret_cast<void *>(address));
  return TW_OK;
}

static int32_t importMemory(tw_device *device, void *host, uint64_t bytes,
                            uint64_t *address) {
  return keepInside([&] {
    *address = reinterpret_cast<uintptr_t>(host);
    device->addBuffer(*address, bytes);
    return TW_OK;
  });
}

static int32_t unimportMemory(tw_device *device, uint64_t address) {
  device->removeBuffer(address);
  return TW_OK;
}

static int32_t copyMemory(tw_stream *stream, uint64_t to, uint64_t from,
                          uint64_t bytes, uint32_t kind) {
  return keepInside([&] {
    int32_t status = host::copyMemory(stream, to, from, bytes, kind);
    if (status == TW_OK)
      static_cast<Stream *>(stream)->device->allocations.markCopied(to, from,
                                                                    bytes);
    return status;
  });
}

static int32_t fillMemory(tw_stream *stream, uint64_t address, uint64_t pattern,
                          uint32_t width, uint64_t bytes) {
  int32_t status = host::fillMemory(stream, address, pattern, width, bytes);
  if (status == TW_OK)
    static_cast<Stream *>(stream)->device->allocations.markWritten(address,
                                                                   bytes);
  return status;
}

//===--- Streams ----------------------------------------------------------===//

static int32_t createStream(tw_device *device, tw_stream **stream) {
  *stream = new (std::nothrow) Stream(device);
  return *stream ? TW_OK : TW_E_EXHAUSTED;
}

//===--- Known memory -----------------------------------------------------===//

std::optional<Buffer> findBuffer(llvm::ArrayRef<Buffer> buffers,
                                 uint64_t address) {
  std::optional<Buffer> best;
  for (const Buffer &buffer : buffers) {
    if (address < buffer.address || address - buffer.address >= buffer.bytes)
      continue;
    bool isExact = buffer.address == address;
    bool hasExact = best && best->address == address;
    if (!best || (isExact && !hasExact) ||
        (isExact == hasExact && buffer.bytes > best->bytes))
      best = buffer;
  }
  return best;
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

} // namespace tilewright::reference

using tilewright::reference::Buffer;

void tw_device::addBuffer(uint64_t address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  buffers.push_back({address, bytes});
}

void tw_device::removeBuffer(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = llvm::find_if(
      buffers, [&](const Buffer &buffer) { return buffer.address == address; });
  if (found != buffers.end())
    buffers.erase(found);
}

std::optional<Buffer> tw_device::findBuffer(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  return tilewright::reference::findBuffer(buffers, address);
}
