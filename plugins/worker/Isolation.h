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

/// A plugin whose profiles COMPILE and OVERRIDE are served by workers; the
/// functions of the other two return TW_E_UNIMPLEMENTED. Each call of `compile`
/// that runs at the same time as another one has a worker of its own; workers
/// are kept and used again.
std::unique_ptr<plugins::Plugin> loadIsolated(const std::string &path,
                                              const plugins::HostVersions &host,
                                              const Limits &limits,
                                              Problem &problem);

/// The worker program beside the in-tree plugins.
std::string workerProgram();

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_ISOLATION_H
