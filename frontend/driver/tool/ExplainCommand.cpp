//===- ExplainCommand.cpp - tilewright explain -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the page of a diagnostic code from the one table, codes.def.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
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
void explain(const std::string &text) {
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

} // namespace

void addExplainCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "explain", "explain a diagnostic code or list functions");
  auto code = std::make_shared<std::string>();
  command->add_option("code", *code, "e.g. TW2041, tl.load or libdevice.")
      ->required();
  command->callback([code] { explain(*code); });
}

} // namespace tilewright::tool
