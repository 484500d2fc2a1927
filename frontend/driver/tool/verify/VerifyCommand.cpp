//===- VerifyCommand.cpp - tilewright verify --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a kernel mean the same everywhere? Makes rows of a kernel or of a
// manifest, has them run, and prints or writes the matrix.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/Journal.h"
#include "frontend/driver/tool/verify/Manifest.h"
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
  std::vector<std::string> buffers;
  std::vector<std::string> only; ///< parts of row names
  std::string modes;             ///< empty: accurate and portable
  std::vector<std::string> outputs;
  std::vector<std::string> expected; ///< ARRAY=FILE
  std::string tolerance;
  std::string jsonFile, pageFile;
  std::string saveFolder, compareFolder;
  std::string journal;
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
  heading.name = heading.kernel = kernel;
  heading.file = common.file;
  heading.grid = options.grid;
  heading.arguments = options.arguments;
  heading.options = common.options;
  experiment.extras = options.buffers;
  heading.dtype = firstDType(options.arguments);
  std::vector<Experiment> rows;
  for (const std::string &mode : chooseModes(
           options.modes.empty() ? "accurate,portable" : options.modes)) {
    heading.math = mode;
    heading.id = kernel + "." + mode;
    rows.push_back(experiment);
  }
  return rows;
}

/// A manifest says everything itself; what would contradict it is refused.
std::vector<Experiment> makeRows(const CommonOptions &common,
                                 const VerifyOptions &options) {
  if (!isManifest(common.file))
    return rowsOfKernel(common, options);
  bool isPlain = options.arguments.empty() && options.buffers.empty() &&
                 options.grid.empty() && options.outputs.empty() &&
                 options.expected.empty() && common.signature.empty();
  if (!isPlain)
    throw Failure(7038,
                  "expected no --arg, --buffer, --grid, --out, --expect "
                  "or --sig with a manifest",
                  "the manifest holds them, see docs/formats.md");
  std::vector<Experiment> rows;
  for (Experiment &row : readManifest(common.file)) {
    llvm::StringRef id = row.heading.id;
    bool isChosen = options.only.empty() ||
                    llvm::any_of(options.only, [&](const std::string &part) {
                      return id.contains(part);
                    });
    bool hasMode =
        options.modes.empty() ||
        llvm::is_contained(chooseModes(options.modes), row.heading.math);
    llvm::append_range(row.heading.options, common.options);
    if (isChosen && hasMode &&
        (common.kernel.empty() || row.heading.kernel == common.kernel))
      rows.push_back(std::move(row));
  }
  if (rows.empty())
    throw Failure(7038, "no row of '" + common.file + "' is left",
                  "--only takes a part of a row's name, e.g. softmax");
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

/// Which plugins answer, for journals.
std::string describePlugins(const CommonOptions &common) {
  return runForked([&] {
    Session session(common);
    std::string text;
    tw_compiler_plugin_report(session.compiler(), appendTo(text));
    return text;
  });
}

/// Runs what the journal does not have.
void runRows(const RunnerOptions &runner, const VerifyOptions &options,
             const std::vector<Experiment> &experiments, Report &report) {
  Journal journal(options.journal, runner,
                  options.journal.empty() ? ""
                                          : describePlugins(runner.common));
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

void verifyAll(CommonOptions &common, VerifyOptions &options) {
  RunnerOptions runner;
  runner.common = common;
  runner.targets = chooseTargets(common);
  runner.saveFolder = options.saveFolder;
  runner.compareFolder = options.compareFolder;
  std::vector<Experiment> experiments = makeRows(common, options);

  Report report;
  report.suite = common.file;
  report.targets = runner.targets;
  report.machine = machineName();
  report.date = today();
  report.command = commandLine();
  report.rows.resize(experiments.size());
  runRows(runner, options, experiments, report);

  if (!options.jsonFile.empty())
    writeFile(options.jsonFile, renderJSON(report));
  if (!options.pageFile.empty())
    writeFile(options.pageFile, renderPage(report));
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
  command->add_flag("--strict", options->isStrict,
                    "fail unless every cell passed");
  command->callback([&common, options] { verifyAll(common, *options); });
}

} // namespace tilewright::tool
