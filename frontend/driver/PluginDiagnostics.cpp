//===- PluginDiagnostics.cpp - What a plugin says of a compile --*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the structs of the interface to diagnostics of the frontend.
//===----------------------------------------------------------------------===//

#include "frontend/driver/PluginDiagnostics.h"
#include "plugins/loader/Utf8.h"

namespace tilewright::driver {

using plugins::readable;

static syntax::Diagnostic fromPlugin(const tw_diagnostic &from) {
  syntax::Diagnostic to;
  to.code = from.code;
  to.severity = from.severity == TW_SEVERITY_ERROR ? syntax::Severity::Error
                : from.severity == TW_SEVERITY_WARNING
                    ? syntax::Severity::Warning
                    : syntax::Severity::Remark;
  to.message = readable(from.message);
  if (to.message.empty())
    to.message = "the plugin reported this without a text";
  to.hint = readable(from.hint);
  for (const tw_location *at = from.location; at; at = at->caller) {
    syntax::SourceRange range = {at->line, at->column ? at->column - 1 : 0,
                                 at->end_line,
                                 at->end_column ? at->end_column - 1 : 0};
    if (at != from.location) {
      to.notes.push_back({range, "called from here", readable(at->file)});
      continue;
    }
    to.fileName = readable(at->file);
    to.range = range;
  }
  return to;
}

void PluginDiagnostics::take(const tw_diagnostic &from) {
  syntax::Diagnostic to = fromPlugin(from);
  if (from.severity == TW_SEVERITY_NOTE && held) {
    held->notes.push_back({to.range, to.message, to.fileName});
    return;
  }
  flush();
  if (to.severity == syntax::Severity::Remark)
    output.remarks.push_back(std::move(to));
  else
    held = std::move(to);
}

} // namespace tilewright::driver
