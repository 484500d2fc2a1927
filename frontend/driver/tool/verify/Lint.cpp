//===- Lint.cpp - What another target may take differently ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row a target family: what its vendors publish and docs/targets.md says.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Lint.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tool::verify {

using llvm::StringRef;
using nlohmann::json;

namespace {
/// Lists are of element types, separated by blanks.
struct Family {
  const char *prefix;  ///< of targets; the first row that fits holds
  const char *feature; ///< that the target has to name, or ""
  const char *atomics; ///< types whose atomic sums are instructions
  const char *floats;  ///< types of arithmetic that it has
  bool hasClock;
};
} // namespace

static constexpr Family families[] = {
    {"reference", "", "fp16 bf16 fp32 fp64 i32 i64", "fp16 bf16 fp32 fp64",
     true},
    {"cpu", "", "i32 i64", "fp16 bf16 fp32 fp64", true},
    {"nvidia:sm_7", "", "fp16 fp32 fp64 i32 i64", "fp16 bf16 fp32 fp64", true},
    {"nvidia", "", "fp16 bf16 fp32 fp64 i32 i64", "fp16 bf16 fp32 fp64", true},
    {"amd:gfx9", "", "fp32 fp64 i32 i64", "fp16 bf16 fp32 fp64", true},
    {"amd:gfx1", "", "fp32 i32 i64", "fp16 bf16 fp32 fp64", true},
    {"amd", "", "fp32 fp64 i32 i64", "fp16 bf16 fp32 fp64", true},
    {"spirv", "fp64", "i32", "fp16 bf16 fp32 fp64", false},
    {"spirv:", "", "i32", "fp16 bf16 fp32", false}};

static const Family *familyOf(StringRef target) {
  for (const Family &family : families)
    if (target.starts_with(family.prefix) &&
        (*family.feature == 0 ||
         target.contains(std::string("+") + family.feature)))
      return &family;
  return nullptr;
}

static bool lists(StringRef list, StringRef word) {
  for (StringRef entry : llvm::split(list, ' '))
    if (entry == word)
      return true;
  return false;
}

namespace {
/// Turns needs into advice.
class Linter {
public:
  Linter(const std::vector<std::string> &targets, std::vector<Advice> &advice)
      : targets(targets), advice(advice) {}
  void take(const json &need);

private:
  void add(const std::string &kind, const std::string &target,
           const std::string &message) {
    advice.push_back({kind, target, message, file, line});
  }
  void takeAtomic(const std::string &type, const std::string &text);
  void takeAssembly(const std::string &vendor, const std::string &text);

  const std::vector<std::string> &targets;
  std::vector<Advice> &advice;
  std::string file;
  uint32_t line = 0;
};
} // namespace

void Linter::takeAtomic(const std::string &type, const std::string &text) {
  for (const std::string &target : targets)
    if (const Family *family = familyOf(target);
        family && !lists(family->atomics, type))
      add("atomics", target,
          "needs " + text +
              ", which falls back to a loop of compare-and-swap here");
}

void Linter::takeAssembly(const std::string &vendor, const std::string &text) {
  for (const std::string &target : targets)
    if (vendorOf(target) != vendor)
      add("inline-assembly", target, "has " + text + " for " + vendor);
  if (text.find("lanes") != std::string::npos)
    add("warp-size", "",
        "assumes the lanes of a warp on " + vendor +
            ": other targets have 1 to 64");
}

void Linter::take(const json &need) {
  std::string kind = need.value("kind", ""), type = need.value("type", ""),
              text = need.value("text", "");
  file = need.value("file", "");
  line = need.value("line", 0u);
  if (kind == "atomic")
    return takeAtomic(type, text);
  if (kind == "inline_asm")
    return takeAssembly(type, text);
  if (kind == "arithmetic") {
    for (const std::string &target : targets)
      if (const Family *family = familyOf(target);
          family && type.rfind("f", 0) == 0 && !lists(family->floats, type))
        add("types", target, "needs " + text + ", which it does not have");
  } else if (kind == "clock") {
    for (const std::string &target : targets)
      if (const Family *family = familyOf(target); family && !family->hasClock)
        add("clock", target, "needs a clock, which it does not have");
  } else if (kind == "extern_call") {
    add("device-library", "",
        text + ": the functions of one vendor are not those of another");
  } else if (kind == "wait") {
    add("progress", "",
        text + ": programs of lower ids are waited for on every target, others "
               "only where all programs run at once");
  } else if (kind == "overflow") {
    add("overflow", "", text + "; compute it in 64 bits (.to(tl.int64))");
  }
}

