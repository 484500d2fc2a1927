//===- Probe.h - What the checks of the kit work on -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A probe process examines some rules about one plugin, one after the other,
// and writes a finding for each. A plugin that crashes ends the process; the
// kit goes on with the next rule in another one.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_PROBE_PROBE_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_PROBE_PROBE_H

#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "plugins/worker/Reproducer.h"

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewright::conformance {

/// Thrown by a check: the rule is broken, or cannot be examined here.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Fails the rule unless `holds`.
inline void expect(bool holds, const std::string &text) {
  if (!holds)
    throw Broken(text);
}

/// Element `index` of an array as a number.
double realAt(const std::string &bytes, uint32_t dtype, uint64_t index);

/// One argument of a case: an array, or a number.
struct CaseArgument {
  std::string fill;   // reals, unit, sharp, bits, small, indices, zero; none
  uint64_t count = 0; // 0: a number
  int64_t below = 0;
  bool isOutput = false;
  double value = 0;
};

/// One launch of a kernel of the kit.
struct Case {
  std::string name;
  std::string signature; // "x_ptr:*fp32, n:i32, BLOCK=64"
  std::string request;   // file; empty where it could not be made
  std::string refusal;   // then why
  tw_dims grid = {1, 1, 1};
  uint32_t ulps = 0; // of the largest magnitude of the result
  std::vector<CaseArgument> arguments;
};

/// A claim on a high-level op: a launch of the op's own definition and one of
/// what the claim gives.
struct ClaimCase {
  std::string op, provider, refusal;
  std::string numerics; // "exact", "4 ulp", "fast"
  Case own, taken;
};

/// What the kit tells its probes.
struct Settings {
  std::string library;        // under examination
  std::string compileLibrary; // the same, or its partner
  std::string launchLibrary;
  std::string vendor;
  std::string expected; // folder of the reference's results
  bool writesExpected = false;
  std::vector<std::string> neighbours; // libraries for the global scope
  std::string otherPlugin;
  std::string golden; // folder of golden files of tw.portable, by version
  std::vector<Case> cases;
  std::vector<Case> failures; // launches that end with an error of device code
  std::vector<ClaimCase> claims;
};

/// Collects diagnostics.
class Collector {
public:
  Collector();
  const tw_sink *sink() const { return &table; }
  uint32_t errors = 0;
  std::string first; // error

private:
  tw_sink table = {};
};

/// A library in this process.
class Library {
public:
  explicit Library(const std::string &path);
  tw_backend_entry_fn entry = nullptr;
  std::string problem; // why there is none
};

/// What a compile gave, copied.
struct Compiled {
  int32_t status = TW_OK;
  std::string format, payload, compat;
  std::vector<std::string> records; // encoded as Wire.h does
  uint32_t errors = 0;
  std::string firstError;
  /// All of it, to be compared.
  std::string all() const;
};

/// Lazily made objects that several checks share.
class Session {
public:
  explicit Session(Settings settings) : settings(std::move(settings)) {}

  const Settings settings;

  /// The plugin under examination, loaded and agreed; throws Broken.
  const plugins::Plugin &plugin() { return load(settings.library).plugin(); }
  tw_backend_entry_fn entry();
  /// Compiler and launcher: the plugin itself or its partner.
  const plugins::Plugin &compiler();
  const plugins::Plugin &launcher();
  tw_backend *compileBackend();
  tw_backend *launchBackend();
  tw_device *device();
  tw_stream *stream();

  /// Runs `change` on a request of a case and compiles it, with the backend
  /// that checks share or with another one.
  Compiled compile(const Case &given,
                   const std::function<void(tw_compile_request &)> &change = {},
                   tw_backend *backend = nullptr);
  /// The first case that has a request; throws Skipped.
  const Case &anyCase();
  /// The artifact of a case, compiled once.
  const Compiled &artifact(const Case &given);

  tw_backend *open(const plugins::Plugin &plugin);

private:
  class Loaded {
  public:
    explicit Loaded(const std::string &path);
    const plugins::Plugin &plugin();
    tw_backend *backend = nullptr;

  private:
    std::unique_ptr<plugins::Plugin> agreed;
    Problem problem;
  };
  Loaded &load(const std::string &path);

  std::map<std::string, std::unique_ptr<Loaded>> loaded;
  std::map<std::string, Compiled> artifacts;
  std::unique_ptr<plugins::HostServices> services =
      std::make_unique<plugins::HostServices>(plugins::HostCallbacks());
  tw_device *openDevice = nullptr;
  tw_stream *openStream = nullptr;
};

/// Examines a rule; returns figures for the report. Throws Broken or Skipped.
using Check = std::string (*)(Session &);
struct CheckEntry {
  unsigned rule;
  Check check;
};

/// The checks of each family, by rule.
extern const std::vector<CheckEntry> negotiationChecks;
extern const std::vector<CheckEntry> hygieneChecks;
extern const std::vector<CheckEntry> neighbourChecks;
extern const std::vector<CheckEntry> compileChecks;
extern const std::vector<CheckEntry> numericsChecks;
extern const std::vector<CheckEntry> claimChecks;
extern const std::vector<CheckEntry> portableChecks;
extern const std::vector<CheckEntry> runtimeChecks;
extern const std::vector<CheckEntry> launchChecks;

/// Calls of the memory functions by the calling thread since it started.
uint64_t allocationCount();

/// A kernel of a case on the device with its arguments in place.
class Launch {
public:
  Launch(Session &session, const Case &given);
  ~Launch();
  Launch(const Launch &) = delete;
  Launch &operator=(const Launch &) = delete;

  /// Launches on a stream; a TW_E_* status.
  int32_t run(tw_stream *stream, const void *extension = nullptr,
              const tw_dims *dims = nullptr, uint32_t blockBytes = ~0u);
  /// Waits and reads the arrays back.
  void finish(tw_stream *stream);

  struct Array {
    uint32_t dtype = 0;
    uint64_t address = 0;
    std::string given; // bytes, guard zones included
    std::string after;
    bool isOutput = false;
    std::string content() const;
    bool guardsAreIntact() const;
  };
  std::vector<Array> arrays;
  std::vector<char> block;
  tw_kernel *kernel = nullptr;
  uint32_t deviceBlockBytes = 0;

private:
  Session &session;
  tw_module *module = nullptr;
};

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_PROBE_PROBE_H
