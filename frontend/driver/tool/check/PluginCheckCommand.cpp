//===- PluginCheckCommand.cpp - tilewright plugin-check -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examines a plugin by the numbered rules; ends with 1 if one is broken.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/check/PluginCheck.h"

#include <cstdio>
#include <memory>

namespace tilewright::tool {

static void check(const PluginCheckOptions &options) {
  if (options.printsRules) {
    std::fputs(conformance::rulesDocument().c_str(), stdout);
    return;
  }
  if (options.library.empty())
    throw Failure(7001, "expected the file of a plugin",
                  "tilewright plugin-check libtilewright_mine.so");
  conformance::Report report = Examination(options).run();
  if (options.json == "-")
    std::fputs(report.json().c_str(), stdout);
  else
    std::fputs(report.text(options.showsAll).c_str(), stdout);
  if (!options.json.empty() && options.json != "-")
    writeFile(options.json, report.json());
  if (report.hasFailed())
    throw AlreadyReported();
}

void addPluginCheckCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "plugin-check", "examine a backend plugin by the numbered rules");
  auto options = std::make_shared<PluginCheckOptions>();
  command->add_option("library", options->library, "plugin file");
  command->add_option("--with", options->partner,
                      "plugin of the same vendor for the profiles that this "
                      "one lacks");
  command->add_option(
      "--target,-t", options->target,
      "target to compile the kernels for (default: the vendor)");
  command->add_option("--lists", options->lists,
                      "rules that are not supported or expected to fail "
                      "(default: libx.check.json beside libx.so)");
  command->add_option("--json", options->json, "report file, - for stdout");
  command->add_option("--rule", options->rules,
                      "examine this rule only, e.g. TWB-205; repeatable");
  command->add_option("--neighbour", options->neighbours,
                      "library to load into the global scope for TWB-401");
  command->add_option("--seconds", options->seconds, "time limit of a rule")
      ->check(CLI::PositiveNumber);
  command->add_flag("--all", options->showsAll, "also show what passed");
  command->add_flag("--rules", options->printsRules,
                    "print the table of rules and stop");
  command->callback([options] { check(*options); });
}

} // namespace tilewright::tool
