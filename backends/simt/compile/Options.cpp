//===- Options.cpp - Settings of one GPU compilation ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row an option: name, range and where the value goes.
//===----------------------------------------------------------------------===//
#include "backends/simt/compile/Options.h"

#include "llvm/Support/MathExtras.h"

using llvm::StringRef;
using llvm::Twine;

namespace tilewright::simt {

static constexpr uint32_t kBadOption = 4106;
static constexpr uint32_t kUnknownOption = 4107;

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

static bool fail(backend::Problem &problem, const Twine &message,
                 StringRef hint = {}) {
  problem = {TW_E_DIAGNOSED, kBadOption, message.str(), hint.str()};
  return false;
}

static bool readInteger(const tw_option &option, int64_t min, int64_t max,
                        int64_t &value, backend::Problem &problem) {
  std::string range =
      ("expected an integer from " + Twine(min) + " to " + Twine(max) +
       " for option '" + backend::toRef(option.key) + "'")
          .str();
  if (option.kind != TW_VALUE_INT)
    return fail(problem, range + ", got a value of another type");
  if (option.integer < min || option.integer > max)
    return fail(problem, range + ", got " + Twine(option.integer));
  value = option.integer;
  return true;
}

static bool readMath(const tw_option &option, CompileOptions &out,
                     backend::Problem &problem) {
  StringRef text = backend::toRef(option.text);
  if (option.kind != TW_VALUE_TEXT ||
      (text != "accurate" && text != "portable" && text != "fast"))
    return fail(problem,
                "expected accurate, portable or fast for option 'math'" +
                    (option.kind == TW_VALUE_TEXT ? ", got '" + text + "'"
                                                  : Twine(", got a number")),
                "use --math=accurate, the default");
  out.math = text.str();
  return true;
}

static bool readStopAfter(const tw_option &option, CompileOptions &out,
                          backend::Problem &problem) {
  if (option.kind != TW_VALUE_TEXT || backend::toRef(option.text) != "simt")
    return fail(problem, "expected simt for option 'stop_after', got another "
                         "value");
  out.stopAfter = "simt";
  return true;
}

static bool readVendorOption(const VendorOption &row, const tw_option &option,
                             CompileOptions &out, backend::Problem &problem) {
  if (row.isText) {
    if (option.kind != TW_VALUE_TEXT)
      return fail(problem, Twine("expected a text for option '") + row.name +
                               "', got a number");
    out.texts[row.name] = backend::toRef(option.text).str();
    return true;
  }
  int64_t value = 0;
  if (!readInteger(option, row.min, row.max, value, problem))
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
    return isNone || readMath(option, out, problem);
  if (key == "disable")
    return isNone || out.steps.read(option, problem);
  if (key == "stop_after")
    return isNone || readStopAfter(option, out, problem);
  for (const IntegerOption &row : integerOptions)
    if (key == row.name) {
      int64_t value = 0;
      if (isNone)
        return true;
      if (!readInteger(option, row.min, row.max, value, problem))
        return false;
      out.*row.member = unsigned(value);
      return true;
    }
  for (const VendorOption &row : more)
    if (key == row.name)
      return isNone || readVendorOption(row, option, out, problem);
  if (!(option.flags & TW_OPTION_MUST_UNDERSTAND))
    return true;
  std::string known = "options are math, disable, stop_after";
  for (const IntegerOption &row : integerOptions)
    known += std::string(", ") + row.name;
  for (const VendorOption &row : more)
    known += std::string(", ") + row.name;
  problem = {TW_E_UNKNOWN_OPTION, kUnknownOption,
             ("unknown option '" + key + "' for target " + vendor).str(),
             known};
  return false;
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
    fail(problem,
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