/// What does not fit a target, from its plugin: shared memory and threads, or
/// why it does not compile there at all.
static void askPlugin(Session &session, const std::string &signature,
                      const std::string &target, std::vector<Advice> &advice) {
  json answer = json::parse(session.fits(signature, target), nullptr, false);
  if (!answer.is_object() || !answer.contains("reasons"))
    return;
  for (const json &reason : answer["reasons"]) {
    std::string code = reason.value("code", "");
    std::string message = reason.value("message", "");
    bool isSize = code == "TW4150" || code == "TW4152";
    const char *kind = code == "TW4150" ? "shared-memory" : "threads";
    bool isSaid = llvm::any_of(advice, [&](const Advice &said) {
      return said.target == target && said.line == reason.value("line", 0u);
    });
    if (!isSize && isSaid)
      continue; // better than the compiler does
    advice.push_back({isSize ? kind : "refused", target,
                      isSize ? message : code + ": " + message,
                      reason.value("file", ""), reason.value("line", 0u)});
  }
}

/// The first error of a compile.
static Failure toFailure(const tw_compile_result &result) {
  for (uint64_t i = 0; i < result.diagnostic_count; ++i) {
    const tw_diagnostic &diagnostic = *result.diagnostics[i];
    if (diagnostic.severity != TW_SEVERITY_ERROR)
      continue;
    std::string message = toString(diagnostic.message);
    if (const tw_location *at = diagnostic.location)
      message +=
          " (" + toString(at->file) + ":" + std::to_string(at->line) + ")";
    return Failure(diagnostic.code, message, toString(diagnostic.hint));
  }
  return Failure(7099, "the compiler refused the request");
}

/// The stage "needs"; a kernel that the reference refuses is read as another
/// target sees it.
static json readNeeds(const Experiment &experiment,
                      const RunnerOptions &options, const Session &compiler,
                      const std::string &signature, const std::string &ranges,
                      bool isRequired) {
  std::optional<Failure> problem;
  std::vector<std::string> targets = {"reference"};
  targets.insert(targets.end(), options.targets.begin(), options.targets.end());
  for (const std::string &target : targets) {
    CommonOptions common =
        experiment.optionsFor(options.common, vendorOf(target));
    common.options.push_back("ranges=" + ranges);
    Session session(common, compiler);
    Result result = session.attempt(signature, target, {"needs"});
    for (uint64_t i = 0; i < result->stage_count; ++i)
      if (toString(result->stages[i].name) == "needs")
        return json::parse(toString(result->stages[i].text), nullptr, false);
    if (!problem)
      problem = toFailure(*result);
  }
  if (isRequired)
    throw *problem;
  return json::array(); // the run of the row says why
}

std::vector<Advice> lint(const Experiment &experiment,
                         const RunnerOptions &options, const Session &compiler,
                         const std::string &signature,
                         const std::string &ranges, bool asksPlugins) {
  std::vector<Advice> advice;
  Linter linter(options.targets, advice);
  for (const json &need :
       readNeeds(experiment, options, compiler, signature, ranges, asksPlugins))
    linter.take(need);
  for (const std::string &target : options.targets) {
    std::string vendor = vendorOf(target);
    if (!asksPlugins || vendor == "reference")
      continue;
    CommonOptions own = experiment.optionsFor(options.common, vendor);
    Session asked(own, compiler);
    askPlugin(asked, signature, target, advice);
  }
  return advice;
}

/// Whether an argument of some row, or an axis of the grid, has this name.
static bool isKnownInteger(StringRef name,
                           const std::vector<Experiment> &rows) {
  if (name == "grid0" || name == "grid1" || name == "grid2")
    return true;
  for (const Experiment &row : rows)
    for (StringRef argument : row.heading.arguments)
      if (argument.split('=').first.trim() == name)
        return true;
  return false;
}

void checkRanges(const std::string &ranges,
                 const std::vector<Experiment> &rows) {
  if (ranges.empty())
    return;
  for (StringRef entry : llvm::split(ranges, ',')) {
    auto [name, bounds] = entry.split('=');
    auto [low, high] = bounds.split("..");
    int64_t first = 0, last = 0;
    if (low.trim().getAsInteger(10, first) ||
        high.trim().getAsInteger(10, last) || first > last)
      throw Failure(7040,
                    "expected NAME=LOW..HIGH in --ranges, got '" +
                        entry.trim().str() + "'",
                    "e.g. --ranges \"n=1..1000000,grid0=1..65535\"");
    if (!isKnownInteger(name.trim(), rows))
      throw Failure(7040,
                    "no row has the argument '" + name.trim().str() +
                        "' of --ranges",
                    "ranges are of integer arguments, grid0, grid1 and grid2");
  }
}

} // namespace tilewright::tool::verify
