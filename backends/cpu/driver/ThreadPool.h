//===- ThreadPool.h - Runs the programs of a grid ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent workers that help launches of any number of callers. The caller
// works too, so that a launch never depends on a worker waking up, and chunks
// are handed out in order of program ids, so that a program may wait for one
// with a lower id.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_DRIVER_THREADPOOL_H
#define TILEWRIGHT_BACKENDS_CPU_DRIVER_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace tilewright::cpu {

/// Grow-only memory of one thread.
class Scratch {
public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// At least `bytes` at `alignment`; nullptr when there is no memory.
  void *get(uint64_t bytes, uint64_t alignment) {
    if (bytes <= capacity && alignment <= aligned)
      return memory;
    return grow(bytes, alignment);
  }

private:
  void *grow(uint64_t bytes, uint64_t alignment);

  void *memory = nullptr;
  uint64_t capacity = 0;
  uint64_t aligned = 0;
};

/// One launch; lives on the launching thread's stack.
struct Job {
  /// Runs the programs [begin, end) with this thread's scratch; returns false
  /// to stop the launch early.
  bool (*run)(const Job &job, int64_t begin, int64_t end,
              void *scratch) = nullptr;
  const void *context = nullptr;
  int64_t total = 0;
  uint64_t scratchBytes = 0;
  uint64_t scratchAlignment = 64;

private:
  friend class ThreadPool;
  alignas(64) std::atomic<uint64_t> next{0}; // first program not handed out
  uint64_t chunk = 1;
  unsigned helpers = 0; // workers inside; guarded by the pool's mutex
  Job *following = nullptr;
};

class ThreadPool {
public:
  /// `threads` counts the caller; workers start with the first launch.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return threadCount; }

  /// Runs all programs of `job` and returns when the last one has ended.
  void run(Job &job, void *callerScratch);

private:
  void startWorkers();
  void work();
  Job *takeJob();
  static void process(Job &job, void *scratch);

  const unsigned threadCount;
  std::once_flag started;
  pid_t owner = 0; // workers exist in this process only
  std::vector<std::thread> workers;

  std::atomic<uint64_t> launches{0}; // so far; idle workers watch it
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  Job *jobs = nullptr; // newest first
  bool stopping = false;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_DRIVER_THREADPOOL_H
