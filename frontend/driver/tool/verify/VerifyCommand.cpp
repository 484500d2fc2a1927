//===- VerifyCommand.cpp - tilewright verify --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a kernel mean the same everywhere? Makes rows of a kernel or of a
// manifest, has them run, and prints or writes the matrix.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/Report.h"
#include "frontend/driver/tool/verify/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace tilewright::tool {

namespace {
using namespace verify;

struct VerifyOptions {
  std::vector<std::string> arguments;
  std::string grid;
  std::string modes = "accurate,portable";
  std::vector<std::string> outputs;
  std::vector<std::string> expected; ///< ARRAY=FILE
  std::string tolerance;
  std::string jsonFile, pageFile;
  std::string saveFolder, compareFolder;
  PoolOptions pool;
  bool isStrict = false;
};

/// All vendors whose plugins are here, the reference first; "null" computes
/// nothing.
std::vector<std::string> allTargets(const CommonOptions &common) {
  std::string list = runForked([&] {
    Session session(common);
    std::string targets;
    tw_compiler_targets(session.compiler(), appendTo(targets));
    return targets;
  });
  std::vector<std::string> vendors = {"reference"};
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(list).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (std::string vendor = vendorOf(line.str());
        vendor != "null" && !llvm::is_contained(vendors, vendor))
      vendors.push_back(vendor);
  return vendors;
}

std::vector<std::string> chooseTargets(const CommonOptions &common) {
  std::vector<std::string> targets;
  for (const std::string &target : splitTopLevel(common.targets)) {
    if (target.empty())
      continue;
    for (const std::string &one : target == "all"
                                      ? allTargets(common)
                                      : std::vector<std::string>{target})
      if (!llvm::is_contained(targets, one))
        targets.push_back(one);
  }
  if (targets.empty())
    throw Failure(7027, "expected targets, got '" + common.targets + "'");
  return targets;
}

std::vector<std::string> chooseModes(const std::string &text) {
  std::vector<std::string> modes = splitTopLevel(text);
  for (const std::string &mode : modes)
    if (mode != "accurate" && mode != "portable" && mode != "fast")
      throw Failure(7032,
                    "expected a list of accurate, portable and fast, got '" +
                        mode + "'");
  return modes;
}

/// The name of the first kernel argument's element type, for the matrix.
std::string firstDType(const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments) {
    llvm::StringRef value = llvm::StringRef(argument).split('=').second;
    std::string name = value.take_until([](char c) { return c == '['; }).str();
    if (parseDType(name))
      return name;
  }
  return "";
}

/// One row a mode for a kernel given on the command line.
std::vector<Experiment> rowsOfKernel(const CommonOptions &common,
                                     const VerifyOptions &options) {
  std::string kernel = common.kernel;
  if (kernel.empty())
    kernel = runForked([&] { return Session(common).describeKernel().name; });
  Experiment experiment;
  experiment.signature = common.signature;
  experiment.outputs = options.outputs;
  if (!options.tolerance.empty())
    experiment.tolerance = parseTolerance(options.tolerance);
  for (const std::string &entry : options.expected) {
    auto [name, path] = llvm::StringRef(entry).split('=');
    if (name.empty() || path.empty())
      throw Failure(7026,
                    "expected --expect ARRAY=FILE.npy, got '" + entry + "'");
    experiment.expected[name.str()] = path.str();
  }
  Row &heading = experiment.heading;
  heading.kernel = kernel;
  heading.file = common.file;
  heading.grid = options.grid;
  heading.arguments = options.arguments;
  heading.options = common.options;
  heading.dtype = firstDType(options.arguments);
  std::vector<Experiment> rows;
  for (const std::string &mode : chooseModes(options.modes)) {
    heading.math = mode;
    heading.id = kernel + "." + mode;
    rows.push_back(experiment);
  }
  return rows;
}

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

void verifyAll(CommonOptions &common, VerifyOptions &options) {
  RunnerOptions runner;
  runner.common = common;
  runner.targets = chooseTargets(common);
  runner.saveFolder = options.saveFolder;
  runner.compareFolder = options.compareFolder;
  std::vector<Experiment> experiments = rowsOfKernel(common, options);

  Report report;
  report.suite = common.file;
  report.targets = runner.targets;
  report.machine = machineName();
  report.date = today();
  report.command = commandLine();
  report.rows.resize(experiments.size());
  std::vector<size_t> numbers;
  for (size_t i = 0; i < experiments.size(); ++i)
    numbers.push_back(i);
  size_t done = 0;
  WorkerPool pool(runner, options.pool, [&](size_t number, Row row) {
    showProgress(++done, numbers.size(), row);
    report.rows[number] = std::move(row);
  });
  pool.run(experiments, numbers);

  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, renderJSON(report));
  std::fputs(renderText(report).c_str(), stdout);
  if (!report.isGood(options.isStrict))
    throw AlreadyReported();
}

} // namespace

void addVerifyCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "verify", "run kernels on several targets and compare what they write");
  addCommonOptions(*command, common);
  command->remove_option(command->get_option("--math"));
  auto options = std::make_shared<VerifyOptions>();
  common.targets = "all";
  options->pool.workers = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("--arg,-a", options->arguments,
                      "NAME=VALUE, as of `tilewright run`");
  command->add_option("--grid,-g", options->grid,
                      "programs, e.g. \"cdiv(n, BLOCK)\" or \"5, 3\"");
  command->add_option("--math", options->modes,
                      "modes: a list of accurate, portable, fast (default "
                      "accurate,portable)");
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
      ->add_option("--jobs,-j", options->pool.workers,
                   "rows at once (default: processors)")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--cell-seconds", options->pool.secondsPerCell,
                   "time limit of one kernel on one target (default 300)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--strict", options->isStrict,
                    "fail unless every cell passed");
  command->callback([&common, options] { verifyAll(common, *options); });
}

} // namespace tilewright::tool
