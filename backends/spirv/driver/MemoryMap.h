//===- MemoryMap.h - Addresses of buffers that have none --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface speaks of addresses. Where buffers are handles, each gets a
// range of addresses that only this map gives a meaning; where they have
// addresses, a handle is made when code that takes handles first asks.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_DRIVER_MEMORYMAP_H
#define TILEWRIGHT_BACKENDS_SPIRV_DRIVER_MEMORYMAP_H

#include "backends/spirv/opencl/Api.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace tilewright::spirv {

/// A buffer, and an offset in it.
struct Place {
  cl_mem handle = nullptr;
  uint64_t offset = 0;
};

class MemoryMap {
public:
  enum class Kind { Handle, Shared, Host, Imported };
  struct Entry {
    uint64_t bytes;
    cl_mem handle;
    Kind kind;
  };

  /// Addresses for a buffer without any.
  uint64_t addHandle(cl_mem handle, uint64_t bytes);
  void add(uint64_t address, uint64_t bytes, Kind kind);
  /// Forgets the buffer that starts at `address`; `bytes` is 0 if there is
  /// none.
  Entry take(uint64_t address);
  /// The buffer that holds `address`; false if there is none. The address just
  /// past the end belongs to a buffer too.
  bool find(const opencl::Api &api, cl_context context, uint64_t address,
            Place &place);

private:
  std::mutex mutex;
  std::multimap<uint64_t, Entry> entries;
  uint64_t nextAddress = uint64_t(1) << 44;
};

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_DRIVER_MEMORYMAP_H
