//===- Backends.cpp - The backends that a compiler has opened -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the plugin of a vendor, opens it once and asks once what it is made of.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompileSession.h"
#include "plugins/loader/DiagnosticText.h"
#include "plugins/loader/Target.h"
#include "plugins/loader/Utf8.h"

#include "tilewright/plugin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

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

/// Seconds or megabytes: a positive number.
static bool readAmount(const tw_option &option, double unit, uint64_t &amount,
                       Problem &problem) {
  double value =
      option.kind == TW_VALUE_INT ? double(option.integer) : option.number;
  bool isNumber = option.kind == TW_VALUE_INT || option.kind == TW_VALUE_FLOAT;
  if (!isNumber || !(value > 0) || value * unit > 1e18)
    return problem.set(TW_E_INVALID_ARGUMENT, 4106,
                       "expected a positive number for option '" +
                           toString(option.key) + "'");
  amount = uint64_t(value * unit);
  return true;
}

bool readIsolationOption(const tw_option &option, IsolationSettings &settings,
                         bool &isTaken, Problem &problem) {
  std::string key = toString(option.key), text = toString(option.text);
  isTaken = true;
  if (key == "compile_seconds")
    return readAmount(option, 1e9, settings.limits.compileNanoseconds, problem);
  if (key == "compile_megabytes")
    return readAmount(option, 1 << 20, settings.limits.memoryBytes, problem);
  isTaken = key == "isolation" || key == "reproducer_folder";
  if (key == "reproducer_folder")
    settings.limits.reproducerFolder = text;
  if (key != "isolation")
    return true;
  settings.isolates = text == "process";
  return text == "process" || text == "none" ||
         problem.set(TW_E_INVALID_ARGUMENT, 4106,
                     "expected process or none for option 'isolation', got '" +
                         text + "'");
}

Backends::Backends(plugins::SearchPlaces places, OptionList options,
                   IsolationSettings isolation)
    : isolation(std::move(isolation)),
      plugins(std::move(places), {},
              [this](const std::string &path, const std::string &vendor,
                     const plugins::HostVersions &host, Problem &problem) {
                return load(path, vendor, host, problem, &early);
              }),
      services({}), options(std::move(options)) {}

std::unique_ptr<plugins::Plugin>
Backends::load(const std::string &path, const std::string &vendor,
               const plugins::HostVersions &host, Problem &problem,
               worker::EarlyWorker *early) const {
  // What is not known to be ours is kept apart.
  if (!isolation.isolates || vendor == "cpu")
    return plugins::loadPlugin(path, host, problem);
  return worker::loadIsolated(path, host, isolation.limits, problem, early);
}

void Backends::prepare(const std::string &text) {
  Problem problem;
  std::optional<plugins::Target> target = plugins::parseTarget(text, problem);
  if (!target || !isolation.isolates || target->vendor == "cpu")
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (opened.count(target->vendor))
    return;
  std::string path = plugins.findPath(target->vendor, TW_PROFILE_COMPILE);
  if (!path.empty())
    early.start(path, plugins::HostVersions());
}

Backends::~Backends() {
  for (auto &entry : opened)
    entry.second.plugin->close(entry.second.handle);
  for (auto &entry : openedOverrides)
    if (entry.second.handle)
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
  return &opened.emplace(vendor, backend).first->second;
}

std::string Backends::fingerprintOf(const Backend &backend, Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = fingerprints.try_emplace(&backend);
  int32_t status = TW_OK;
  if (isNew)
    status = backend.plugin->compile().fingerprint(backend.handle,
                                                   writerTo(entry->second));
  if (status == TW_OK)
    return entry->second;
  fingerprints.erase(entry);
  problem.set(status, 5012,
              "the plugin '" + backend.plugin->path() +
                  "' gives no fingerprint (status " + std::to_string(status) +
                  ")");
  return {};
}

std::vector<const Backends::Backend *>
Backends::findOverrides(const std::string &vendor) {
  std::vector<const Backend *> found;
  for (const plugins::Plugin *plugin :
       plugins.findAll(vendor, TW_PROFILE_OVERRIDE)) {
    std::lock_guard<std::mutex> lock(mutex);
    auto [it, isNew] = openedOverrides.try_emplace(plugin);
    Backend &backend = it->second;
    Problem problem; // the account of plugins has it
    if (isNew) {
      backend.plugin = plugin;
      backend.handle = plugin->open(services.table(), options.list().data(),
                                    options.list().size(), problem);
    }
    if (backend.handle)
      found.push_back(&backend);
  }
  return found;
}

std::vector<const Backends::Backend *>
Backends::overriding(const Backend &compiler,
                     const std::vector<std::string> &opVendors) {
  std::vector<const Backend *> found;
  if (compiler.plugin->offers(TW_PROFILE_OVERRIDE))
    found.push_back(&compiler);
  std::vector<std::string> vendors = {compiler.plugin->info().vendor};
  for (const std::string &vendor : opVendors)
    if (std::find(vendors.begin(), vendors.end(), vendor) == vendors.end())
      vendors.push_back(vendor);
  for (const std::string &vendor : vendors)
    for (const Backend *backend : findOverrides(vendor))
      // Other compilers of the same vendor were not chosen.
      if (vendor != vendors.front() ||
          !backend->plugin->offers(TW_PROFILE_COMPILE))
        found.push_back(backend);
  return found;
}

std::string Backends::contentHash(const Backend &owner,
                                  const tw_override_record *claim) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] = contentHashes.try_emplace(claim);
  tw_library library = {};
  if (isNew &&
      owner.plugin->overrides().library(owner.handle, claim, &library) == TW_OK)
    it->second = llvm::utohexstr(
        llvm::xxh3_64bits({static_cast<const char *>(library.content.data),
                           library.content.size}));
  return it->second;
}

std::string Backends::sources(const std::string &vendor) {
  for (const Backend *backend : findOverrides(vendor)) {
    std::string text;
    if (backend->plugin->overrides().sources(backend->handle, writerTo(text)) ==
            TW_OK &&
        !text.empty())
      return text;
  }
  return "";
}

/// Whether a plugin made a target explicit: one of its own, that can be written
/// in a compile, an artifact and a cache.
static bool isExplicit(const std::string &resolved, const std::string &vendor) {
  Problem problem;
  std::optional<plugins::Target> target =
      plugins::parseTarget(resolved, problem);
  return target && target->vendor == vendor && !target->arch.empty() &&
         !target->device && resolved.size() < 4096;
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
      reports.explain(status, 4001,
                      "the plugin '" + backend->plugin->path() +
                          "' does not know '" + text + "'",
                      problem);
    else if (!isExplicit(resolved, target->vendor))
      problem.set(
          TW_E_INTERNAL, 4001,
          "the plugin '" + backend->plugin->path() + "' made '" + text +
              "' to '" + plugins::readable(toStr(resolved.substr(0, 100))) +
              "', expected " + target->vendor + ":arch[+feature|-feature]*",
          "report it to the plugin's vendor; 'tilewright "
          "plugin-check' examines the plugin");
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
