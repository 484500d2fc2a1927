//===- CompileSession.h - Source text to artifact -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one path from text to artifact bytes that every host uses: parse, emit
// tile IR, lower to Kernel IR, hand the bytes to the plugin of the target, wrap
// what comes back.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_COMPILESESSION_H
#define TILEWRIGHT_FRONTEND_DRIVER_COMPILESESSION_H

#include "frontend/syntax/Diagnostic.h"
#include "plugins/loader/HostServices.h"
#include "plugins/loader/Registry.h"
#include "plugins/worker/Isolation.h"
#include "plugins/worker/Limits.h"

#include "tilewright/compiler.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace tilewright::driver {

struct StageText {
  std::string name;
  std::string text;
};

struct Timing {
  std::string stage;
  uint64_t nanoseconds;
};

/// What one compile gave; `status` is a TW_E_* code.
struct CompileOutput {
  int32_t status = TW_OK;
  std::string artifact;
  std::string target;
  std::vector<StageText> stages;
  std::vector<Timing> timings;
  syntax::DiagnosticSink sink; // errors, warnings
  std::vector<syntax::Diagnostic> remarks;
  bool isFromCache = false;
  /// Files that imported modules were read from.
  std::vector<std::string> filesRead;
};

/// A list of tw_option that owns its texts.
class OptionList {
public:
  void add(const tw_option &option);
  const std::vector<tw_option> &list() const { return options; }

private:
  std::vector<tw_option> options;
  std::deque<std::string> texts; // addresses stay valid
};

/// Where plugins compile.
struct IsolationSettings {
  /// Plugins of every vendor but cpu compile in worker processes.
  bool isolates = true;
  worker::Limits limits;
};

/// Takes `option` if it is one of the compiler's own: isolation (process or
/// none), compile_seconds, compile_megabytes, reproducer_folder. False with a
/// problem if its value is wrong.
bool readIsolationOption(const tw_option &option, IsolationSettings &settings,
                         bool &isTaken, Problem &problem);

/// The backends that a compiler has opened, by vendor. Thread-safe.
class Backends {
public:
  Backends(plugins::SearchPlaces places, OptionList options,
           IsolationSettings isolation);
  ~Backends();

  struct Backend {
    const plugins::Plugin *plugin = nullptr;
    tw_backend *handle = nullptr;
  };
  /// The compiling backend of a vendor, or nullptr with the reason.
  const Backend *find(const std::string &vendor, Problem &problem);
  /// Begins what `find` of the vendor of `target` will take, and returns.
  void prepare(const std::string &target);
  /// What a backend is made of, asked once; empty with the reason.
  std::string fingerprintOf(const Backend &backend, Problem &problem);
  /// Where claims on high-level ops come from: the compiling backend, the
  /// libraries of its vendor that offer overrides and compile nothing, and
  /// those of vendors whose own ops a kernel uses.
  std::vector<const Backend *>
  overriding(const Backend &compiler,
             const std::vector<std::string> &opVendors);
  /// Hash of what a plugin's claim brings, or "" without a library.
  std::string contentHash(const Backend &owner,
                          const tw_override_record *claim);
  /// Source text of the ops that a vendor adds, or "".
  std::string sources(const std::string &vendor);
  /// Loads a plugin as these settings say; nullptr with the reason.
  std::unique_ptr<plugins::Plugin> load(const std::string &path,
                                        const std::string &vendor,
                                        const plugins::HostVersions &host,
                                        Problem &problem,
                                        worker::EarlyWorker *early = {}) const;
  /// What every backend is opened with.
  const OptionList &openOptions() const { return options; }
  plugins::Registry &registry() { return plugins; }

private:
  /// Those of a vendor, opened.
  std::vector<const Backend *> findOverrides(const std::string &vendor);

  std::mutex mutex;
  IsolationSettings isolation;
  worker::EarlyWorker early;
  plugins::Registry plugins;
  plugins::HostServices services;
  OptionList options;
  std::map<std::string, Backend> opened;
  std::map<const Backend *, std::string> fingerprints;
  std::map<const plugins::Plugin *, Backend> openedOverrides;
  std::map<const tw_override_record *, std::string> contentHashes;
};

/// Compiles one request. Never throws; everything that is wrong with the input
/// is a diagnostic in the output.
void compileSource(Backends &backends, const tw_compile_input &input,
                   CompileOutput &output);

/// "cpu" -> "cpu:znver4"; an empty result leaves a diagnostic in the sink.
std::string resolveTarget(Backends &backends, const std::string &target,
                          const Backends::Backend *&backend,
                          syntax::DiagnosticSink &sink);

/// Runs a saved compile request again with the plugin at `path`, or the one
/// that it names. Diagnostics go to `sink`, what came out to `text`.
int32_t replayRequest(const Backends &backends, std::string bytes,
                      std::string path, const tw_sink *sink, std::string &text);

/// The kernels of a text as JSON (tw_compiler_describe).
std::string describeKernels(std::string_view source,
                            const std::string &fileName,
                            syntax::DiagnosticSink &sink);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_COMPILESESSION_H
