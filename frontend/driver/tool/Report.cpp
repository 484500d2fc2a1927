//===- Report.cpp - Printing of results and diagnostics -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything goes to standard error; standard output is for what was asked for.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Report.h"
#include "frontend/driver/tool/Session.h"
#include "frontend/syntax/Diagnostic.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace tilewright::tool {

namespace {

const char *severityText(uint32_t severity) {
  switch (severity) {
  case TW_SEVERITY_ERROR:
    return "error";
  case TW_SEVERITY_WARNING:
    return "warning";
  case TW_SEVERITY_NOTE:
    return "note";
  default:
    return "remark";
  }
}

nlohmann::json toJSON(const tw_diagnostic &diagnostic) {
  nlohmann::json object = {{"severity", severityText(diagnostic.severity)},
                           {"message", toString(diagnostic.message)},
                           {"hint", toString(diagnostic.hint)}};
  object["code"] =
      diagnostic.code ? "TW" + std::to_string(diagnostic.code) : "";
  nlohmann::json chain = nlohmann::json::array();
  for (const tw_location *at = diagnostic.location; at; at = at->caller)
    chain.push_back({{"file", toString(at->file)},
                     {"line", at->line},
                     {"column", at->column},
                     {"endLine", at->end_line},
                     {"endColumn", at->end_column}});
  if (!chain.empty())
    object.update(chain[0]);
  if (chain.size() > 1)
    object["callers"] = nlohmann::json(
        std::vector<nlohmann::json>(chain.begin() + 1, chain.end()));
  return object;
}

/// One line of JSON; paths need not be UTF-8.
std::string lineOf(const nlohmann::json &value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void printLine(const std::string &text) {
  std::fprintf(stderr, "%s\n", text.c_str());
}

} // namespace

void printDiagnosticsJSON(const tw_compile_result &result) {
  nlohmann::json list = nlohmann::json::array();
  for (uint64_t i = 0; i < result.diagnostic_count; ++i)
    list.push_back(toJSON(*result.diagnostics[i]));
  printLine(lineOf(list));
}

void printRemarks(const tw_compile_result &result, bool json,
                  const std::string &prefix) {
  nlohmann::json list = nlohmann::json::array();
  for (uint64_t i = 0; i < result.remark_count; ++i) {
    const tw_diagnostic &remark = *result.remarks[i];
    if (toString(remark.message).compare(0, prefix.size(), prefix) != 0)
      continue;
    list.push_back(toJSON(remark));
    if (json)
      continue;
    std::string place;
    if (const tw_location *at = remark.location)
      place = toString(at->file) + ":" + std::to_string(at->line) + ":" +
              std::to_string(at->column) + ": ";
    printLine(place + "remark: " + toString(remark.message));
  }
  if (json)
    printLine(lineOf(list));
}

/// The target's own stages, which "backend" is the sum of and the way there.
static nlohmann::ordered_json targetTimings(const tw_compile_result &result) {
  for (uint64_t i = 0; i < result.stage_count; ++i)
    if (toString(result.stages[i].name) == "timings")
      return nlohmann::ordered_json::parse(toString(result.stages[i].text),
                                           nullptr, /*allow_exceptions=*/false);
  return nlohmann::ordered_json::object();
}

void printTimings(const tw_compile_result &result, bool json) {
  nlohmann::json stages = nlohmann::json::object();
  nlohmann::ordered_json inside = targetTimings(result);
  double total = 0;
  for (uint64_t i = 0; i < result.timing_count; ++i) {
    double milliseconds = result.timings[i].nanoseconds / 1e6;
    std::string stage = toString(result.timings[i].stage);
    total += milliseconds;
    stages[stage] = milliseconds;
    if (json)
      continue;
    std::fprintf(stderr, "%10.3f ms  %s\n", milliseconds, stage.c_str());
    if (stage == "backend")
      for (auto &[name, value] : inside.items())
        if (value.is_number())
          std::fprintf(stderr, "  %10.3f ms  %s\n", value.get<double>(),
                       name.c_str());
  }
  if (!json)
    std::fprintf(stderr, "%10.3f ms  total\n", total);
  else
    printLine(lineOf({{"target", toString(result.target)},
                      {"milliseconds", stages},
                      {"backend", inside},
                      {"total", total}}));
}

void printFailure(const Failure &failure, bool json) {
  std::string code = "TW" + std::to_string(failure.code);
  if (json) {
    nlohmann::json object = {{"severity", "error"},
                             {"code", code},
                             {"message", failure.what()},
                             {"hint", failure.hint}};
    printLine(lineOf(nlohmann::json::array({object})));
    return;
  }
  std::string text = "error: " + code + ": " + failure.what();
  if (!failure.hint.empty())
    text += "\n  hint: " + failure.hint;
  printLine(text);
}

Reporter::Reporter(std::string fileName, const std::string &sourceText,
                   bool asJSON)
    : file(std::move(fileName)), source(sourceText), json(asJSON) {
  table.size = sizeof table;
  table.ctx = this;
  table.emit = [](void *ctx, const tw_diagnostic *diagnostic) {
    auto *self = static_cast<Reporter *>(ctx);
    self->objects.push_back(lineOf(toJSON(*diagnostic)));
    syntax::Diagnostic copy;
    copy.code = diagnostic->code;
    copy.severity = diagnostic->severity == TW_SEVERITY_ERROR
                        ? syntax::Severity::Error
                        : syntax::Severity::Warning;
    copy.fileName = self->file;
    copy.message = toString(diagnostic->message);
    copy.hint = toString(diagnostic->hint);
    if (const tw_location *at = diagnostic->location)
      copy.range = {at->line, at->column ? at->column - 1 : 0, at->end_line,
                    at->end_column ? at->end_column - 1 : 0};
    self->rendered += syntax::renderText(copy, &self->source);
  };
}

void Reporter::finish() {
  if (json && !objects.empty()) {
    std::string list;
    for (const std::string &object : objects)
      list += (list.empty() ? "[" : ", ") + object;
    printLine(list + "]");
  } else if (!json) {
    std::fwrite(rendered.data(), 1, rendered.size(), stderr);
  }
}

} // namespace tilewright::tool
