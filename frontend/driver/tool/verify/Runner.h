//===- Runner.h - Running one row on its targets ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference first, under its checks; then each target on the same inputs,
// between guards, compared with what the reference wrote.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RUNNER_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RUNNER_H

#include "frontend/driver/tool/Launch.h"
#include "frontend/driver/tool/verify/Experiment.h"

#include <functional>

namespace tilewright::tool::verify {

/// What is the same for all rows.
struct RunnerOptions {
  CommonOptions common;
  std::vector<std::string> targets;
  std::string saveFolder;    ///< empty: arrays are not kept
  std::string compareFolder; ///< what another machine saved
  std::string ranges;        ///< of integers, for advice: "n=1..1000000"
  bool onlyLints = false;    ///< nothing runs
  bool hasAdvice = true;     ///< rows get advice, and a hash of their inputs
};

/// Called with a target before its cell is made, and with the cell behind it.
struct CellEvents {
  std::function<void(const std::string &)> begin;
  std::function<void(const Cell &)> end;
};

/// Runs rows one after the other and keeps compilers and devices open between
/// them. A kernel that crashes takes the process along, see WorkerPool.h.
class Runner {
public:
  explicit Runner(RunnerOptions options);
  ~Runner();

  /// Fills everything in `row` but its cells, which `events` get. Targets in
  /// `skipped` have their cells already.
  void run(const Experiment &experiment,
           const std::vector<std::string> &skipped, const CellEvents &events,
           Row &row);

private:
  class RowRun;
  Launcher &launcher(const std::string &target);

  RunnerOptions options;
  Session session; ///< owns the compiler
  std::map<std::string, std::unique_ptr<Launcher>> launchers;
};

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_RUNNER_H
