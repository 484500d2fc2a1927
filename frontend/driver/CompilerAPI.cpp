//===- CompilerAPI.cpp - The C interface of the compiler -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ownership and layout around CompileSession: results are one allocation that
// holds all texts and the tables that point at them.
//===----------------------------------------------------------------------===//

#include "frontend/driver/CompilerHandle.h"
#include "frontend/driver/Fits.h"
#include "frontend/sema/NameList.h"
#include "plugins/loader/Target.h"
#include "plugins/loader/Utf8.h"

#include "tilewright/compiler.h"
#include "tilewright/plugin.h"

#include <deque>
#include <sstream>

using namespace tilewright;
using namespace tilewright::driver;

namespace {

void write(tw_writer out, std::string_view text) {
  if (out.write)
    out.write(out.ctx, text.data(), text.size());
}

std::vector<std::string> toStrings(const tw_str *list, uint64_t count) {
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < count; ++i)
    strings.push_back(toString(list[i]));
  return strings;
}

uint32_t severityCode(syntax::Severity severity) {
  switch (severity) {
  case syntax::Severity::Error:
    return TW_SEVERITY_ERROR;
  case syntax::Severity::Warning:
    return TW_SEVERITY_WARNING;
  case syntax::Severity::Remark:
    return TW_SEVERITY_REMARK;
  case syntax::Severity::Note:
    return TW_SEVERITY_NOTE;
  }
  return TW_SEVERITY_ERROR;
}

/// C views of diagnostics; the diagnostics outlive it and do not move.
class DiagnosticTables {
public:
  const tw_diagnostic *add(const syntax::Diagnostic &from) {
    tw_diagnostic to = {};
    to.size = sizeof to;
    to.severity = severityCode(from.severity);
    to.code = from.code;
    to.message = toStr(from.message);
    to.hint = toStr(from.hint);
    to.location = addLocation(from.fileName, from.range);
    for (const syntax::Note &note : from.notes)
      if (to.location && note.message == "called from here")
        lastCaller(to.location)->caller = addLocation(
            note.fileName.empty() ? from.fileName : note.fileName, note.range);
    diagnostics.push_back(to);
    return &diagnostics.back();
  }

private:
  static tw_location *lastCaller(const tw_location *location) {
    while (location->caller)
      location = location->caller;
    return const_cast<tw_location *>(location);
  }

  tw_location *addLocation(const std::string &file, syntax::SourceRange range) {
    if (!range.isValid())
      return nullptr;
    tw_location location = {};
    location.file = toStr(file);
    location.line = range.line;
    location.column = range.column + 1;
    location.end_line = range.endLine;
    location.end_column = range.endColumn + 1;
    locations.push_back(location);
    return &locations.back();
  }

  std::deque<tw_diagnostic> diagnostics; // addresses stay valid
  std::deque<tw_location> locations;
};

/// The result and all that it points to; the table is the first member, so its
/// address leads back here.
struct OwnedResult {
  tw_compile_result table = {};
  CompileOutput output;
  std::string rendered;
  DiagnosticTables tables;
  std::vector<const tw_diagnostic *> diagnostics;
  std::vector<const tw_diagnostic *> remarks;
  std::vector<tw_stage_text> stages;
  std::vector<tw_timing> timings;

  void fillTable() {
    for (const syntax::Diagnostic &diagnostic : output.sink.diagnostics())
      diagnostics.push_back(tables.add(diagnostic));
    for (const syntax::Diagnostic &remark : output.remarks)
      remarks.push_back(tables.add(remark));
    for (const StageText &stage : output.stages)
      stages.push_back({toStr(stage.name), toStr(stage.text)});
    for (const Timing &timing : output.timings)
      timings.push_back({toStr(timing.stage), timing.nanoseconds});
    rendered = syntax::renderText(output.sink);
    table.size = sizeof table;
    table.flags = output.isFromCache ? TW_RESULT_FROM_CACHE : 0;
    table.status = output.status;
    table.artifact = {output.artifact.data(), output.artifact.size()};
    table.stages = stages.data();
    table.stage_count = stages.size();
    table.diagnostics = diagnostics.data();
    table.diagnostic_count = diagnostics.size();
    table.remarks = remarks.data();
    table.remark_count = remarks.size();
    table.rendered = toStr(rendered);
    table.target = toStr(output.target);
    table.timings = timings.data();
    table.timing_count = timings.size();
  }
};

void emitAll(const syntax::DiagnosticSink &from, const tw_sink *to) {
  if (!to || !to->emit)
    return;
  DiagnosticTables tables;
  for (const syntax::Diagnostic &diagnostic : from.diagnostics())
    to->emit(to->ctx, tables.add(diagnostic));
}

} // namespace

