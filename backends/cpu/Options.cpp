//===- Options.cpp - Settings of one CPU compilation ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row an option: name, type, range and where the value goes.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Options.h"

#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace tilewright::cpu {

static constexpr uint32_t kBadOption = 4106;
static constexpr uint32_t kUnknownOption = 4107;

namespace {
struct IntegerOption {
  const char *name;
  int64_t min;
  int64_t max;
  void (*set)(CompileOptions &, int64_t);
};
} // namespace

static void ignore(CompileOptions &, int64_t) {}

static const IntegerOption integerOptions[] = {
    {"maxnreg", 0, 255, ignore},
    {"num_ctas", 1, 16, ignore},
    {"num_stages", 0, 64, ignore},
    {"num_warps", 1, 64, ignore},
    {"object", 0, 1,
     [](CompileOptions &o, int64_t v) { o.wantObject = v != 0; }},
    {"opt_level", 0, 3,
     [](CompileOptions &o, int64_t v) { o.optimise = unsigned(v); }},
};

std::optional<MathMode> parseMathMode(StringRef text) {
  return llvm::StringSwitch<std::optional<MathMode>>(text)
      .Case("accurate", MathMode::Accurate)
      .Case("portable", MathMode::Portable)
      .Case("fast", MathMode::Fast)
      .Default(std::nullopt);
}

StringRef spelling(MathMode mode) {
  switch (mode) {
  case MathMode::Accurate:
    return "accurate";
  case MathMode::Portable:
    return "portable";
  case MathMode::Fast:
    return "fast";
  }
  return "accurate";
}

static bool fail(Problem &problem, int32_t status, uint32_t code,
                 const llvm::Twine &message, StringRef hint) {
  problem = {status, code, message.str(), hint.str()};
  return false;
}

static bool readMath(const tw_option &option, CompileOptions &out,
                     Problem &problem) {
  std::optional<MathMode> mode;
  if (option.kind == TW_VALUE_TEXT)
    mode = parseMathMode(toRef(option.text));
  if (!mode)
    return fail(problem, TW_E_DIAGNOSED, kBadOption,
                "expected accurate, portable or fast for option 'math'" +
                    (option.kind == TW_VALUE_TEXT
                         ? ", got '" + toRef(option.text) + "'"
                         : llvm::Twine(", got a number")),
                "use --math=accurate, the default");
  out.math = *mode;
  return true;
}

static bool readInteger(const IntegerOption &row, const tw_option &option,
                        CompileOptions &out, Problem &problem) {
  std::string range =
      (llvm::Twine("expected an integer from ") + llvm::Twine(row.min) +
       " to " + llvm::Twine(row.max) + " for option '" + row.name + "'")
          .str();
  if (option.kind != TW_VALUE_INT)
    return fail(problem, TW_E_DIAGNOSED, kBadOption,
                range + ", got a value of another type", "");
  if (option.integer < row.min || option.integer > row.max)
    return fail(problem, TW_E_DIAGNOSED, kBadOption,
                range + ", got " + llvm::Twine(option.integer), "");
  row.set(out, option.integer);
  return true;
}

static bool readOption(const tw_option &option, CompileOptions &out,
                       Problem &problem) {
  StringRef key = toRef(option.key);
  if (key == "math")
    return readMath(option, out, problem);
  if (key == "disable")
    return option.kind == TW_VALUE_NONE || out.steps.read(option, problem);
  for (const IntegerOption &row : integerOptions)
    if (key == row.name)
      return option.kind == TW_VALUE_NONE ||
             readInteger(row, option, out, problem);
  if (option.flags & TW_OPTION_MUST_UNDERSTAND)
    return fail(
        problem, TW_E_UNKNOWN_OPTION, kUnknownOption,
        "unknown option '" + key + "' for target cpu",
        "options are math, disable, maxnreg, num_ctas, num_stages, num_warps, "
        "object and opt_level");
  return true;
}

std::optional<CompileOptions> readOptions(const tw_option *options,
                                          uint64_t count, Problem &problem) {
  CompileOptions result;
  for (uint64_t i = 0; i < count; ++i)
    if (!readOption(options[i], result, problem))
      return std::nullopt;
  if (!result.steps.isEnabled("llvm"))
    result.optimise = 0;
  return result;
}

StringRef optionDefaults() { return "math=accurate,object=0,opt_level=2"; }

} // namespace tilewright::cpu
