//===- DiagnosticText.h - A sink that keeps the first error -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what a plugin reports during one call into a Problem.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_DIAGNOSTICTEXT_H
#define TILEWRIGHT_PLUGINS_LOADER_DIAGNOSTICTEXT_H

#include "plugins/loader/Problem.h"
#include "plugins/loader/StatusText.h"
#include "plugins/loader/Utf8.h"

#include <mutex>

namespace tilewright::plugins {

class DiagnosticText {
public:
  DiagnosticText() {
    table.size = sizeof table;
    table.ctx = this;
    table.emit = [](void *ctx, const tw_diagnostic *diagnostic) {
      tw_diagnostic known;
      if (tw_read_struct(&known, sizeof known, diagnostic) == TW_OK)
        static_cast<DiagnosticText *>(ctx)->add(known);
    };
  }
  DiagnosticText(const DiagnosticText &) = delete;
  DiagnosticText &operator=(const DiagnosticText &) = delete;

  const tw_sink *sink() const { return &table; }
  bool hasErrors() const { return hasError; }

  /// Fills `problem` from the first error reported, or from the fallback when
  /// the plugin gave none. Returns false.
  bool explain(int32_t status, uint32_t fallbackCode,
               const std::string &fallback, Problem &problem) const {
    if (hasError)
      return problem.set(status, code ? code : fallbackCode, message, hint);
    return problem.set(status, fallbackCode,
                       fallback + " (" + statusText(status) + ")");
  }

private:
  void add(const tw_diagnostic &diagnostic) {
    std::lock_guard<std::mutex> lock(mutex);
    if (hasError || diagnostic.severity != TW_SEVERITY_ERROR)
      return;
    hasError = true;
    code = diagnostic.code;
    message = readable(diagnostic.message);
    if (message.empty())
      message = "the plugin reported an error without a text";
    hint = readable(diagnostic.hint);
    if (const tw_location *location = diagnostic.location)
      message = readable(location->file) + ":" +
                std::to_string(location->line) + ": " + message;
  }

  tw_sink table = {};
  std::mutex mutex;
  bool hasError = false;
  uint32_t code = 0;
  std::string message;
  std::string hint;
};

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_DIAGNOSTICTEXT_H
