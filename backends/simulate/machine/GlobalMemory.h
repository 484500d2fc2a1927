//===- GlobalMemory.h - What a program does to global memory ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who wrote and who read each byte since the last barrier that orders global
// memory. A program observes its own accesses in program order; threads that
// hold its elements do so only by barriers.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_GLOBALMEMORY_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_GLOBALMEMORY_H

#include "backends/simulate/machine/SharedMemory.h"

#include <array>
#include <memory>
#include <unordered_map>

namespace tilewright::simulate {

class GlobalMemory {
public:
  /// A program begins: programs are not ordered here.
  void begin();
  void passBarrier() { ++epoch; }

  /// Two writes are no finding: which element of one store wins is open.
  Finding access(const Toucher &who, const char *address, uint32_t count,
                 uint32_t alignment);

private:
  struct Trace {
    uint64_t written = 0, read = 0; ///< the epoch, 0: never
    Toucher writer, reader;
  };
  static constexpr uint64_t kBlockBytes = 64;
  using TraceBlock = std::array<Trace, kBlockBytes>;

  Trace &traceAt(uint64_t address);
  Finding conflict(const Toucher &who, const Trace &trace) const;

  std::unordered_map<uint64_t, std::unique_ptr<TraceBlock>> blocks;
  uint64_t last = 0; ///< number of `lastBlock`
  TraceBlock *lastBlock = nullptr;
  uint64_t epoch = 1;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_GLOBALMEMORY_H
