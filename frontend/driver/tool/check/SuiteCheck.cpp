//===- SuiteCheck.cpp - A plugin over a whole suite of kernels --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `verify` runs and compares; here its cells become results of the kit.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/check/SuiteCheck.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/suite/Manifest.h"
#include "frontend/driver/tool/verify/suite/RowChecks.h"
#include "frontend/driver/tool/verify/suite/Rows.h"
#include "plugins/loader/Discovery.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace tilewright::tool {

using conformance::RowOutcome;
using conformance::SuiteReport;

/// "language" is the suite that is installed with the kit.
static std::string fileOf(const std::string &name) {
  if (verify::isManifest(name))
    return name;
  std::string path = plugins::packageFolder() + "/kernels/" + name + ".json";
  if (!std::filesystem::exists(path))
    throw Failure(7001, "there is no suite '" + name + "': no '" + path + "'",
                  "name a manifest of `tilewright verify`; `cmake --build "
                  "build --target language-suite` writes that of the language");
  return path;
}

/// One line on a terminal, a line for each thousand rows elsewhere.
static void showProgress(size_t done, size_t all) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K%zu of %zu rows%s", done, all,
                 done == all ? "\r\033[K" : "");
  else if (done % 1000 == 0)
    std::fprintf(stderr, "%zu of %zu rows\n", done, all);
}

/// How a row ended on the only target, before the lists are asked.
static RowOutcome outcomeOf(const verify::Row &row) {
  RowOutcome outcome;
  outcome.name = row.id;
  if (row.cells.empty()) {
    outcome.state = RowOutcome::State::Failed;
    outcome.text = row.errorCode + ": " + row.error;
    return outcome;
  }
  const verify::Cell &cell = row.cells.front();
  outcome.code = cell.code;
  switch (cell.status) {
  case verify::Status::Pass:
    outcome.state = RowOutcome::State::Passed;
    return outcome;
  case verify::Status::CannotCompile:
    outcome.state = RowOutcome::State::Refused;
    break;
  case verify::Status::CannotRun:
  case verify::Status::NotJudged: // the reference refuses what this target has
    outcome.state = RowOutcome::State::NotRun;
    break;
  case verify::Status::Fail:
    outcome.state = RowOutcome::State::Failed;
    break;
  }
  outcome.text = verify::summary(cell);
  return outcome;
}

SuiteReport runSuite(const SuiteOptions &options,
                     const std::vector<std::string> &libraries,
                     const std::string &target,
                     const conformance::Lists &lists) {
  CommonOptions common;
  common.file = fileOf(options.name);
  common.pluginPaths = libraries;
  verify::VerifyOptions chosen;
  chosen.only = options.only;
  std::vector<verify::Experiment> rows = verify::makeRows(common, chosen);
  verify::RunnerOptions runner;
  runner.common = common;
  runner.targets = {target};
  runner.hasAdvice = false;
  verify::checkRows(runner, rows);
  std::vector<RowOutcome> outcomes(rows.size());
  size_t done = 0;
  verify::WorkerPool pool(runner, options.pool,
                          [&](size_t number, verify::Row row) {
                            outcomes[number] = outcomeOf(row);
                            showProgress(++done, rows.size());
                          });
  std::vector<size_t> numbers(rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    numbers[i] = i;
  pool.run(rows, numbers);
  return conformance::judgeSuite(options.name, std::move(outcomes), lists,
                                 /*isWhole=*/options.only.empty());
}

} // namespace tilewright::tool
