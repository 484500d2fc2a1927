//===- Options.cpp - Settings of one CPU compilation ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row an option: name, type, range and where the value goes.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Options.h"

#include "backends/common/request/Options.h"

#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace tilewright::cpu {

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

static bool readOption(const tw_option &option, CompileOptions &out,
                       Problem &problem) {
  StringRef key = toRef(option.key);
  bool isNone = option.kind == TW_VALUE_NONE; // the default, of a known option
  if (key == "math")
    return isNone || readMath(option, out.math, problem);
  if (key == "disable")
    return isNone || out.steps.read(option, problem);
  for (const IntegerOption &row : integerOptions)
    if (key == row.name) {
      int64_t value = 0;
      if (isNone)
        return true;
      if (!readInteger(option, row.min, row.max, value, problem))
        return false;
      row.set(out, value);
      return true;
    }
  llvm::SmallVector<StringRef> known = {"math", "disable"};
  for (const IntegerOption &row : integerOptions)
    known.push_back(row.name);
  return mayIgnore(option, "cpu", known, problem);
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
