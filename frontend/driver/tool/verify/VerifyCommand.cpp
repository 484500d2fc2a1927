//===- VerifyCommand.cpp - tilewright verify --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a kernel mean the same everywhere? Makes rows of a kernel or of a
// manifest, has them run, and prints or writes the matrix.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/Bisect.h"
#include "frontend/driver/tool/verify/Journal.h"
#include "frontend/driver/tool/verify/Lint.h"
#include "frontend/driver/tool/verify/report/Report.h"
#include "frontend/driver/tool/verify/suite/RowChecks.h"
#include "frontend/driver/tool/verify/suite/Rows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace tilewright::tool {

namespace {
using namespace verify;

std::string machineName() {
  utsname name = {};
  uname(&name);
  return std::string(name.nodename) + ", " + name.sysname + " " + name.machine;
}

/// The command line as it can be typed again.
std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line, word;
  while (std::getline(file, word, '\0')) {
    bool isPlain = !word.empty() &&
                   word.find_first_of(" ()*~\"'$&;<>|[]") == std::string::npos;
    line += (line.empty() ? "" : " ") + (isPlain ? word : "'" + word + "'");
  }
  return line;
}

std::string today() {
  char text[32];
  std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

/// One line a row on standard error; a terminal shows the last one only.
void showProgress(size_t done, size_t all, const Row &row) {
  std::string line = "[" + std::to_string(done) + "/" + std::to_string(all) +
                     "] " + row.id + ":";
  for (const Cell &cell : row.cells)
    line += " " + cell.target + " " + statusText(cell.status);
  if (!row.error.empty())
    line += " error";
  bool isTerminal = isatty(STDERR_FILENO);
  std::fprintf(stderr, isTerminal ? "\r\033[K%.200s%s" : "%s%s\n", line.c_str(),
               isTerminal && done == all ? "\r\033[K" : "");
}

/// Which plugins answer, for journals.
std::string describePlugins(const CommonOptions &common) {
  return runForked([&] {
    Session session(common);
    std::string text;
    tw_compiler_plugin_report(session.compiler(), appendTo(text));
    return text;
  });
}

/// Why the devices of targets do not open, "" of those that do; for journals.
std::map<std::string, std::string> missingDevices(const RunnerOptions &runner) {
  std::map<std::string, std::string> missing;
  for (const std::string &target : runner.targets)
    try {
      runForked([&] {
        Launcher(runner.common, target);
        return std::string();
      });
      missing[target] = "";
    } catch (const Failure &failure) {
      missing[target] = std::to_string(failure.code) + ": " + failure.what();
    }
  return missing;
}

/// The journal of `--resume`; lint has no verdicts to keep.
Journal openJournal(const RunnerOptions &runner, const std::string &file) {
  if (file.empty() || runner.onlyLints)
    return Journal("", runner, "", {});
  return Journal(file, runner, describePlugins(runner.common),
                 missingDevices(runner));
}

/// Runs what the journal does not have.
void runRows(const RunnerOptions &runner, const VerifyOptions &options,
             const std::vector<Experiment> &experiments, Report &report) {
  Journal journal = openJournal(runner, options.journal);
  std::vector<size_t> numbers;
  for (size_t i = 0; i < experiments.size(); ++i)
    if (const Row *known = journal.find(experiments[i]))
      report.rows[i] = *known;
    else
      numbers.push_back(i);
  size_t done = 0;
  if (numbers.size() < experiments.size())
    std::fprintf(stderr, "%zu of %zu rows are in '%s'\n",
                 experiments.size() - numbers.size(), experiments.size(),
                 options.journal.c_str());
  WorkerPool pool(runner, options.pool, [&](size_t number, Row row) {
    showProgress(++done, numbers.size(), row);
    journal.add(experiments[number], row);
    report.rows[number] = std::move(row);
  });
  pool.run(experiments, numbers);
}

/// A run of hours does not end in a file that cannot be written. A folder that
/// is missing or closed is found here, before any row.
void requireWritable(const std::string &path) {
  if (path.empty())
    return;
  bool isThere = access(path.c_str(), F_OK) == 0;
  int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  std::string reason = std::strerror(errno);
  // A pipe that nobody reads yet is fine.
  if (file < 0 && errno != ENXIO)
    throw Failure(7002, "cannot write '" + path + "': " + reason);
  if (file >= 0)
    close(file);
  if (!isThere)
    unlink(path.c_str());
}

void verifyAll(CommonOptions &common, VerifyOptions &options) {
  requireWritable(options.jsonFile);
  requireWritable(options.pageFile);
  RunnerOptions runner;
  runner.common = common;
  runner.targets = chooseTargets(common);
  runner.saveFolder = options.saveFolder;
  runner.compareFolder = options.compareFolder;
  runner.ranges = options.ranges;
  runner.onlyLints = options.onlyLints;
  std::vector<Experiment> experiments = makeRows(common, options);
  checkRows(runner, experiments);
  checkRanges(options.ranges, experiments);

  Report report;
  report.suite = common.file;
  report.targets = runner.targets;
  report.machine = machineName();
  report.date = today();
  report.onlyLints = options.onlyLints;
  report.command = commandLine();
  report.rows.resize(experiments.size());
  runRows(runner, options, experiments, report);
  if (!options.bisectFolder.empty())
    bisectFailures(runner, options.pool, options.bisectFolder, experiments,
                   report.rows);

  std::fputs(renderText(report).c_str(), stdout);
  std::fflush(stdout);
  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, renderJSON(report));
  if (!options.pageFile.empty())
    writeFile(options.pageFile, renderPage(report));
  if (!report.isGood(options.isStrict))
    throw AlreadyReported();
}

} // namespace

void addVerifyCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "verify", "run kernels on several targets and compare what they write");
  addCommonOptions(*command, common);
  command->remove_option(command->get_option("--math"));
  command->get_option("--target")
      ->description("targets, e.g. reference,cpu:x86-64-v3,nvidia@1 (default "
                    "all: the reference and all plugins)");
  auto options = std::make_shared<VerifyOptions>();
  common.targets = "all";
  options->pool.workers = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("--arg,-a", options->arguments,
                      "NAME=VALUE, as of `tilewright run`");
  command->add_option("--buffer", options->buffers,
                      "NAME=fp32[1000]~...: an array that is no parameter; "
                      "`--arg t=i64[2]~addresses(a, b)` has the addresses");
  command->add_option("--only", options->only,
                      "of a manifest: rows whose name contains this");
  command->add_option("--grid,-g", options->grid,
                      "programs, e.g. \"cdiv(n, BLOCK)\" or \"5, 3\"");
  command->add_option("--math", options->modes,
                      "modes: a list of accurate, portable, fast (default "
                      "accurate,portable; of a manifest: all)");
  command->add_option("--out", options->outputs,
                      "array that the kernel may write (default: those that it "
                      "writes on the reference); repeatable");
  command->add_option("--expect", options->expected,
                      "ARRAY=FILE.npy: what another implementation wrote");
  command->add_option("--tolerance", options->tolerance,
                      "of floats outside portable mode: bits, or a list of "
                      "ulp=, scale=, relative=, absolute= (default "
                      "ulp=4,scale=32)");
  command->add_option("--json", options->jsonFile, "write the report as JSON");
  command->add_option("--html", options->pageFile,
                      "write the report as one page for a browser");
  command->add_option("--save", options->saveFolder,
                      "folder: keep what every target wrote");
  command->add_option("--compare", options->compareFolder,
                      "folder: compare with what another machine saved");
  command
      ->add_option("--bisect", options->bisectFolder,
                   "name the optional step of the compiler behind a failure; "
                   "IR goes into the folder (default bisect)")
      ->expected(0, 1)
      ->default_str("bisect");
  command->add_option("--resume", options->journal,
                      "file: keep rows that are done, and take those that an "
                      "interrupted run kept");
  command
      ->add_option("--jobs,-j", options->pool.workers,
                   "rows at once (default: processors)")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--cell-seconds", options->pool.secondsPerCell,
                   "time limit of one kernel on one target (default 300)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--lint", options->onlyLints,
                    "run nothing: say what the targets may take differently");
  command->add_option("--ranges", options->ranges,
                      "of integer arguments, for the lint: "
                      "\"n=1..1000000,grid0=1..65535\"");
  command->add_flag("--strict", options->isStrict,
                    "fail unless every cell passed");
  command->callback([&common, options] { verifyAll(common, *options); });
}

} // namespace tilewright::tool
