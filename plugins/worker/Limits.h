//===- Limits.h - What a compile in a worker may cost -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data, chosen by the host; a request may only lower it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_LIMITS_H
#define TILEWRIGHT_PLUGINS_WORKER_LIMITS_H

#include <cstdint>
#include <string>

namespace tilewright::worker {

struct Limits {
  uint64_t compileNanoseconds = 300'000'000'000; // then the worker is ended
  uint64_t callNanoseconds = 60'000'000'000;     // every other call
  uint64_t cancelNanoseconds = 2'000'000'000;    // from cancel to its end
  uint64_t memoryBytes = 0; // of private data; 0: three quarters of the machine
  uint64_t keptBytes = 1ull << 30; // a worker that holds more afterwards goes
  std::string reproducerFolder = "/tmp"; // where failed requests are kept
};

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_LIMITS_H
