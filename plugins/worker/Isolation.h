//===- Isolation.h - Plugins that compile in worker processes ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a plugin into a worker process and gives the host the tables of a
// plugin, whose functions ask the worker. Whatever the plugin does there costs
// the caller one error.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_ISOLATION_H
#define TILEWRIGHT_PLUGINS_WORKER_ISOLATION_H

#include "plugins/loader/Registry.h"
#include "plugins/worker/Limits.h"

namespace tilewright::worker {

class Process;

/// A worker that loads a plugin while the host does something else: most of the
/// time to a first kernel is the plugin's dynamic loading.
class EarlyWorker {
public:
  EarlyWorker();
  ~EarlyWorker();
  /// Starts one and does not wait. What fails is left to `loadIsolated`.
  void start(const std::string &path, const plugins::HostVersions &host);
  /// The one that loads `path`, if there is one.
  std::unique_ptr<Process> take(const std::string &path);

private:
  std::string file;
  std::unique_ptr<Process> process;
};

/// A plugin whose profiles COMPILE and OVERRIDE are served by workers; the
/// functions of the other two return TW_E_UNIMPLEMENTED. Each call of `compile`
/// that runs at the same time as another one has a worker of its own; workers
/// are kept and used again. The first one may be `early`.
std::unique_ptr<plugins::Plugin> loadIsolated(const std::string &path,
                                              const plugins::HostVersions &host,
                                              const Limits &limits,
                                              Problem &problem,
                                              EarlyWorker *early = nullptr);

/// The worker program beside the in-tree plugins.
std::string workerProgram();

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_ISOLATION_H
