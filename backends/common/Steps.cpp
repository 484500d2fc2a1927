//===- Steps.cpp - Steps of a pipeline that may be left out -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are checked: a typing error may not look like a fault that stayed.
//===----------------------------------------------------------------------===//
#include "backends/common/Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace tilewright::backend {

static constexpr uint32_t kBadOption = 4106;

bool Steps::read(const tw_option &option, Problem &problem) {
  std::string names =
      llvm::join(llvm::map_range(
                     known, [](const OptionalStep &step) { return step.name; }),
                 ", ");
  auto refuse = [&](const llvm::Twine &got) {
    problem = {
        TW_E_DIAGNOSED, kBadOption,
        ("expected optional steps for option 'disable', got " + got).str(),
        "steps are " + names};
    return false;
  };
  if (option.kind != TW_VALUE_TEXT)
    return refuse("a number");
  for (StringRef name : llvm::split(toRef(option.text), ',')) {
    name = name.trim();
    if (name.empty())
      continue;
    if (llvm::none_of(known, [&](auto &step) { return step.name == name; }))
      return refuse("'" + name + "'");
    disabled.insert(name);
  }
  return true;
}

std::string Steps::json() const {
  llvm::json::Array list;
  for (const OptionalStep &step : known)
    list.push_back(llvm::json::Object{{"name", step.name},
                                      {"before", step.before},
                                      {"after", step.after},
                                      {"what", step.what}});
  return llvm::formatv("{0}", llvm::json::Value(std::move(list))).str();
}

} // namespace tilewright::backend
