//===- SignalHandlers.h - The host's signal handlers stay -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL implementations that carry an LLVM install its handlers for crashes
// and interrupts, over those of the user's program (Python's for Ctrl-C).
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_OPENCL_SIGNALHANDLERS_H
#define TILEWRIGHT_BACKENDS_SPIRV_OPENCL_SIGNALHANDLERS_H

#include <csignal>

namespace tilewright::opencl {

/// Puts back, at the end of its scope, every handler that was changed in it.
class KeepSignalHandlers {
public:
  KeepSignalHandlers() {
    for (int signal = 1; signal < count; ++signal)
      isKnown[signal] = sigaction(signal, nullptr, &before[signal]) == 0;
  }
  ~KeepSignalHandlers() {
    for (int signal = 1; signal < count; ++signal) {
      struct sigaction now = {};
      if (isKnown[signal] && sigaction(signal, nullptr, &now) == 0 &&
          now.sa_sigaction != before[signal].sa_sigaction)
        sigaction(signal, &before[signal], nullptr);
    }
  }
  KeepSignalHandlers(const KeepSignalHandlers &) = delete;
  KeepSignalHandlers &operator=(const KeepSignalHandlers &) = delete;

private:
  static constexpr int count = 65;
  bool isKnown[count] = {};
  struct sigaction before[count] = {};
};

} // namespace tilewright::opencl

#endif // TILEWRIGHT_BACKENDS_SPIRV_OPENCL_SIGNALHANDLERS_H
