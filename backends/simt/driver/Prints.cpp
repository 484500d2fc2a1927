//===- Prints.cpp - What kernels print --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats are read when a module is loaded: nothing is copied from the device
// afterwards, so that lines of a kernel that ended the context are readable.
//===----------------------------------------------------------------------===//
#include "backends/simt/driver/Prints.h"

#include "backends/common/host/PrintFormat.h"

#include <algorithm>
#include <cstring>

namespace tilewright::gpu {

Status Prints::makeQueue(const Api &api) {
  if (queue)
    return Success;
  void *memory = nullptr;
  if (Status status = api.memHostAlloc(&memory, sizeof(tw_gpu_prints),
                                       HostAllocPortable | HostAllocMapped))
    return status;
  auto *made = static_cast<tw_gpu_prints *>(memory);
  std::memset(memory, 0, sizeof *made);
  made->limit = TW_GPU_PRINT_LINES;
  Status status = api.memHostGetDevicePointer(&onDevice, memory, 0);
  if (status == Success)
    queue = made;
  else
    api.memFreeHost(memory);
  return status;
}

Status Prints::readFormats(const Api &api, Module module,
                           const std::string &image,
                           std::vector<Address> &formats) {
  for (;;) {
    std::string name = TW_GPU_FORMAT_SYMBOL + std::to_string(formats.size());
    if (image.find(name) == std::string::npos)
      return Success;
    Address address = 0;
    size_t bytes = 0;
    Status status = api.moduleGetGlobal(&address, &bytes, module, name.c_str());
    if (status == NotFound)
      return Success;
    std::string text(status == Success ? bytes : 0, '\0');
    if (status == Success && bytes)
      status = api.memcpyDtoH(text.data(), address, bytes);
    if (status != Success)
      return status;
    text.resize(std::min(text.find('\0'), text.size()));
    texts[address] = std::move(text);
    formats.push_back(address);
  }
}

Status Prints::connect(const Api &api, Module module, const std::string &image,
                       std::vector<Address> &formats) {
  if (image.find(TW_GPU_PRINTS_SYMBOL) == std::string::npos)
    return Success;
  Address slot = 0;
  size_t bytes = 0;
  Status status =
      api.moduleGetGlobal(&slot, &bytes, module, TW_GPU_PRINTS_SYMBOL);
  if (status == NotFound)
    return Success;
  if (status != Success || bytes != sizeof onDevice)
    return status ? status : InvalidImage;
  std::lock_guard<std::mutex> lock(mutex);
  if ((status = makeQueue(api)) ||
      (status = readFormats(api, module, image, formats)))
    return status;
  return api.memcpyHtoD(slot, &onDevice, sizeof onDevice);
}

void Prints::forget(const std::vector<Address> &formats) {
  std::lock_guard<std::mutex> lock(mutex);
  for (Address address : formats)
    texts.erase(address);
}

/// Appends the line of a number if its thread has finished it.
bool Prints::takeLine(uint64_t number, std::string &text) {
  const tw_gpu_print_line &line =
      queue.load()->lines[number % TW_GPU_PRINT_LINES];
  if (__atomic_load_n(&line.number, __ATOMIC_ACQUIRE) != number + 1)
    return false;
  auto format = texts.find(line.format);
  if (format != texts.end())
    text +=
        host::formatRecord(format->second, line.values, TW_GPU_PRINT_VALUES);
  return true;
}

void Prints::drain(const tw_print_interface *sink) {
  tw_gpu_prints *from = queue.load(std::memory_order_acquire);
  // Called at every launch: most have nothing new.
  if (!from || (!hasPending.load(std::memory_order_relaxed) &&
                __atomic_load_n(&from->taken, __ATOMIC_ACQUIRE) ==
                    next.load(std::memory_order_relaxed)))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  uint64_t taken = __atomic_load_n(&from->taken, __ATOMIC_ACQUIRE);
  uint64_t limit = from->limit, first = next;
  std::vector<uint64_t> looked = std::move(pending);
  for (uint64_t number = first; number < std::min(taken, limit); ++number)
    looked.push_back(number);
  pending.clear();
  for (uint64_t number : looked)
    if (!takeLine(number, text))
      pending.push_back(number);
  if (taken > std::max(first, limit))
    text += "[" + std::to_string(taken - std::max(first, limit)) +
            " lines are lost: more than " + std::to_string(TW_GPU_PRINT_LINES) +
            " were printed between two synchronisations]\n";
  next = std::max(first, taken);
  hasPending = !pending.empty();
  uint64_t oldest = pending.empty() ? next.load() : pending.front();
  __atomic_store_n(&from->limit, std::max(limit, oldest + TW_GPU_PRINT_LINES),
                   __ATOMIC_RELEASE);
  if (sink && !text.empty())
    sink->write(sink->ctx, text.data(), text.size());
}

void Prints::close(const Api &api) {
  if (tw_gpu_prints *memory = queue.exchange(nullptr))
    api.memFreeHost(memory);
}

} // namespace tilewright::gpu
