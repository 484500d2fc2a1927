//===- ThreadPool.cpp - Runs the programs of a grid -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of open launches under one mutex, taken twice a launch; chunks are
// handed out by one atomic addition.
//===----------------------------------------------------------------------===//
#include "backends/cpu/driver/ThreadPool.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

namespace tilewright::cpu {

/// How often a worker looks for the next launch before it sleeps: a few
/// microseconds, about what waking up costs.
static constexpr unsigned spinRounds = 2000;

/// Chunks a thread; more balance better, fewer cost less.
static constexpr uint64_t chunksPerThread = 16;

Scratch::~Scratch() { std::free(memory); }

void *Scratch::grow(uint64_t bytes, uint64_t alignment) {
  alignment = std::max<uint64_t>(alignment, 64);
  void *larger = nullptr;
  if (posix_memalign(&larger, alignment, bytes))
    return nullptr;
  std::free(memory);
  memory = larger;
  capacity = bytes;
  aligned = alignment;
  return memory;
}

static void pauseBriefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

ThreadPool::ThreadPool(unsigned threads) : threadCount(std::max(1u, threads)) {}

ThreadPool::~ThreadPool() {
  if (owner != getpid()) {
    // After a fork the workers are not here; there is nothing to join.
    for (std::thread &worker : workers)
      worker.detach();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

/// Fewer threads than asked for are no error: the caller can do all the work.
void ThreadPool::startWorkers() {
  owner = getpid();
  try {
    workers.reserve(threadCount - 1);
    while (workers.size() + 1 < threadCount)
      workers.emplace_back([this] { work(); });
  } catch (const std::exception &) {
  }
}

void ThreadPool::process(Job &job, void *scratch) {
  const uint64_t total = static_cast<uint64_t>(job.total);
  while (true) {
    uint64_t begin = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
    if (begin >= total)
      return;
    uint64_t end = std::min(begin + job.chunk, total);
    if (!job.run(job, static_cast<int64_t>(begin), static_cast<int64_t>(end),
                 scratch))
      job.next.store(total, std::memory_order_relaxed);
  }
}

/// The oldest launch that has programs left; called with the mutex held.
Job *ThreadPool::takeJob() {
  Job *oldest = nullptr;
  for (Job *job = jobs; job; job = job->following)
    if (job->next.load(std::memory_order_relaxed) <
        static_cast<uint64_t>(job->total))
      oldest = job;
  return oldest;
}

void ThreadPool::work() {
  Scratch scratch;
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    Job *job = takeJob();
    if (!job) {
      uint64_t seen = launches.load(std::memory_order_relaxed);
      lock.unlock();
      for (unsigned i = 0; i < spinRounds; ++i) {
        if (launches.load(std::memory_order_relaxed) != seen)
          break;
        pauseBriefly();
      }
      lock.lock();
      if (!takeJob() && !stopping)
        wake.wait(lock);
      continue;
    }
    ++job->helpers;
    lock.unlock();
    void *memory = nullptr;
    if (job->scratchBytes)
      memory = scratch.get(job->scratchBytes, job->scratchAlignment);
    // Without memory this worker leaves the rest to the others.
    bool helped = memory || !job->scratchBytes;
    if (helped)
      process(*job, memory);
    lock.lock();
    if (--job->helpers == 0)
      done.notify_all();
    if (!helped)
      wake.wait(lock);
  }
}

void ThreadPool::run(Job &job, void *callerScratch) {
  uint64_t total = static_cast<uint64_t>(job.total);
  job.chunk = std::max<uint64_t>(1, total / (threadCount * chunksPerThread));
  std::call_once(started, [this] { startWorkers(); });
  if (owner != getpid() || workers.empty())
    return process(job, callerScratch);
  {
    std::lock_guard<std::mutex> lock(mutex);
    job.following = jobs;
    jobs = &job;
    launches.fetch_add(1, std::memory_order_relaxed);
  }
  uint64_t chunks = (total + job.chunk - 1) / job.chunk;
  if (chunks > workers.size())
    wake.notify_all();
  else
    for (uint64_t i = 1; i < chunks; ++i)
      wake.notify_one();
  process(job, callerScratch);
  std::unique_lock<std::mutex> lock(mutex);
  Job **link = &jobs;
  while (*link != &job)
    link = &(*link)->following;
  *link = job.following;
  done.wait(lock, [&] { return job.helpers == 0; });
}

} // namespace tilewright::cpu
