//===- Options.cpp - Values of compile options ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages say what was expected and what was given.
//===----------------------------------------------------------------------===//
#include "backends/common/request/Options.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
using llvm::Twine;

namespace tilewright::backend {

bool refuseValue(Problem &problem, const Twine &message, StringRef hint) {
  problem = {TW_E_DIAGNOSED, kBadOption, message.str(), hint.str()};
  return false;
}

bool readInteger(const tw_option &option, int64_t min, int64_t max,
                 int64_t &value, Problem &problem) {
  std::string range = ("expected an integer from " + Twine(min) + " to " +
                       Twine(max) + " for option '" + toRef(option.key) + "'")
                          .str();
  if (option.kind != TW_VALUE_INT)
    return refuseValue(problem,
                       range + (option.kind == TW_VALUE_TEXT
                                    ? ", got '" + toRef(option.text) + "'"
                                    : Twine(", got a number with a fraction")));
  if (option.integer < min || option.integer > max)
    return refuseValue(problem, range + ", got " + Twine(option.integer));
  value = option.integer;
  return true;
}

bool readMath(const tw_option &option, std::string &math, Problem &problem) {
  bool isText = option.kind == TW_VALUE_TEXT;
  StringRef text = isText ? toRef(option.text) : StringRef();
  if (text != "accurate" && text != "portable" && text != "fast")
    return refuseValue(
        problem,
        "expected accurate, portable or fast for option 'math'" +
            (isText ? ", got '" + text + "'" : Twine(", got a number")),
        "use --math=accurate, the default");
  math = text.str();
  return true;
}

bool mayIgnore(const tw_option &option, StringRef vendor,
               llvm::ArrayRef<StringRef> known, Problem &problem) {
  if (!(option.flags & TW_OPTION_MUST_UNDERSTAND))
    return true;
  problem = {
      TW_E_UNKNOWN_OPTION, kUnknownOption,
      ("unknown option '" + toRef(option.key) + "' for target " + vendor).str(),
      "options are " + llvm::join(known, ", ")};
  return false;
}

} // namespace tilewright::backend
