//===- SharedMemory.h - A program's shared memory, watched ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes, and who touched each of them since the last barrier. Two threads that
// touch a byte between two barriers, one of them writing, have no order on any
// hardware; that is found whatever order the machine happens to choose.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SHAREDMEMORY_H
#define TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SHAREDMEMORY_H

#include "backends/simulate/machine/LaneABI.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::simulate {

/// What is wrong with an access, as a code TW<code> and a text; code 0:
/// nothing.
struct Finding {
  uint32_t code = 0;
  std::string text;
  explicit operator bool() const { return code != 0; }
};

/// The thread of a reader that stands for several.
inline constexpr uint32_t kManyThreads = ~0u;

/// Who touches memory, how (services::Access), and where in the source.
struct Toucher {
  uint32_t thread = 0;
  uint32_t access = 0;
  const CodePlace *place = nullptr;
};

/// " at line 7", or nothing where the place is not known.
std::string lineOf(const Toucher &who);

class SharedMemory {
public:
  /// A program begins: `bytes` that hold nothing. Floats read as NaN.
  void begin(uint64_t bytes);
  /// All threads met.
  void passBarrier() { ++epoch; }

  char *data() { return bytes.data() + kMargin; }

  Finding access(const Toucher &who, const char *address, uint32_t count,
                 uint32_t alignment);
  /// A copy to these bytes starts: until it lands nobody may touch them.
  Finding startCopy(const Toucher &who, const char *address, uint32_t count);
  /// The copy has written these bytes.
  void landCopy(const Toucher &who, const char *address, uint32_t count);

private:
  /// Who touched one byte; epochs grow over the life of the machine.
  struct Trace {
    uint64_t written = 0, read = 0; ///< the epoch, 0: never
    Toucher writer, reader;
    bool isLanding = false; ///< a copy is under way
  };
  static constexpr uint64_t kMargin = 64; ///< keeps the data aligned

  Finding locate(const char *address, uint32_t count, uint32_t alignment,
                 uint64_t &offset) const;
  Finding conflict(const Toucher &who, uint64_t offset) const;

  std::vector<char> bytes;
  std::vector<Trace> traces;
  uint64_t size = 0, epoch = 1, beginning = 1;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_MACHINE_SHAREDMEMORY_H
