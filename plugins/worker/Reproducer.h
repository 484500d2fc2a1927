//===- Reproducer.h - A compile request as a file ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a failed compile leaves and `tilewright replay` runs again: the plugin's
// path, the options that it was opened with, and the request. Read by the build
// that wrote it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_WORKER_REPRODUCER_H
#define TILEWRIGHT_PLUGINS_WORKER_REPRODUCER_H

#include "plugins/loader/Problem.h"
#include "plugins/worker/Wire.h"

#include <optional>

namespace tilewright::worker {

/// Texts are views of the bytes that were read.
class Reproducer {
public:
  /// The content of such a file.
  static std::string write(const std::string &pluginPath,
                           const tw_option *options, uint64_t optionCount,
                           const tw_compile_request &request);
  /// Reads one; nullptr with TW5026 if the bytes are something else.
  static std::unique_ptr<Reproducer> read(std::string bytes, Problem &problem);

  std::string pluginPath;
  const tw_option *options = nullptr;
  uint64_t optionCount = 0;
  tw_compile_request request = {};

private:
  explicit Reproducer(std::string bytes);
  std::string bytes;
  Decoder decoder;
};

/// Writes a file into a folder under a new name; empty if that fails.
std::string keepReproducer(const std::string &folder, const std::string &vendor,
                           const std::string &content);

} // namespace tilewright::worker

#endif // TILEWRIGHT_PLUGINS_WORKER_REPRODUCER_H
