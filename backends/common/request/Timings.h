//===- Timings.h - Where the time of a compilation goes ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wall time per phase, in order, for the "timings" stage text.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H
#define TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H

#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::backend {

class Timings {
public:
  /// Ends the running phase and starts the next one.
  void begin(std::string name) {
    end();
    current = std::move(name);
    start = std::chrono::steady_clock::now();
  }
  void end() {
    if (current.empty())
      return;
    auto spent = std::chrono::steady_clock::now() - start;
    rows.emplace_back(std::move(current),
                      std::chrono::duration<double, std::milli>(spent).count());
    current.clear();
  }
  /// {"parse": milliseconds, ...}
  std::string json() const {
    std::string text = "{";
    for (const auto &[name, milliseconds] : rows) {
      text += text.size() > 1 ? ", \"" : "\"";
      text += name + "\": " + llvm::formatv("{0:f3}", milliseconds).str();
    }
    return text + "}";
  }

private:
  std::vector<std::pair<std::string, double>> rows;
  std::string current;
  std::chrono::steady_clock::time_point start;
};

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REQUEST_TIMINGS_H
