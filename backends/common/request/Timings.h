//===- Timings.h - Where the time of a compilation goes ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wall time and processor time per phase, in order, for the "timings" stage
// text. Processor time is that of all threads of the process: a worker
// compiles one thing at a time.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H
#define TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H

#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <string>
#include <time.h>
#include <utility>
#include <vector>

namespace tilewright::backend {

class Timings {
public:
  /// Ends the running phase and starts the next one.
  void begin(std::string name) {
    end();
    current = std::move(name);
    start = now();
  }
  void end() {
    if (current.empty())
      return;
    Moment spent = now();
    rows.push_back(
        {std::move(current),
         {spent.wall - start.wall, spent.processor - start.processor}});
    current.clear();
  }
  /// {"parse": milliseconds, ..., "processor": {"parse": milliseconds, ...}}
  std::string json() const {
    std::string walls, processors;
    for (const auto &[name, spent] : rows) {
      walls += llvm::formatv("\"{0}\": {1:f3}, ", name, spent.wall).str();
      processors +=
          (processors.empty() ? "" : ", ") +
          llvm::formatv("\"{0}\": {1:f3}", name, spent.processor).str();
    }
    return "{" + walls + "\"processor\": {" + processors + "}}";
  }

private:
  /// In milliseconds.
  struct Moment {
    double wall = 0, processor = 0;
  };
  static Moment now() {
    auto wall = std::chrono::steady_clock::now().time_since_epoch();
    timespec used = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return {std::chrono::duration<double, std::milli>(wall).count(),
            1e3 * double(used.tv_sec) + double(used.tv_nsec) / 1e6};
  }

  std::vector<std::pair<std::string, Moment>> rows;
  std::string current;
  Moment start;
};

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H
