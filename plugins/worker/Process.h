//===- Process.h - One worker process, seen by the host ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting, talking, what it printed, how it ended, ending it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_PROCESS_H
#define TILEWRIGHT_PLUGINS_WORKER_PROCESS_H

#include "plugins/loader/Problem.h"
#include "plugins/worker/Channel.h"

#include <memory>
#include <sys/types.h>

namespace tilewright::worker {

class Process {
public:
  /// Starts the program; nullptr with TW5020 if that fails.
  static std::unique_ptr<Process> start(const std::string &program,
                                        Problem &problem);
  /// Ends the worker, unless this is a fork of the process that started it.
  ~Process();
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  Channel &channel() { return connection; }
  void setCancelled(bool isCancelled) { shared->cancelled = isCancelled; }
  /// Whether this process started the worker, and not the parent of a fork.
  bool isOurs() const;
  /// Kills it if it still runs, and says how it ended: "was ended by SIGSEGV".
  std::string end();
  /// What it printed since the last call, cut to a page.
  std::string takeOutput();
  /// Memory that it holds now, in bytes.
  uint64_t residentBytes() const;

private:
  Process(pid_t process, int socket, int output, SharedFlags *shared);
  pid_t process;
  pid_t owner;
  int socket;
  int output;
  SharedFlags *shared;
  Channel connection;
  bool hasEnded = false;
};

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_PROCESS_H
