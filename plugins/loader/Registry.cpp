//===- Registry.cpp - The plugins of one host -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries are opened with RTLD_LOCAL, so that a plugin's symbols stay its
// own, and a plugin with undefined symbols is refused here.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Registry.h"

#include "plugins/loader/Binding.h"
#include "plugins/loader/DiagnosticText.h"
#include "plugins/loader/PluginManifest.h"

#include <algorithm>
#include <dlfcn.h>

namespace tilewright::plugins {

Plugin::Plugin(std::string path, void *library, Agreement agreement)
    : libraryPath(std::move(path)), library(library),
      agreement(std::move(agreement)) {}

Plugin::~Plugin() {
  if (agreement.flags & TW_BACKEND_UNLOADABLE)
    dlclose(library);
}

tw_backend *Plugin::open(const tw_host_services *services,
                         const tw_option *options, uint64_t optionCount,
                         Problem &problem) const {
  DiagnosticText texts;
  tw_backend_config config = {};
  config.size = sizeof config;
  config.services = services;
  config.options = options;
  config.option_count = optionCount;
  config.sink = texts.sink();
  tw_backend *backend = nullptr;
  int32_t status = agreement.open(&config, &backend);
  if (status == TW_OK && backend)
    return backend;
  texts.explain(status ? status : TW_E_INTERNAL, 5012,
                "the plugin '" + libraryPath + "' cannot start", problem);
  return nullptr;
}

std::unique_ptr<Plugin> loadPlugin(const std::string &path,
                                   const HostVersions &host, Problem &problem) {
  // A path without '/' would be looked up in the system's library folders.
  std::string file = path.find('/') == path.npos ? "./" + path : path;
  // One that asks to be bound now is, and what it takes along need not be: the
  // LLVM and MLIR of a distribution have 27,000 calls to bind.
  int binding = isBoundNow(file) ? RTLD_LAZY : RTLD_NOW;
  void *library = dlopen(file.c_str(), binding | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    problem.set(TW_E_NOT_FOUND, 5001,
                "cannot open the plugin: " +
                    std::string(reason ? reason : "unknown reason"),
                "check that the file exists, is for this machine and finds its "
                "own libraries (ldd)");
    return nullptr;
  }
  void *symbol = dlsym(library, TW_BACKEND_ENTRY_NAME);
  if (!symbol) {
    problem.set(TW_E_NOT_FOUND, 5002,
                "the library does not export " TW_BACKEND_ENTRY_NAME,
                "this is not a tilewright plugin");
    dlclose(library);
    return nullptr;
  }
  Agreement agreement;
  if (!negotiate(reinterpret_cast<tw_backend_entry_fn>(symbol), host, agreement,
                 problem))
    return nullptr; // refusals stay loaded: the library ran code already
  return std::make_unique<Plugin>(path, library, std::move(agreement));
}

Registry::Registry(const SearchPlaces &places, HostVersions host,
                   PluginLoader given)
    : host(std::move(host)), loader(std::move(given)) {
  if (!loader)
    loader = [](const std::string &path, const std::string &,
                const HostVersions &host,
                Problem &problem) { return loadPlugin(path, host, problem); };
  for (Candidate &candidate : findCandidates(places, notes)) {
    Entry entry;
    entry.report.path = candidate.path;
    entry.report.origin = candidate.origin;
    Problem problem;
    if (auto manifest = readPluginManifest(candidate.path, problem)) {
      entry.report.vendor = manifest->vendor;
      entry.report.profiles = manifest->profiles;
    } else if (problem) {
      entry.report.state = LoadReport::State::Failed;
      entry.report.problem = problem;
    }
    entries.push_back(std::move(entry));
  }
}

/// Opens an entry that was not tried yet, and holds it to its manifest.
void Registry::load(Entry &entry) {
  LoadReport &report = entry.report;
  if (report.state != LoadReport::State::NotOpened)
    return;
  report.state = LoadReport::State::Failed;
  std::unique_ptr<Plugin> plugin =
      loader(report.path, report.vendor, host, report.problem);
  if (!plugin)
    return;
  const Agreement &info = plugin->info();
  if (!report.vendor.empty() &&
      (report.vendor != info.vendor || report.profiles != info.profiles)) {
    report.problem.set(TW_E_PRECONDITION, 5007,
                       "the manifest says vendor '" + report.vendor +
                           "' and profiles " + std::to_string(report.profiles) +
                           ", the plugin '" + info.vendor + "' and " +
                           std::to_string(info.profiles),
                       "rewrite or delete the manifest");
    return;
  }
  report.vendor = info.vendor;
  report.profiles = info.profiles;
  report.state = LoadReport::State::Loaded;
  entry.plugin = std::move(plugin);
}

static std::string profileNames(uint32_t profiles) {
  static constexpr std::pair<uint32_t, const char *> names[] = {
      {TW_PROFILE_COMPILE, "compile"},
      {TW_PROFILE_RUNTIME, "runtime"},
      {TW_PROFILE_LAUNCH, "launch"},
      {TW_PROFILE_OVERRIDE, "override"}};
  std::string text;
  for (auto [bit, name] : names)
    if (profiles & bit)
      text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

/// Whether an entry is of `vendor` and offers `profiles`; opens it unless its
/// manifest says that it is not.
bool Registry::fits(Entry &entry, const std::string &vendor,
                    uint32_t profiles) {
  const LoadReport &report = entry.report;
  bool mayFit =
      report.vendor.empty() ||
      (report.vendor == vendor && (report.profiles & profiles) == profiles);
  if (mayFit)
    load(entry);
  return entry.plugin && report.vendor == vendor &&
         entry.plugin->offers(profiles);
}

std::vector<const Plugin *> Registry::findAll(const std::string &vendor,
                                              uint32_t profiles) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<const Plugin *> found;
  for (Entry &entry : entries)
    if (fits(entry, vendor, profiles))
      found.push_back(entry.plugin.get());
  return found;
}

const Plugin *Registry::find(const std::string &vendor, uint32_t profiles,
                             Problem &problem) {
  std::lock_guard<std::mutex> lock(mutex);
  bool vendorExists = false;
  for (Entry &entry : entries) {
    if (fits(entry, vendor, profiles))
      return entry.plugin.get();
    vendorExists |= entry.report.vendor == vendor;
  }
  std::string what = vendorExists ? "no usable plugin for '" + vendor +
                                        "' offers: " + profileNames(profiles)
                                  : "there is no plugin for '" + vendor + "'";
  problem.set(TW_E_NOT_FOUND, vendorExists ? 5009 : 5008, what,
              describeMiss(vendor));
  return nullptr;
}

std::string Registry::findPath(const std::string &vendor, uint32_t profiles) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const Entry &entry : entries) {
    const LoadReport &report = entry.report;
    bool fits =
        report.vendor == vendor && (report.profiles & profiles) == profiles;
    if (fits || report.vendor.empty())
      return fits && report.state == LoadReport::State::NotOpened ? report.path
                                                                  : "";
  }
  return "";
}

