//===- PluginDiagnostics.h - What a plugin says of a compile ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sink for plugins that fills the output of a compile.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_PLUGINDIAGNOSTICS_H
#define TILEWRIGHT_FRONTEND_DRIVER_PLUGINDIAGNOSTICS_H

#include "frontend/driver/CompileSession.h"

#include <optional>

namespace tilewright::driver {

/// Collects a plugin's diagnostics into the frontend's sink. A note explains
/// the error before it, which is therefore held back until another one comes.
class PluginDiagnostics {
public:
  explicit PluginDiagnostics(CompileOutput &output) : output(output) {
    table.size = sizeof table;
    table.ctx = this;
    table.emit = [](void *ctx, const tw_diagnostic *from) {
      tw_diagnostic known;
      if (tw_read_struct(&known, sizeof known, from) == TW_OK)
        static_cast<PluginDiagnostics *>(ctx)->take(known);
    };
  }
  PluginDiagnostics(const PluginDiagnostics &) = delete;

  const tw_sink &sink() const { return table; }
  /// Passes on what is held back.
  void flush() {
    if (held)
      output.sink.report(std::move(*held));
    held.reset();
  }
  void take(const tw_diagnostic &from);

private:
  CompileOutput &output;
  tw_sink table = {};
  std::optional<syntax::Diagnostic> held;
};

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_PLUGINDIAGNOSTICS_H
