//===- Registry.h - The plugins of one host ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses a plugin by vendor and profile, opening as few libraries as it can,
// and keeps an account of why the others were not loaded.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_REGISTRY_H
#define TILEWRIGHT_PLUGINS_LOADER_REGISTRY_H

#include "plugins/loader/Discovery.h"
#include "plugins/loader/Negotiation.h"

#include <memory>
#include <mutex>
#include <set>

namespace tilewright::plugins {

/// A loaded library that agreed; immutable, lives as long as its registry. The
/// library itself stays in the process unless it says that it may go.
class Plugin {
public:
  Plugin(std::string path, void *library, Agreement agreement);
  ~Plugin();
  Plugin(const Plugin &) = delete;
  Plugin &operator=(const Plugin &) = delete;

  const std::string &path() const { return libraryPath; }
  const Agreement &info() const { return agreement; }
  bool offers(uint32_t profiles) const {
    return (agreement.profiles & profiles) == profiles;
  }
  const tw_compile_table &compile() const { return agreement.tables.compile; }
  const tw_runtime_table &runtime() const { return agreement.tables.runtime; }
  const tw_launch_table &launch() const { return agreement.tables.launch; }
  const tw_override_table &overrides() const {
    return agreement.tables.overrides;
  }

  /// Opens a backend; diagnostics of the plugin end up in `problem`. Returns
  /// nullptr on failure. The caller passes it to close() once.
  tw_backend *open(const tw_host_services *services, const tw_option *options,
                   uint64_t optionCount, Problem &problem) const;
  void close(tw_backend *backend) const { agreement.close(backend); }
  /// What went wrong around the last call that had no sink, once; none where
  /// the plugin runs in this process.
  Problem takeProblem(tw_backend *backend) const {
    return agreement.takeProblem ? agreement.takeProblem(backend) : Problem();
  }

private:
  std::string libraryPath;
  void *library;
  Agreement agreement;
};

/// One line of the account.
struct LoadReport {
  std::string path;
  std::string origin;
  std::string vendor;    // empty when not known
  uint32_t profiles = 0; // as far as known
  enum class State { NotOpened, Loaded, Failed } state = State::NotOpened;
  Problem problem; // when Failed
};

/// Opens one library and negotiates; nullptr with a problem on failure.
std::unique_ptr<Plugin> loadPlugin(const std::string &path,
                                   const HostVersions &host, Problem &problem);

/// How a registry loads the library of a vendor (empty: not known yet).
using PluginLoader = std::function<std::unique_ptr<Plugin>(
    const std::string &path, const std::string &vendor,
    const HostVersions &host, Problem &problem)>;

class Registry {
public:
  /// Without a loader plugins are loaded into this process.
  explicit Registry(const SearchPlaces &places, HostVersions host = {},
                    PluginLoader loader = {});

  /// The first plugin of `vendor` that offers all of `profiles`, or nullptr
  /// with a problem that says what was tried. Thread-safe.
  const Plugin *find(const std::string &vendor, uint32_t profiles,
                     Problem &problem);
  /// Path of the library that `find` would load, as far as manifests tell;
  /// empty where it is loaded, or nothing is known.
  std::string findPath(const std::string &vendor, uint32_t profiles);
  /// All plugins of `vendor` that offer all of `profiles`, in order of
  /// preference; what cannot be loaded is left to the account.
  std::vector<const Plugin *> findAll(const std::string &vendor,
                                      uint32_t profiles);
  /// Loads the first `count` candidates and returns the account of them.
  std::vector<LoadReport> loadNamed(size_t count);
  /// Loads every candidate and returns the vendors that offer `profiles`.
  std::vector<std::string> vendors(uint32_t profiles);

  /// The account so far.
  std::vector<LoadReport> reports();
  /// The same as text for people, after loading all candidates.
  std::string reportText();

private:
  struct Entry {
    LoadReport report;
    std::unique_ptr<Plugin> plugin;
  };
  void load(Entry &entry);
  bool fits(Entry &entry, const std::string &vendor, uint32_t profiles);
  std::string describeMiss(const std::string &vendor);
  const Entry *firstOf(const Entry &entry, uint32_t profile) const;
  std::string hiddenText(const Entry &entry) const;

  HostVersions host;
  PluginLoader loader;
  std::vector<std::string> notes;
  std::mutex mutex;
  std::vector<Entry> entries; // in order of preference
};

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_REGISTRY_H
