//===- LaunchMemory.cpp - Prints and errors of kernels ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels write records into memory that belongs to their stream; the host
// reads them once the queue is empty.
//===----------------------------------------------------------------------===//
#include "backends/common/host/PrintFormat.h"
#include "backends/spirv/driver/Driver.h"

#include <algorithm>
#include <cstring>

namespace tilewright::spirv {

static constexpr uint32_t kPrintRoom = 1u << 20;
static constexpr uint32_t kDeviceError = 6012;

/// Copies between host and launch memory and waits.
static int32_t transfer(tw_stream *stream, uint64_t offset, void *host,
                        uint64_t bytes, bool toDevice) {
  uint64_t device = stream->launchMemory + offset;
  uint64_t address = reinterpret_cast<uintptr_t>(host);
  if (stream->isVisible) {
    void *memory = reinterpret_cast<void *>(device);
    std::memcpy(toDevice ? memory : host, toDevice ? host : memory, bytes);
    return TW_OK;
  }
  int32_t status =
      toDevice
          ? copyMemory(stream, device, address, bytes, TW_COPY_HOST_TO_DEVICE)
          : copyMemory(stream, address, device, bytes, TW_COPY_DEVICE_TO_HOST);
  return status ? status
                : stream->check(stream->device->api->clFinish(stream->queue));
}

namespace {
/// The fixed part of the launch memory, as words.
struct Header {
  uint32_t words[TW_SPIRV_PRINT_AREA / 4] = {};

  uint32_t &at(uint32_t offset) { return words[offset / 4]; }
  uint64_t wide(uint32_t offset) const {
    uint64_t value;
    std::memcpy(&value, words + offset / 4, sizeof value);
    return value;
  }
};
} // namespace

static Header emptyHeader() {
  Header header;
  header.at(TW_SPIRV_PRINT_ROOM) = kPrintRoom;
  return header;
}

static int32_t writeHeader(tw_stream *stream, Header header) {
  return transfer(stream, 0, header.words, sizeof header.words, true);
}

int32_t makeLaunchMemory(tw_stream *stream) {
  const opencl::Device &info = *stream->device->info;
  stream->isVisible = info.sharesHostMemory ||
                      (info.traits.hasAddresses && info.hasFineBuffers);
  if (int32_t status =
          allocateMemory(stream->device, TW_SPIRV_PRINT_AREA + kPrintRoom, 64,
                         &stream->launchMemory))
    return status;
  return writeHeader(stream, emptyHeader());
}

/// Sends the lines of all complete records to the host.
static void printRecords(tw_backend &backend, const std::vector<char> &area,
                         bool isFull) {
  std::string text;
  size_t at = 0;
  while (at + TW_SPIRV_PRINT_HEADER <= area.size()) {
    uint32_t bytes;
    uint64_t id;
    std::memcpy(&bytes, area.data() + at, sizeof bytes);
    std::memcpy(&id, area.data() + at + 8, sizeof id);
    if (bytes < TW_SPIRV_PRINT_HEADER || bytes > area.size() - at)
      break;
    std::vector<uint64_t> values((bytes - TW_SPIRV_PRINT_HEADER) / 8);
    if (!values.empty())
      std::memcpy(values.data(), area.data() + at + TW_SPIRV_PRINT_HEADER,
                  values.size() * 8);
    text += host::formatRecord(backend.texts.find(id), values.data(),
                               values.size());
    at += bytes;
  }
  if (isFull)
    text += "[more was printed than fits into " +
            std::to_string(kPrintRoom >> 20) +
            " MiB between two synchronisations; the rest is lost]\n";
  if (!backend.print || text.empty())
    return;
  std::lock_guard<std::mutex> lock(backend.printMutex);
  backend.print->write(backend.print->ctx, text.data(), text.size());
}

static int32_t drainPrints(tw_stream *stream, uint32_t used) {
  // In place of a record that did not fit there is a size of 0.
  std::vector<char> area(std::min(used, kPrintRoom));
  if (int32_t status = transfer(stream, TW_SPIRV_PRINT_AREA, area.data(),
                                area.size(), false))
    return status;
  printRecords(*stream->device->backend, area, used > kPrintRoom);
  return TW_OK;
}

static void reportFailure(tw_stream *stream, Header &header,
                          const tw_sink *sink) {
  Texts &texts = stream->device->backend->texts;
  std::string message = texts.find(header.wide(TW_SPIRV_FAIL_TEXT));
  std::string file = texts.find(header.wide(TW_SPIRV_FAIL_FILE));
  if (message.empty())
    message = "the kernel failed";
  tw_location location = {};
  location.file = tw_str{file.data(), file.size()};
  location.line = header.at(TW_SPIRV_FAIL_LINE);
  tw_diagnostic diagnostic = {};
  diagnostic.size = sizeof diagnostic;
  diagnostic.severity = TW_SEVERITY_ERROR;
  diagnostic.code = header.at(TW_SPIRV_FAIL_CODE);
  if (!diagnostic.code)
    diagnostic.code = kDeviceError;
  diagnostic.message = tw_str{message.data(), message.size()};
  diagnostic.location = file.empty() ? nullptr : &location;
  sink->emit(sink->ctx, &diagnostic);
}

int32_t drainLaunchMemory(tw_stream *stream, const tw_sink *sink) {
  stream->keepsFailure = false; // the copies below are not refused
  Header header;
  if (int32_t status =
          transfer(stream, 0, header.words, sizeof header.words, false))
    return status;
  uint32_t used = header.at(TW_SPIRV_PRINT_USED);
  bool failed = header.at(TW_SPIRV_FAILED) != 0;
  if (used)
    if (int32_t status = drainPrints(stream, used))
      return status;
  bool isReported = failed && sink && sink->emit;
  if (isReported)
    reportFailure(stream, header, sink);
  if (used || isReported) {
    Header empty = emptyHeader();
    if (failed && !isReported) { // kept for whoever asks what it was
      empty = header;
      empty.at(TW_SPIRV_PRINT_USED) = 0;
    }
    if (int32_t status = writeHeader(stream, empty))
      return status;
  }
  stream->keepsFailure = failed && !isReported;
  return failed ? TW_E_DEVICE_ERROR : TW_OK;
}

} // namespace tilewright::spirv

bool tw_stream::hasFailed() const {
  if (keepsFailure || !isVisible)
    return keepsFailure;
  auto *word =
      reinterpret_cast<const uint32_t *>(launchMemory + TW_SPIRV_FAILED);
  return __atomic_load_n(word, __ATOMIC_RELAXED) != 0;
}
