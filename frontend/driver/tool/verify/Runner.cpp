//===- Runner.cpp - Running one row on its targets --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A RowRun holds the inputs and what the reference made of them. Kernels may
// choose code by `tl.target`: the reference then runs once for each choice.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Runner.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/Lint.h"
#include "frontend/driver/tool/verify/Recording.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstring>

namespace tilewright::tool::verify {

/// Bytes on each side of an array: a block of 1,024 fp64 elements that lost its
/// mask stays inside.
static constexpr uint64_t kGuardBytes = 8192;
static constexpr const char *kReference = "reference";
/// What no right program fails; docs/targets.md, reference.
static constexpr const char *kReferenceChecks = "bounds,overflow,races";

/// Those and what `--check` adds.
static std::string referenceChecks(const std::string &added) {
  std::string text = kReferenceChecks;
  for (const std::string &word : splitTopLevel(added))
    if (!llvm::is_contained(splitTopLevel(text), word))
      text += "," + word;
  return text;
}

static std::string codeName(uint32_t code) {
  return code ? "TW" + std::to_string(code) : "";
}

/// Runtime errors that say that this machine cannot run the kernel, not that
/// the kernel ran wrong.
static bool isAboutMachine(unsigned code) {
  constexpr unsigned codes[] = {5008, 5009, 6001, 6002, 6011,
                                6015, 6016, 6019, 6020};
  return llvm::is_contained(codes, code);
}

/// Refusals that a kernel or a target explains; others are faults of ours.
static bool isRefusal(unsigned code) {
  constexpr unsigned faults[] = {4105, 4108, 4109, 4110,
                                 4111, 4112, 4113, 4161};
  return code < 5000 && !llvm::is_contained(faults, code);
}

/// Names that no target has are mistakes of who asks, not of the target.
static bool isUnknownName(unsigned code) {
  constexpr unsigned codes[] = {4101, 4102, 4103, 4107};
  return llvm::is_contained(codes, code);
}

/// Errors of the language mean the same on every target. A static assertion
/// that fails is how a kernel says which targets and constants it is for.
static bool isWrongSource(unsigned code) {
  return code >= 1000 && code < 4000 && code != 2301;
}

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// The first error of a compile in a cell.
static void takeError(const tw_compile_result &result, Cell &cell) {
  cell.status = Status::Fail;
  cell.reason = "the compiler gave no reason";
  for (uint64_t i = 0; i < result.diagnostic_count; ++i) {
    const tw_diagnostic &diagnostic = *result.diagnostics[i];
    if (diagnostic.severity != TW_SEVERITY_ERROR)
      continue;
    cell.code = codeName(diagnostic.code);
    cell.reason = toString(diagnostic.message);
    cell.hint = toString(diagnostic.hint);
    if (const tw_location *at = diagnostic.location)
      cell.reason +=
          " (" + toString(at->file) + ":" + std::to_string(at->line) + ")";
    if (isRefusal(diagnostic.code) && !isUnknownName(diagnostic.code))
      cell.status = Status::CannotCompile;
    return;
  }
}

static void takeFailure(const Failure &failure, Cell &cell) {
  cell.status = isAboutMachine(failure.code) ? Status::CannotRun : Status::Fail;
  cell.code = codeName(failure.code);
  cell.reason = failure.what();
  cell.hint = failure.hint;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// Guard bytes that differ from those of `before`, as findings.
static void findStrayWrites(const std::string &name, const Array &before,
                            const Array &after,
                            std::vector<StrayWrite> &strays) {
  auto *old = static_cast<const char *>(before.whole());
  auto *now = static_cast<const char *>(after.whole());
  auto scan = [&](uint64_t from, uint64_t to, const char *place, bool isFront) {
    StrayWrite stray{name, place, 0, -1};
    for (uint64_t i = from; i < to; ++i) {
      if (old[i] == now[i])
        continue;
      ++stray.bytes;
      int64_t distance = isFront ? to - i : i - from;
      if (stray.first < 0 || distance < stray.first)
        stray.first = distance;
    }
    if (stray.bytes)
      strays.push_back(stray);
  };
  uint64_t end = before.guardBytes() + before.bytes();
  scan(0, before.guardBytes(), "before", true);
  scan(end, before.wholeBytes(), "behind", false);
}

static bool hasSameBytes(const Array &a, const Array &b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

/// An array that the kernel only reads has to keep its bytes.
static void requireUnchanged(const Binding &before, const Array &got,
                             Cell &cell) {
  if (hasSameBytes(*before.array, got))
    return;
  Tolerance bits;
  bits.isBits = true;
  Comparison found = compareArrays(before.name, got, *before.array, bits);
  cell.strays.push_back({before.name, "into the input",
                         std::max<int64_t>(found.different, 1) *
                             int64_t(tw_dtype_bytes(got.dtype())),
                         std::max<int64_t>(found.firstIndex, 0)});
}

//===----------------------------------------------------------------------===//
// One row
//===----------------------------------------------------------------------===//

/// One experiment on all targets.
class Runner::RowRun {
public:
  RowRun(Runner &runner, const Experiment &experiment, Row &row)
      : runner(runner), experiment(experiment), row(row) {}

  /// Binds arguments; throws Failure where the row is wrong.
  void prepare();
  Cell run(const std::string &target);

private:
  /// The ranges that were given, and the grid of this launch.
  std::string allRanges() const;
  /// What the reference wrote, for one reading of the source.
  struct Expectation {
    Cell cell;
    Arguments arguments;
  };

  /// Compiles and launches; `arguments` then hold what was written. False: the
  /// cell says why not.
  bool execute(const std::string &target, const CommonOptions &options,
               bool isReference, Arguments &arguments, Cell &cell);
  std::string kernelText(const std::string &target);
  /// Texts of the modules that the source imports.
  std::string imports();
  const Expectation &expectation(const std::string &described);
  void judge(const Arguments &arguments, const Expectation &expected,
             Cell &cell);
  /// What shows without results of the reference: guards, stated outputs.
  void judgeStrays(const Arguments &arguments, Cell &cell);
  /// The reference found the program wrong: no target passes with it.
  void blameProgram(const Expectation &expected, Cell &cell);
  void judgeFiles(const Arguments &arguments, Cell &cell);
  /// Writes to arrays that are not among stated outputs.
  void judgeInputs(const Arguments &arguments, Cell &cell);

  Runner &runner;
  const Experiment &experiment;
  Row &row;
  KernelInfo kernel;
  std::optional<Arguments> inputs;
  tw_rt_grid grid = {};
  std::string plainText; ///< Kernel IR where the target is the reference
  std::map<std::string, Expectation> expectations; ///< by Kernel IR
};

void Runner::RowRun::prepare() {
  CommonOptions options = experiment.optionsFor(runner.options.common, "");
  Session session(options, runner.session);
  kernel = session.describeKernel();
  inputs.emplace(kernel, row.arguments, experiment.signature);
  inputs->addExtras(experiment.extras);
  grid = parseGrid(row.grid, *inputs);
  uint64_t salt = 0;
  for (Binding &binding : inputs->bindings())
    if (binding.array)
      binding.array->addGuards(kGuardBytes, salt++);
  for (const std::string &name : experiment.outputs)
    if (!inputs->findArray(name))
      throw Failure(7026,
                    "expected an array argument as output, got '" + name + "'");
  if (!runner.options.hasAdvice)
    return;
  row.advice = lint(experiment, runner.options, runner.session,
                    inputs->signature(), allRanges(), runner.options.onlyLints);
  if (row.inputs.empty())
    row.inputs = hashInputs(session.source() + imports(), row, *inputs);
}

std::string Runner::RowRun::allRanges() const {
  std::string text = runner.options.ranges;
  int64_t extents[] = {grid.x, grid.y, grid.z};
  for (int axis = 0; axis < 3; ++axis) {
    std::string name = "grid" + std::to_string(axis) + "=";
    if (text.find(name) == std::string::npos)
      text += (text.empty() ? "" : ",") + name + "1.." +
              std::to_string(std::max<int64_t>(extents[axis], 1));
  }
  return text;
}

bool Runner::RowRun::execute(const std::string &target,
                             const CommonOptions &options, bool isReference,
                             Arguments &arguments, Cell &cell) {
  Session session(options, runner.session);
  auto start = std::chrono::steady_clock::now();
  Result result = session.attempt(arguments.signature(), target, {});
  cell.compileMilliseconds = millisecondsSince(start);
  cell.resolved = toString(result->target);
  if (result->status != TW_OK) {
    takeError(*result, cell);
    return false;
  }
  try {
    LaunchOptions launch;
    // The checks of the reference know the bounds of arrays.
    launch.hasGuards = !isReference;
    start = std::chrono::steady_clock::now();
    LaunchResult launched = runner.launcher(target).launch(
        launch, result->artifact, arguments, grid);
    cell.runMilliseconds = millisecondsSince(start);
    cell.device = launched.device;
  } catch (const Failure &failure) {
    takeFailure(failure, cell);
    return false;
  }
  cell.status = Status::Pass;
  return true;
}

/// The reference's Kernel IR when `tl.target` is `target`.
std::string Runner::RowRun::kernelText(const std::string &target) {
  CommonOptions options =
      experiment.optionsFor(runner.options.common, kReference);
  if (vendorOf(target) != kReference)
    options.options.push_back("target_info=" + target);
  Session session(options, runner.session);
  Result result = session.attempt(inputs->signature(), kReference, {"kernel"});
  for (uint64_t i = 0; i < result->stage_count; ++i)
    return toString(result->stages[i].text);
  return {}; // an error, which the run will report
}

std::string Runner::RowRun::imports() {
  CommonOptions options =
      experiment.optionsFor(runner.options.common, kReference);
  Session session(options, runner.session);
  Result result = session.attempt(inputs->signature(), kReference, {"imports"});
  for (uint64_t i = 0; i < result->stage_count; ++i)
    return toString(result->stages[i].text);
  return {};
}

const Runner::RowRun::Expectation &
Runner::RowRun::expectation(const std::string &described) {
  std::string text = kernelText(described);
  auto known = expectations.find(text);
  if (known != expectations.end())
    return known->second;
  Expectation made{{}, *inputs};
  made.cell.target = kReference;
  CommonOptions options =
      experiment.optionsFor(runner.options.common, kReference);
  options.check = referenceChecks(runner.options.common.check);
  if (vendorOf(described) != kReference)
    options.options.push_back("target_info=" + described);
  execute(kReference, options, /*isReference=*/true, made.arguments, made.cell);
  return expectations.emplace(text, std::move(made)).first->second;
}

void Runner::RowRun::judge(const Arguments &arguments,
                           const Expectation &expected, Cell &cell) {
  for (size_t i = 0; i < inputs->bindings().size(); ++i) {
    const Binding &before = inputs->bindings()[i];
    if (!before.array || !before.addressesOf.empty())
      continue;
    const Array &got = *arguments.bindings()[i].array;
    const Array &wanted = *expected.arguments.bindings()[i].array;
    findStrayWrites(before.name, *before.array, got, cell.strays);
    bool isOutput = experiment.outputs.empty()
                        ? !hasSameBytes(*before.array, wanted)
                        : llvm::is_contained(experiment.outputs, before.name);
    if (isOutput) {
      cell.comparisons.push_back(compareArrays(
          before.name, got, wanted, experiment.rule(), &*before.array));
    } else {
      requireUnchanged(before, got, cell);
    }
  }
}

void Runner::RowRun::judgeFiles(const Arguments &arguments, Cell &cell) {
  for (const auto &[name, path] : experiment.expected) {
    const Binding *found = nullptr;
    for (const Binding &binding : arguments.bindings())
      if (binding.name == name && binding.array)
        found = &binding;
    if (!found)
      throw Failure(7026, "expected an array argument before the file, got '" +
                              name + "'");
    Array wanted = readNpy(path);
    requireSameShape(name, path, wanted, *found->array);
    Comparison comparison =
        compareArrays(name, *found->array, wanted, experiment.tolerance);
    comparison.against = "file " + path;
    cell.comparisons.push_back(comparison);
  }
}

void Runner::RowRun::judgeInputs(const Arguments &arguments, Cell &cell) {
  for (size_t i = 0; i < inputs->bindings().size(); ++i) {
    const Binding &before = inputs->bindings()[i];
    if (before.array && before.addressesOf.empty() &&
        !experiment.outputs.empty() &&
        !llvm::is_contained(experiment.outputs, before.name))
      requireUnchanged(before, *arguments.bindings()[i].array, cell);
  }
}

/// Throws Failure where the reference cannot read the source: the row is wrong
/// as a whole.
static void requireRightSource(const Cell &cell) {
  unsigned code = 0;
  llvm::StringRef name = cell.code;
  if (cell.status == Status::CannotCompile && name.consume_front("TW") &&
      !name.getAsInteger(10, code) && isWrongSource(code))
    throw Failure(code, cell.reason, cell.hint);
}

void Runner::RowRun::judgeStrays(const Arguments &arguments, Cell &cell) {
  for (size_t i = 0; i < inputs->bindings().size(); ++i) {
    const Binding &before = inputs->bindings()[i];
    if (before.array && before.addressesOf.empty())
      findStrayWrites(before.name, *before.array,
                      *arguments.bindings()[i].array, cell.strays);
  }
  judgeInputs(arguments, cell);
}

void Runner::RowRun::blameProgram(const Expectation &expected, Cell &cell) {
  // Kernels that choose by `tl.target` have other findings for this target
  // than those that the column of the reference shows.
  bool isShown =
      llvm::any_of(runner.options.targets,
                   [](const std::string &target) {
                     return vendorOf(target) == kReference;
                   }) &&
      !experiment.excuses.count(kReference) &&
      summary(expectation(kReference).cell) == summary(expected.cell);
  cell.status = isShown ? Status::NotJudged : Status::Fail;
  cell.reason = "ran, but the reference found the program wrong: " +
                summary(expected.cell);
  cell.hint = expected.cell.hint;
}

Cell Runner::RowRun::run(const std::string &target) {
  Cell cell;
  cell.target = target;
  std::string vendor = vendorOf(target);
  if (auto excuse = experiment.excuses.find(vendor);
      excuse != experiment.excuses.end()) {
    cell.status = Status::CannotRun;
    cell.reason = excuse->second;
    return cell;
  }
  const Expectation &expected = expectation(target);
  requireRightSource(expected.cell);
  bool isReference = vendor == kReference;
  std::optional<Arguments> mine;
  if (isReference) {
    cell = expected.cell;
    cell.target = target;
  } else {
    mine = *inputs;
    execute(target, experiment.optionsFor(runner.options.common, vendor), false,
            *mine, cell);
  }
  if (cell.status != Status::Pass)
    return cell;
  const Arguments &written = isReference ? expected.arguments : *mine;
  if (isReference)
    judgeInputs(written, cell);
  else if (expected.cell.status == Status::Pass)
    judge(written, expected, cell);
  else
    judgeStrays(written, cell);
  judgeFiles(written, cell);
  if (!runner.options.compareFolder.empty())
    compareWithSaved(runner.options.compareFolder, row, written,
                     experiment.rule(), cell);
  if (!runner.options.saveFolder.empty())
    saveArrays(runner.options.saveFolder, row, written, target);
  bool isEqual = llvm::all_of(cell.comparisons,
                              [](const Comparison &c) { return c.isEqual; });
  if (!isEqual || !cell.strays.empty()) {
    cell.status = Status::Fail;
  } else if (!isReference && expected.cell.status == Status::Fail) {
    blameProgram(expected, cell);
  } else if (!isReference && expected.cell.status != Status::Pass &&
             cell.comparisons.empty()) {
    cell.status = Status::NotJudged;
    cell.reason = "ran, but the reference gives nothing to compare with: " +
                  summary(expected.cell);
  }
  return cell;
}

//===----------------------------------------------------------------------===//
// Runner
//===----------------------------------------------------------------------===//

Runner::Runner(RunnerOptions given)
    : options(std::move(given)), session(options.common) {}
Runner::~Runner() = default;

Launcher &Runner::launcher(const std::string &target) {
  std::unique_ptr<Launcher> &slot = launchers[target];
  if (!slot)
    slot = std::make_unique<Launcher>(options.common, target);
  return *slot;
}

void Runner::run(const Experiment &experiment,
                 const std::vector<std::string> &skipped,
                 const CellEvents &events, Row &row) {
  row = experiment.heading;
  try {
    RowRun rowRun(*this, experiment, row);
    rowRun.prepare();
    for (const std::string &target : options.targets) {
      if (options.onlyLints)
        break;
      if (llvm::is_contained(skipped, target))
        continue;
      events.begin(target);
      events.end(rowRun.run(target));
    }
  } catch (const Failure &failure) {
    row.error = failure.what();
    row.errorCode = codeName(failure.code);
    row.errorHint = failure.hint;
  } catch (const AlreadyReported &) {
    row.error = "the source is wrong, see the errors above";
  }
}

} // namespace tilewright::tool::verify
