//===- ProcessState.h - What a plugin must leave as it was ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point control, signal handlers and mask, locale, folder, file mode
// mask, environment: taken before a plugin is called, compared afterwards.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_PROCESSSTATE_H
#define TILEWRIGHT_PLUGINS_WORKER_PROCESSSTATE_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::worker {

/// The state of this process and, for floating-point control and the signal
/// mask, of the calling thread.
class ProcessState {
public:
  static ProcessState take();

  uint64_t floatControl = 0; // rounding, flushing, traps; no flags
  std::array<uintptr_t, 65> handlers = {}; // by signal number
  uint64_t signalMask = 0;
  std::string locale;
  std::string folder;
  uint32_t fileModeMask = 0;
  std::vector<std::string> environment;

  /// "floating-point control, handler of SIGSEGV", or nothing when both agree.
  std::string changesTo(const ProcessState &after) const;
};

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_PROCESSSTATE_H