/// The next step after a miss: the failure of that vendor's plugin if there is
/// one, else what exists.
std::string Registry::describeMiss(const std::string &vendor) {
  std::string failures, known;
  std::set<std::string> names;
  for (const Entry &entry : entries) {
    const LoadReport &report = entry.report;
    if (report.state == LoadReport::State::Failed &&
        (report.vendor == vendor || report.vendor.empty()))
      failures += (failures.empty() ? "" : "; ") + report.path +
                  " was not loaded: " + report.problem.str();
    else if (!report.vendor.empty() && names.insert(report.vendor).second)
      known += (known.empty() ? "" : ", ") + report.vendor;
  }
  if (!failures.empty())
    return failures;
  std::string text = known.empty() ? "no plugin was found at all"
                                   : "vendors that were found: " + known;
  for (const std::string &note : notes)
    text += "; " + note;
  return text;
}

std::vector<LoadReport> Registry::loadNamed(size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<LoadReport> named;
  for (size_t i = 0; i < std::min(count, entries.size()); ++i) {
    load(entries[i]);
    named.push_back(entries[i].report);
  }
  return named;
}

std::vector<std::string> Registry::vendors(uint32_t profiles) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (Entry &entry : entries) {
    load(entry);
    if (entry.plugin && entry.plugin->offers(profiles) &&
        seen.insert(entry.report.vendor).second)
      names.push_back(entry.report.vendor);
  }
  return names;
}

std::vector<LoadReport> Registry::reports() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<LoadReport> all;
  for (const Entry &entry : entries)
    all.push_back(entry.report);
  return all;
}

/// The loaded entry before this one that serves its vendor instead; overrides
/// of several libraries are all asked.
const Registry::Entry *Registry::firstOf(const Entry &entry,
                                         uint32_t profile) const {
  for (const Entry &other : entries)
    if (other.plugin && other.report.vendor == entry.report.vendor &&
        other.plugin->offers(profile))
      return &other == &entry ? nullptr : &other;
  return nullptr;
}

/// What of an entry an earlier one of the vendor keeps from being used.
std::string Registry::hiddenText(const Entry &entry) const {
  std::string text;
  for (uint32_t profile :
       {TW_PROFILE_COMPILE, TW_PROFILE_RUNTIME, TW_PROFILE_LAUNCH})
    if (entry.plugin->offers(profile))
      if (const Entry *first = firstOf(entry, profile))
        text += "; not used for " + profileNames(profile) + ", " +
                first->report.path + " comes first";
  return text;
}

std::string Registry::reportText() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  for (Entry &entry : entries) {
    load(entry);
    const LoadReport &report = entry.report;
    text += report.path + " (" + report.origin + "): ";
    if (entry.plugin)
      text += "loaded, vendor " + report.vendor + ", offers " +
              profileNames(report.profiles) + ", ABI " +
              versionText(entry.plugin->info().version) + ", build " +
              entry.plugin->info().buildId +
              (entry.plugin->info().isIsolated ? ", in a worker process" : "") +
              hiddenText(entry) + "\n";
    else
      text += "not loaded, " + report.problem.str() + "\n";
  }
  for (const std::string &note : notes)
    text += note + "\n";
  return text.empty() ? "no plugin was found\n" : text;
}

} // namespace tilewright::plugins
