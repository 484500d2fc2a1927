//===- Messages.h - What host and worker say to each other ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame is a head and its bytes. The host asks, the worker may emit any
// number of diagnostics and then answers once.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_MESSAGES_H
#define TILEWRIGHT_PLUGINS_WORKER_MESSAGES_H

#include <atomic>
#include <cstdint>

namespace tilewright::worker {

enum class Kind : uint32_t {
  Load = 1,    // path -> vendor, name, build id, flags, profiles, version
  Open,        // options ->
  Fingerprint, // -> text
  Resolve,     // target -> text
  Caps,        // target, ids -> answers
  ListTargets, // -> text
  CanCompile,  // request ->
  Compile,     // request -> response
  Claims,      // target -> override records
  Library,     // index of the record of the last Claims -> library
  Lower,       // index, op bytes -> text
  Sources,     // -> text
  // From the worker.
  Diagnostic = 64,
  Answer, // status, what changed in the process, bytes of the answer
};

struct FrameHead {
  Kind kind;
  uint32_t reserved;
  uint64_t size; // bytes that follow
};

/// Memory that both processes see.
struct SharedFlags {
  std::atomic<uint32_t> cancelled;
};

/// Descriptors that a worker is started with; 1 and 2 go to a file of the
/// host, 0 is empty.
inline constexpr int socketDescriptor = 3;
inline constexpr int sharedDescriptor = 4;

/// Name of the program in the package folder.
inline constexpr const char *workerName = "tilewright-worker";

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_MESSAGES_H
