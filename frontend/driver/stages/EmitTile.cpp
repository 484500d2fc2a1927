//===- EmitTile.cpp - Target and syntax tree to tile IR -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds who compiles, says of the target what programs may ask, and emits the
// kernel.
//===----------------------------------------------------------------------===//

#include "frontend/driver/KnownTargets.h"
#include "frontend/driver/ModulePath.h"
#include "frontend/driver/TargetFacts.h"
#include "frontend/driver/stages/Compilation.h"
#include "frontend/driver/stages/HostOptions.h"
#include "frontend/sema/kernel/Signature.h"
#include "plugins/loader/Target.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace tilewright::driver {

bool Compilation::findDescribed() {
  describedBackend = backend;
  describedTarget = output.target;
  if (const tw_option *option = findOption("target_info")) {
    if (!llvm::StringRef(output.target).starts_with("reference")) {
      fail(4106,
           "expected target reference with option 'target_info', got '" +
               output.target + "'",
           "other targets describe themselves");
      return false;
    }
    describedTarget = resolveTarget(backends, toString(option->text),
                                    describedBackend, output.sink);
  }
  return !describedTarget.empty();
}

bool Compilation::findTarget() {
  Problem problem;
  std::string text = toString(input.target);
  auto parsed = plugins::parseTarget(text, problem);
  if (parsed && isLast("needs") && !backends.find(parsed->vendor, problem))
    known = knownTarget(*parsed);
  if (known) {
    output.target = known->spelling;
    return true;
  }
  output.target = resolveTarget(backends, text, backend, output.sink);
  return !output.target.empty() && findDescribed();
}

sema::TargetInfo Compilation::targetInfo() {
  if (known)
    return *known;
  std::optional<sema::TargetInfo> info =
      describeTarget(*describedBackend, describedTarget);
  if (!info) {
    const plugins::Plugin &plugin = *describedBackend->plugin;
    Problem problem = plugin.takeProblem(describedBackend->handle);
    if (problem)
      fail(problem.code, problem.message, problem.hint);
    else
      fail(4000, "the plugin '" + plugin.path() + "' does not say what '" +
                     describedTarget + "' can do");
    info.emplace();
  }
  info->spelling = output.target;
  return *info;
}

std::vector<std::pair<std::string, std::string>>
Compilation::frontendOptions() const {
  std::vector<std::pair<std::string, std::string>> list;
  for (uint64_t i = 0; i < input.option_count; ++i) {
    const tw_option &option = input.options[i];
    std::string text = toString(option.text);
    if (isOneOf(silentOptions, option) && text != "whole")
      continue;
    if (option.kind == TW_VALUE_INT)
      text = std::to_string(option.integer);
    else if (option.kind == TW_VALUE_FLOAT)
      text = std::to_string(option.number);
    list.emplace_back(toString(option.key), text);
  }
  return list;
}

bool Compilation::emitTile() {
  StageTimer timer(output, "emit");
  sema::KernelRequest request;
  request.module = module;
  request.kernelName = toString(input.kernel);
  request.signature = toString(input.signature);
  request.target = targetInfo();
  request.options = frontendOptions();
  auto vendorSources = [&](const std::string &vendor) {
    std::string text = backends.sources(vendor);
    if (!text.empty())
      opVendors.push_back(vendor);
    return text;
  };
  ModulePath modules(input, astContext, output.sink, vendorSources);
  request.resolver = [&](llvm::StringRef name, unsigned level,
                         llvm::StringRef importer) {
    return modules.resolve(name, level, importer);
  };
  for (uint64_t i = 0; i < input.global_count; ++i)
    if (auto value =
            sema::parseConstant(toString(input.globals[i].value), output.sink))
      request.globals.emplace(toString(input.globals[i].name), *value);
  if (output.sink.hasErrors())
    return false;
  std::set<std::string> functions;
  if (wants("functions"))
    request.onInlined = [&](llvm::StringRef file, const ast::Node *function) {
      functions.insert((file + ":" + llvm::Twine(function->range.line)).str());
    };
  ir = sema::emitKernel(*context, request, output.sink);
  std::set<std::string> imported;
  for (const auto &[path, content] : modules.filesRead()) {
    output.filesRead.push_back(path);
    imported.insert(content);
  }
  if (wants("imports")) // sorted: where they lie does not matter
    keep("imports", llvm::join(imported, "\n"));
  if (!ir || output.sink.hasErrors())
    return false;
  if (wants("functions"))
    keep("functions", llvm::join(functions, "\n") + "\n");
  if (wants("tile"))
    keep("tile", printIR(*ir));
  return true;
}

} // namespace tilewright::driver
