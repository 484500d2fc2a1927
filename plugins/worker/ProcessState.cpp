//===- ProcessState.cpp - What a plugin must leave as it was ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads only; the file mode mask comes from /proc, since umask() writes.
//===----------------------------------------------------------------------===//
#include "plugins/worker/ProcessState.h"

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

extern char **environ;

namespace tilewright::worker {

static uint64_t readFloatControl() {
#if defined(__x86_64__)
  fenv_t environment;
  std::fegetenv(&environment);
  // The low six bits of MXCSR are flags that arithmetic raises.
  return uint64_t(environment.__control_word) << 32 |
         (environment.__mxcsr & ~0x3fu);
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return uint64_t(std::fegetround());
#endif
}

static uint32_t readFileModeMask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Umask:", 0) == 0)
      return uint32_t(std::stoul(line.substr(6), nullptr, 8));
  return 0;
}

static uint64_t readSignalMask() {
  sigset_t set;
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, nullptr, &set);
  uint64_t mask = 0;
  for (int signal = 1; signal < 64; ++signal)
    if (sigismember(&set, signal) == 1)
      mask |= uint64_t(1) << signal;
  return mask;
}

ProcessState ProcessState::take() {
  ProcessState state;
  state.floatControl = readFloatControl();
  for (int signal = 1; signal <= 64; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) == 0)
      state.handlers[signal] =
          action.sa_flags & SA_SIGINFO
              ? reinterpret_cast<uintptr_t>(action.sa_sigaction)
              : reinterpret_cast<uintptr_t>(action.sa_handler);
  }
  state.signalMask = readSignalMask();
  if (const char *name = std::setlocale(LC_ALL, nullptr))
    state.locale = name;
  std::error_code error;
  state.folder = std::filesystem::current_path(error).string();
  state.fileModeMask = readFileModeMask();
  for (char **entry = environ; entry && *entry; ++entry)
    state.environment.emplace_back(*entry);
  return state;
}

std::string ProcessState::changesTo(const ProcessState &after) const {
  std::string changes;
  auto note = [&](bool hasChanged, const std::string &what) {
    if (hasChanged)
      changes += (changes.empty() ? "" : ", ") + what;
  };
  note(floatControl != after.floatControl, "floating-point control");
  for (int signal = 1; signal <= 64; ++signal)
    if (handlers[signal] != after.handlers[signal]) {
      const char *name = sigabbrev_np(signal);
      note(true, std::string("handler of ") +
                     (name ? "SIG" + std::string(name)
                           : "signal " + std::to_string(signal)));
    }
  note(signalMask != after.signalMask, "signal mask");
  note(locale != after.locale, "locale");
  note(folder != after.folder, "current folder");
  note(fileModeMask != after.fileModeMask, "file mode mask");
  note(environment != after.environment, "environment");
  return changes;
}

} // namespace tilewright::worker
