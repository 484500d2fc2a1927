//===- Steps.cpp - Steps of the host that may be left out -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row a step of dialects/lowering/Pipeline.cpp.
//===----------------------------------------------------------------------===//

#include "frontend/driver/stages/Steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace tilewright::driver {

namespace json = llvm::json;

namespace {
struct HostStep {
  const char *name;
  bool DisabledSteps::*isEnabled;
  const char *what;
};
} // namespace

static constexpr HostStep hostSteps[] = {
    {"wrap-variants", &DisabledSteps::variants,
     "variants of a kernel for sizes that need no wrap-around"},
    {"raise", &DisabledSteps::raise,
     "boxes of views for pointer arithmetic; else gathers and scatters"},
    {"share-expressions", &DisabledSteps::share,
     "one computation for equal expressions"}};

DisabledSteps readDisabledSteps(const tw_compile_input &input) {
  DisabledSteps result;
  std::string list;
  for (uint64_t i = 0; i < input.option_count; ++i)
    if (tw_str_equal(input.options[i].key, tw_string("disable")))
      list = toString(input.options[i].text);
  for (llvm::StringRef name : llvm::split(list, ',')) {
    name = name.trim();
    bool isOurs = false;
    for (const HostStep &step : hostSteps)
      if (name == step.name) {
        result.*step.isEnabled = false;
        isOurs = true;
      }
    if (!isOurs && !name.empty())
      result.others += (result.others.empty() ? "" : ",") + name.str();
  }
  return result;
}

std::string withHostSteps(const std::string &steps) {
  json::Array list;
  for (const HostStep &step : hostSteps)
    list.push_back(json::Object{{"name", step.name},
                                {"before", "tile"},
                                {"after", "kernel"},
                                {"what", step.what}});
  llvm::Expected<json::Value> own = json::parse(steps);
  if (own && own->getAsArray())
    for (json::Value &step : *own->getAsArray())
      list.push_back(std::move(step));
  else if (!own)
    llvm::consumeError(own.takeError());
  return llvm::formatv("{0}\n", json::Value(std::move(list))).str();
}

} // namespace tilewright::driver
