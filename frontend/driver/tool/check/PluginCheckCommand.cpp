//===- PluginCheckCommand.cpp - tilewright plugin-check -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examines a plugin by the numbered rules; ends with 1 if one is broken.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/check/PluginCheck.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VersionTuple.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

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
  options->suite.pool.workers =
      std::max(1u, std::thread::hardware_concurrency());
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
  command->add_option("--suite", options->suite.name,
                      "also run this suite on the plugin and the reference "
                      "(TWB-604): language, or a manifest of verify");
  command->add_option("--only", options->suite.only,
                      "of the suite: rows whose name contains this");
  command
      ->add_option("--jobs,-j", options->suite.pool.workers,
                   "rows of the suite at once (default: processors)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--neighbour", options->neighbours,
                      "library to load into the global scope for TWB-401");
  command
      ->add_option("--glibc", options->glibc,
                   "newest version of the C library that the plugin may need "
                   "(TWB-110), e.g. 2.28")
      ->check([](const std::string &text) -> std::string {
        llvm::VersionTuple version;
        return version.tryParse(text) || !version.getMinor()
                   ? "expected a version such as 2.28, got '" + text + "'"
                   : "";
      });
  command->add_option("--seconds", options->seconds, "time limit of a rule")
      ->check(CLI::PositiveNumber);
  command->add_flag("--all", options->showsAll, "also show what passed");
  command->add_flag("--rules", options->printsRules,
                    "print the table of rules and stop");
  command->callback([options] { check(*options); });
}

} // namespace tilewright::tool
