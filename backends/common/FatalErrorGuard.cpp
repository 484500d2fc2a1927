//===- FatalErrorGuard.cpp - Surviving LLVM's fatal errors ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler is process-wide in LLVM; it only acts on threads that this file
// started, elsewhere LLVM aborts as before.
//===----------------------------------------------------------------------===//
#include "backends/common/FatalErrorGuard.h"

#include "llvm/Support/ErrorHandling.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <unistd.h>

namespace tilewright::backend {

namespace {
/// Shared by the caller and the working thread, and outlives a stopped one.
struct Outcome {
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::optional<std::string> fatal;

  void finish(std::optional<std::string> message) {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
    fatal = std::move(message);
    changed.notify_one();
  }
};
} // namespace

/// The outcome that a fatal error on this thread belongs to.
static thread_local Outcome *guarded = nullptr;

static void stopThread(void *, const char *reason, bool) {
  if (!guarded)
    return; // not our thread: LLVM goes on to abort
  guarded->finish(std::string(reason));
  while (true)
    ::pause();
}

/// Every plugin has its own copy of this file, but LLVM has one handler: the
/// plugin that compiles takes it over from the one that compiled before.
static void install() {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(stopThread);
}

std::optional<std::string> runGuarded(std::function<void()> work) {
  install();
  auto outcome = std::make_shared<Outcome>();
  std::thread worker([outcome, work = std::move(work)] {
    guarded = outcome.get();
    std::optional<std::string> failure;
    try {
      work();
    } catch (const std::bad_alloc &) {
      failure = "out of memory";
    }
    guarded = nullptr;
    outcome->finish(std::move(failure));
  });
  std::unique_lock<std::mutex> lock(outcome->mutex);
  outcome->changed.wait(lock, [&] { return outcome->isDone; });
  bool isFatal = outcome->fatal.has_value();
  lock.unlock();
  if (isFatal)
    worker.detach();
  else
    worker.join();
  return outcome->fatal;
}

} // namespace tilewright::backend
