//===- MemoryMap.cpp - Addresses of buffers that have none ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made-up addresses are never reused, so that a stale one is noticed.
//===----------------------------------------------------------------------===//
#include "backends/spirv/driver/MemoryMap.h"

#include <algorithm>
#include <mutex>

namespace tilewright::spirv {

/// Alignment of made-up addresses, and the gap behind each.
static constexpr uint64_t kGap = 4096;

uint64_t MemoryMap::addHandle(cl_mem handle, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t address = nextAddress;
  nextAddress += (bytes / kGap + 2) * kGap;
  entries.emplace(address, Entry{bytes, handle, Kind::Handle});
  return address;
}

void MemoryMap::add(uint64_t address, uint64_t bytes, Kind kind) {
  std::lock_guard<std::mutex> lock(mutex);
  entries.emplace(address, Entry{bytes, nullptr, kind});
}

MemoryMap::Entry MemoryMap::take(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = entries.find(address);
  if (found == entries.end())
    return {0, nullptr, Kind::Imported};
  Entry entry = found->second;
  entries.erase(found);
  return entry;
}

bool MemoryMap::find(const opencl::Api &api, cl_context context,
                     uint64_t address, Place &place) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = entries.upper_bound(address);
  while (it != entries.begin()) {
    --it;
    Entry &entry = it->second;
    if (address - it->first > entry.bytes)
      continue;
    if (!entry.handle) {
      cl_int status = CL_SUCCESS;
      entry.handle =
          api.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                             std::max<uint64_t>(entry.bytes, 1),
                             reinterpret_cast<void *>(it->first), &status);
      if (status != CL_SUCCESS)
        return false;
    }
    place = {entry.handle, address - it->first};
    return true;
  }
  return false;
}

} // namespace tilewright::spirv
