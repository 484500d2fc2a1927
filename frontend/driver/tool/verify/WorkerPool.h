//===- WorkerPool.h - Rows in processes that may crash ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows run in forked processes: several at once, and a kernel that crashes or
// hangs costs its cell, not the report. A worker serves rows until it dies.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_WORKERPOOL_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_WORKERPOOL_H

#include "frontend/driver/tool/verify/Runner.h"

#include <deque>
#include <memory>

namespace tilewright::tool::verify {

struct PoolOptions {
  unsigned workers = 1;
  double secondsPerCell = 300;
};

class WorkerPool {
public:
  /// `done` gets each row when it is complete, in the order in which they end.
  WorkerPool(const RunnerOptions &runner, const PoolOptions &options,
             std::function<void(size_t, Row)> done);
  ~WorkerPool();

  /// Runs the rows of these numbers. Must be called before this process has
  /// opened a plugin: what plugins start does not survive a fork.
  void run(const std::vector<Experiment> &experiments,
           std::vector<size_t> numbers);

private:
  struct Worker;
  struct Job {
    size_t number;
    std::vector<Cell> cells; ///< made by workers that died since
  };

  std::unique_ptr<Worker> start(const std::vector<Experiment> &experiments);
  void serve(const std::vector<Experiment> &experiments, int input, int output);
  void assign(Worker &worker, Job job);
  void take(Worker &worker);
  void takeMessage(Worker &worker, const nlohmann::json &message);
  void bury(Worker &worker, const std::string &reason);
  void finish(Job job, Row row);

  RunnerOptions runner;
  PoolOptions options;
  std::function<void(size_t, Row)> done;
  const std::vector<Experiment> *all = nullptr;
  std::deque<Job> waiting;
  std::vector<std::unique_ptr<Worker>> workers;
};

/// Calls `work` in a forked process and returns its text, or throws what it
/// threw; Failure 7035 where that process died.
std::string runForked(const std::function<std::string()> &work);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_WORKERPOOL_H
