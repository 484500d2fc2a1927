//===- Pool.h - The workers of one plugin -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call takes an idle worker or starts one, and gives it back unless the
// plugin broke something in it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_POOL_H
#define TILEWRIGHT_PLUGINS_WORKER_POOL_H

#include "plugins/loader/Negotiation.h"
#include "plugins/worker/Limits.h"
#include "plugins/worker/Process.h"
#include "tilewright/plugin.h"

#include <mutex>
#include <vector>

namespace tilewright::worker {

/// One question to a worker and what goes with it.
struct Call {
  Kind kind;
  std::string bytes = {};
  uint64_t nanoseconds = 0; // 0: the limit of plain calls
  const tw_sink *sink = nullptr;
  int32_t (*cancelled)(void *ctx) = nullptr;
  void *cancelContext = nullptr;
  uint64_t memoryBytes = 0; // for the text of an error
};

/// What came of it. `problem` is set when the worker did not survive or must
/// not be believed; `printed` is what the plugin wrote to the standard streams.
struct Answer {
  int32_t status = TW_OK;
  std::string bytes;
  Problem problem;
  std::string printed;
};

class Pool {
public:
  Pool(std::string path, plugins::HostVersions host, Limits limits)
      : path(std::move(path)), host(std::move(host)),
        limits(std::move(limits)) {}

  /// Loads the plugin in a first worker and reads what it says of itself.
  /// `early` is a worker that has been told to load it already, or null.
  bool load(std::unique_ptr<Process> early, plugins::Agreement &agreement,
            Problem &problem);
  /// Has a worker open the backend, unless one has; what came of it.
  Answer open();
  /// A pool for one backend, whose workers open it with these options. Takes
  /// over the workers that have loaded the plugin and opened nothing.
  std::shared_ptr<Pool> makeForBackend(const tw_option *options,
                                       uint64_t count);
  /// Asks one worker.
  Answer ask(const Call &call);

  const std::string &pluginPath() const { return path; }
  const Limits &bounds() const { return limits; }

private:
  struct Member {
    std::unique_ptr<Process> process;
    bool isOpen = false;
    uint64_t startBytes = 0;
  };
  bool take(Member &member, Answer &answer);
  bool start(Member &member, Answer &answer);
  void giveBack(Member member);
  void exchange(Member &member, const Call &call, Answer &answer,
                bool isAsked = false);
  void explainLoss(Member &member, const Call &call, Transfer how,
                   bool isCancelled, Answer &answer);

  std::string path;
  plugins::HostVersions host;
  Limits limits;
  std::unique_ptr<Process> early; // told to load the plugin
  std::string options;            // as Kind::Open sends them
  std::string hello;              // the answer to Kind::Load
  std::mutex mutex;
  std::vector<Member> idle;
};

/// Starts a worker that loads the plugin and does not wait for it; null where
/// that fails, which whoever needs the plugin will find out.
std::unique_ptr<Process> startEarly(const std::string &path,
                                    const plugins::HostVersions &host);

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_POOL_H
