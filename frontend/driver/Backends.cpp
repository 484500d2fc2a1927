//===- Backends.cpp - The backends that a compiler has opened -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the plugin of a vendor, opens it once and keeps its fingerprint.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompileSession.h"
#include "plugins/loader/DiagnosticText.h"
#include "plugins/loader/Target.h"

#include "tilewright/plugin.h"

namespace tilewright::driver {

void OptionList::add(const tw_option &option) {
  auto own = [&](tw_str text) {
    texts.push_back(toString(text));
    return toStr(texts.back());
  };
  tw_option copy = option;
  copy.key = own(option.key);
  copy.text = own(option.text);
  options.push_back(copy);
}

Backends::Backends(plugins::SearchPlaces places, OptionList options)
    : plugins(std::move(places)), services({}), options(std::move(options)) {}

Backends::~Backends() {
  for (auto &entry : opened)
    entry.second.plugin->close(entry.second.handle);
}

const Backends::Backend *Backends::find(const std::string &vendor,
                                        Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = opened.find(vendor);
  if (it != opened.end())
    return &it->second;
  Backend backend;
  backend.plugin = plugins.find(vendor, TW_PROFILE_COMPILE, problem);
  if (!backend.plugin)
    return nullptr;
  backend.handle = backend.plugin->open(services.table(), options.list().data(),
                                        options.list().size(), problem);
  if (!backend.handle)
    return nullptr;
  backend.plugin->compile().fingerprint(backend.handle,
                                        writerTo(backend.fingerprint));
  return &opened.emplace(vendor, backend).first->second;
}

std::string resolveTarget(Backends &backends, const std::string &text,
                          const Backends::Backend *&backend,
                          syntax::DiagnosticSink &sink) {
  Problem problem;
  std::string resolved;
  std::optional<plugins::Target> target = plugins::parseTarget(text, problem);
  if (target)
    backend = backends.find(target->vendor, problem);
  if (backend) {
    plugins::DiagnosticText reports;
    int32_t status = backend->plugin->compile().resolve_target(
        backend->handle, toStr(text), reports.sink(), writerTo(resolved));
    if (status != TW_OK)
      reports.explain(status, 4001, "the plugin does not know '" + text + "'",
                      problem);
  }
  if (problem) {
    syntax::Diagnostic diagnostic;
    diagnostic.code = problem.code;
    diagnostic.message = problem.message;
    diagnostic.hint = problem.hint;
    sink.report(std::move(diagnostic));
    return {};
  }
  return resolved;
}

} // namespace tilewright::driver
