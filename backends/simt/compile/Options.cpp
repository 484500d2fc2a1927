//===- Options.cpp - Settings of one GPU compilation ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row an option: name, range and where the value goes.
//===----------------------------------------------------------------------===//
#include "backends/simt/compile/Options.h"

#include "backends/common/request/Options.h"

#include "llvm/Support/MathExtras.h"

using llvm::StringRef;
using llvm::Twine;

namespace tilewright::simt {

namespace {
struct IntegerOption {
  const char *name;
  int64_t min;
  int64_t max;
  unsigned CompileOptions::*member;
};
} // namespace

static constexpr IntegerOption integerOptions[] = {
    {"maxnreg", 0, 255, &CompileOptions::maxRegisters},
    {"num_ctas", 1, 16, &CompileOptions::numCtas},
    {"num_stages", 0, 64, &CompileOptions::numStages},
    {"num_warps", 1, 64, &CompileOptions::numWarps},
    {"opt_level", 0, 3, &CompileOptions::optimise},
};

static bool readStopAfter(const tw_option &option, CompileOptions &out,
                          backend::Problem &problem) {
  if (option.kind != TW_VALUE_TEXT || backend::toRef(option.text) != "simt")
    return backend::refuseValue(
        problem, "expected simt for option 'stop_after', got another "
                 "value");
  out.stopAfter = "simt";
  return true;
}

static bool readVendorOption(const VendorOption &row, const tw_option &option,
                             CompileOptions &out, backend::Problem &problem) {
  if (row.isText) {
    if (option.kind != TW_VALUE_TEXT)
      return backend::refuseValue(problem,
                                  Twine("expected a text for option '") +
                                      row.name + "', got a number");
    out.texts[row.name] = backend::toRef(option.text).str();
    return true;
  }
  int64_t value = 0;
  if (!backend::readInteger(option, row.min, row.max, value, problem))
    return false;
  out.integers[row.name] = value;
  return true;
}

static bool readOption(const tw_option &option, StringRef vendor,
                       llvm::ArrayRef<VendorOption> more, CompileOptions &out,
                       backend::Problem &problem) {
  StringRef key = backend::toRef(option.key);
  bool isNone = option.kind == TW_VALUE_NONE; // the default, of a known option
  if (key == "math")
    return isNone || backend::readMath(option, out.math, problem);
  if (key == "disable")
    return isNone || out.steps.read(option, problem);
  if (key == "stop_after")
    return isNone || readStopAfter(option, out, problem);
  for (const IntegerOption &row : integerOptions)
    if (key == row.name) {
      int64_t value = 0;
      if (isNone)
        return true;
      if (!backend::readInteger(option, row.min, row.max, value, problem))
        return false;
      out.*row.member = unsigned(value);
      return true;
    }
  for (const VendorOption &row : more)
    if (key == row.name)
      return isNone || readVendorOption(row, option, out, problem);
  llvm::SmallVector<StringRef> known = {"math", "disable", "stop_after"};
  for (const IntegerOption &row : integerOptions)
    known.push_back(row.name);
  for (const VendorOption &row : more)
    known.push_back(row.name);
  return backend::mayIgnore(option, vendor, known, problem);
}

std::optional<CompileOptions> readOptions(const tw_option *options,
                                          uint64_t count, StringRef vendor,
                                          llvm::ArrayRef<VendorOption> more,
                                          backend::Problem &problem) {
  CompileOptions result;
  for (uint64_t i = 0; i < count; ++i)
    if (!readOption(options[i], vendor, more, result, problem))
      return std::nullopt;
  if (!result.steps.isEnabled("llvm"))
    result.optimise = 0;
  if (!llvm::isPowerOf2_32(result.numWarps)) {
    backend::refuseValue(
        problem,
        "expected a power of two for option 'num_warps', got " +
            Twine(result.numWarps),
        "use 1, 2, 4, 8, 16 or 32");
    return std::nullopt;
  }
  return result;
}

StringRef optionDefaults() {
  return "math=accurate,num_warps=4,num_stages=3,num_ctas=1,maxnreg=0,"
         "opt_level=3";
}

} // namespace tilewright::simt