int32_t tw_compiler_create(const tw_compiler_config *config, tw_writer error,
                           tw_compiler **compiler) {
  tw_compiler_config known = {};
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  *compiler = nullptr;
  if (config)
    if (int32_t status = tw_read_struct(&known, sizeof known, config)) {
      write(error, "the configuration comes from a newer version");
      return status;
    }
  plugins::SearchPlaces places;
  places.pluginPaths = toStrings(known.plugin_paths, known.plugin_path_count);
  places.searchFolders =
      toStrings(known.search_folders, known.search_folder_count);
  OptionList options;
  IsolationSettings isolation;
  cache::Settings cacheSettings;
  for (uint64_t i = 0; i < known.option_count; ++i) {
    Problem problem;
    bool isTaken = false;
    if (!readIsolationOption(known.options[i], isolation, isTaken, problem) ||
        (!isTaken && !cache::readCacheOption(known.options[i], cacheSettings,
                                             isTaken, problem))) {
      write(error, problem.str());
      return problem.status;
    }
    if (!isTaken)
      options.add(known.options[i]);
  }
  std::vector<std::string> named = places.pluginPaths;
  auto created = std::make_unique<tw_compiler>(
      std::move(places), std::move(options), std::move(isolation));
  if (!cacheSettings.folder.empty() || !cacheSettings.sharedFolders.empty())
    created->store.emplace(std::move(cacheSettings));
  // A plugin that was named must load; those found in folders may fail.
  for (const plugins::LoadReport &report :
       created->backends.registry().loadNamed(named.size()))
    if (report.state == plugins::LoadReport::State::Failed) {
      write(error, report.problem.str());
      return report.problem.status;
    }
  *compiler = created.release();
  return TW_OK;
}

void tw_compiler_release(tw_compiler *compiler) { delete compiler; }

int32_t tw_compiler_targets(tw_compiler *compiler, tw_writer out) {
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  for (const std::string &vendor :
       compiler->backends.registry().vendors(TW_PROFILE_COMPILE)) {
    Problem problem;
    const Backends::Backend *backend = compiler->backends.find(vendor, problem);
    std::string text;
    if (backend)
      backend->plugin->compile().list_targets(backend->handle, writerTo(text));
    std::istringstream lines(plugins::readable(toStr(text)));
    write(out, vendor + "\n");
    for (std::string arch; std::getline(lines, arch);)
      write(out, vendor + ":" + arch + "\n");
  }
  return TW_OK;
}

int32_t tw_compiler_plugin_report(tw_compiler *compiler, tw_writer out) {
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  write(out, compiler->backends.registry().reportText());
  return TW_OK;
}

void tw_compiler_prepare(tw_compiler *compiler, tw_str target) {
  if (compiler)
    compiler->backends.prepare(toString(target));
}

int32_t tw_compiler_resolve_target(tw_compiler *compiler, tw_str target,
                                   const tw_sink *sink, tw_writer out) {
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  syntax::DiagnosticSink collected;
  const Backends::Backend *backend = nullptr;
  std::string resolved =
      resolveTarget(compiler->backends, toString(target), backend, collected);
  emitAll(collected, sink);
  if (resolved.empty())
    return TW_E_DIAGNOSED;
  write(out, resolved);
  return TW_OK;
}

int32_t tw_compiler_replay(tw_compiler *compiler, tw_bytes request,
                           tw_str plugin, const tw_sink *sink, tw_writer out) {
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  std::string text;
  int32_t status = replayRequest(
      compiler->backends,
      std::string(static_cast<const char *>(request.data), request.size),
      toString(plugin), sink, text);
  write(out, text);
  return status;
}

int32_t tw_compiler_describe(tw_compiler *compiler, tw_str source,
                             tw_str fileName, const tw_sink *sink,
                             tw_writer out) {
  if (!compiler)
    return TW_E_INVALID_ARGUMENT;
  syntax::DiagnosticSink collected;
  std::string text = describeKernels({source.data, source.size},
                                     toString(fileName), collected);
  emitAll(collected, sink);
  if (collected.hasErrors())
    return TW_E_DIAGNOSED;
  write(out, text);
  return TW_OK;
}

int32_t tw_compiler_names(tw_str prefix, tw_writer out) {
  write(out, sema::listNames(toString(prefix)));
  return TW_OK;
}

int32_t tw_compile(tw_compiler *compiler, const tw_compile_input *input,
                   const tw_compile_result **result) {
  if (!compiler || !input || !result)
    return TW_E_INVALID_ARGUMENT;
  *result = nullptr;
  tw_compile_input known = {};
  if (int32_t status = tw_read_struct(&known, sizeof known, input))
    return status;
  auto owned = std::make_unique<OwnedResult>();
  cache::compileCached(compiler->backends,
                       compiler->store ? &*compiler->store : nullptr, known,
                       owned->output);
  owned->fillTable();
  *result = &owned.release()->table;
  return (*result)->status;
}

int32_t tw_compiler_fits(tw_compiler *compiler, const tw_compile_input *input,
                         tw_writer out) {
  if (!compiler || !input || !out.write)
    return TW_E_INVALID_ARGUMENT;
  tw_compile_input known = {};
  if (int32_t status = tw_read_struct(&known, sizeof known, input))
    return status;
  std::string text = describeFit(compiler->backends, known);
  out.write(out.ctx, text.data(), text.size());
  return TW_OK;
}

void tw_compile_result_release(const tw_compile_result *result) {
  delete reinterpret_cast<OwnedResult *>(
      const_cast<tw_compile_result *>(result));
}

uint32_t tw_compiler_version(void) {
  return TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR);
}
