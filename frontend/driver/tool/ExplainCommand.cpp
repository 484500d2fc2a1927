//===- ExplainCommand.cpp - tilewright explain -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the page of a diagnostic code from the one table, codes.def; how a
// kernel is mapped to threads; and whether it fits.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/MappingText.h"
#include "frontend/driver/tool/Session.h"
#include "plugins/conformance/Rules.h"

#include <cstdio>
#include <memory>

namespace tilewright::tool {

namespace {

struct CodePage {
  unsigned code;
  const char *summary;
  const char *help;
};
constexpr CodePage pages[] = {
#define TW_CODE(number, summary, help) {number, summary, help},
#include "tilewright/codes.def"
#undef TW_CODE
};

/// "TW2041", "tw2041" or "2041"; "TWB-101" for a rule of plugins.
void explainCode(const std::string &text) {
  for (const conformance::Rule &rule : conformance::rules())
    if (text == conformance::ruleName(rule.number)) {
      std::fputs(conformance::rulePage(rule).c_str(), stdout);
      return;
    }
  size_t digits = text.find_first_of("0123456789");
  std::string prefix = text.substr(0, digits);
  unsigned long code = digits == std::string::npos
                           ? 0
                           : std::strtoul(&text[digits], nullptr, 10);
  bool isCode = prefix.empty() || prefix == "TW" || prefix == "tw";
  for (const CodePage &page : pages) {
    if (!isCode || page.code != code)
      continue;
    std::printf("TW%u: %s\n\n%s\n", page.code, page.summary, page.help);
    return;
  }
  std::string names;
  tw_compiler_names(toStr(text), appendTo(names));
  if (!names.empty()) {
    std::fputs(names.c_str(), stdout);
    return;
  }
  throw Failure(7024,
                "expected a code such as TW2041 or a function such as tl.load, "
                "got '" +
                    text + "'",
                "every diagnostic shows its code behind the word 'error'; "
                "'tilewright explain tl.' lists the functions");
}

struct ExplainOptions {
  std::string code;
  std::string layout; // kernel file
  std::string fits;   // kernel file
  bool json = false;
};

std::string stageText(const tw_compile_result &result,
                      const std::string &stage) {
  for (uint64_t i = 0; i < result.stage_count; ++i)
    if (toString(result.stages[i].name) == stage)
      return toString(result.stages[i].text);
  throw Failure(7020,
                "target '" + toString(result.target) + "' has no stage '" +
                    stage + "'",
                "targets that map a program to threads have it: amd, nvidia, "
                "simulate and spirv");
}

/// One text a target, or with `json` one document a line.
void print(const ExplainOptions &options, const std::string &json,
           std::string (*render)(const std::string &)) {
  std::string text = options.json ? json : render(json);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void explainLayout(CommonOptions &common, const ExplainOptions &options) {
  common.file = options.layout;
  common.stopAfter = "simt";
  Session session(common);
  for (const std::string &target : splitTopLevel(common.targets)) {
    Result result = session.compile(common.signature, target, {"layout"});
    print(options, stageText(*result, "layout"), renderMapping);
  }
}

void explainFits(CommonOptions &common, const ExplainOptions &options) {
  common.file = options.fits;
  Session session(common);
  bool all = true;
  for (const std::string &target : splitTopLevel(common.targets)) {
    std::string json = session.fits(common.signature, target);
    all = all && json.find("\"fits\": true") != std::string::npos;
    print(options, json, renderFit);
  }
  if (!all)
    throw AlreadyReported();
}

void explain(CommonOptions &common, const ExplainOptions &options) {
  if (options.code.empty() + options.layout.empty() + options.fits.empty() != 2)
    throw Failure(7024,
                  "expected a code, a function, --layout FILE or --fits "
                  "FILE",
                  "'tilewright explain TW2041' explains a code");
  if (!options.layout.empty())
    return explainLayout(common, options);
  if (!options.fits.empty())
    return explainFits(common, options);
  explainCode(options.code);
}

} // namespace

void addExplainCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "explain",
      "explain a code, list functions, show a kernel's mapping to threads");
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("code", options->code,
                      "e.g. TW2041, tl.load or libdevice.");
  command->add_option("--layout", options->layout,
                      "kernel file: which register of which thread holds what, "
                      "and what accesses of memory cost");
  command->add_option("--fits", options->fits,
                      "kernel file: whether the resources of the targets "
                      "suffice, and what would fit");
  command->add_flag("--json", options->json, "as JSON");
  addCompileOptions(*command, common);
  command->callback([&common, options] { explain(common, *options); });
}

} // namespace tilewright::tool
