//===- Runtime.cpp - Device, memory, streams, events -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device whose memory is the process's own.
//===----------------------------------------------------------------------===//
#include "backends/reference/Driver.h"

#include <cstring>

namespace tilewright::reference {

//===--- Device -----------------------------------------------------------===//

static int32_t openDevice(tw_backend *backend, uint32_t ordinal,
                          const tw_sink *sink, tw_device **device) {
  if (int32_t status = host::checkOrdinal(ordinal, "reference", sink))
    return status;
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
    if (int32_t status =
            host::allocateMemory(device, bytes, alignment, address))
      return status;
    // What is read unwritten is always the same.
    std::memset(reinterpret_cast<void *>(*address), 0, bytes);
    device->addBuffer(*address, bytes);
    device->allocations.add(*address, bytes);
    return TW_OK;
  });
}

static int32_t freeMemory(tw_device *device, uint64_t address) {
  device->removeBuffer(address);
  device->allocations.remove(address);
  return host::freeMemory(device, address);
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

static tw_runtime_table makeTable() {
  tw_runtime_table table = host::runtimeTable();
  table.device_open = openDevice;
  table.device_close = closeDevice;
  table.device_name = nameDevice;
  table.get_caps = getCaps;
  table.memory_allocate = allocateMemory;
  table.memory_free = freeMemory;
  table.memory_import = importMemory;
  table.memory_unimport = unimportMemory;
  table.memory_copy = copyMemory;
  table.memory_fill = fillMemory;
  table.stream_create = createStream;
  table.module_load = loadModule;
  table.module_unload = unloadModule;
  table.grade_artifact = gradeArtifact;
  return table;
}

const tw_runtime_table runtimeTable = makeTable();

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
