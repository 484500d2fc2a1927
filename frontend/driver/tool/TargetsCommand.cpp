//===- TargetsCommand.cpp - tilewright targets -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the targets of all plugins and, on request, why others are missing.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <sstream>

namespace tilewright::tool {

namespace {

struct TargetsOptions {
  bool why = false;
  bool json = false;
};

void listTargets(const CommonOptions &common, const TargetsOptions &options) {
  Session session(common);
  std::string targets, report;
  if (tw_compiler_targets(session.compiler(), appendTo(targets)) != TW_OK ||
      tw_compiler_plugin_report(session.compiler(), appendTo(report)) != TW_OK)
    throw Failure(5001, "cannot list the targets of the plugins");
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    std::istringstream lines(targets);
    for (std::string line; std::getline(lines, line);)
      list.push_back(line);
    std::printf("%s\n", nlohmann::json({{"targets", list}, {"plugins", report}})
                            .dump(-1, ' ', false,
                                  nlohmann::json::error_handler_t::replace)
                            .c_str());
    return;
  }
  std::fputs(targets.c_str(), stdout);
  if (options.why || targets.empty())
    std::fputs(report.c_str(), stdout);
}

} // namespace

void addTargetsCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "targets", "list the targets that can be compiled for");
  auto options = std::make_shared<TargetsOptions>();
  command->add_flag("--why", options->why,
                    "also say which plugins were found and why others were not "
                    "loaded");
  command->add_flag("--json", options->json, "as JSON");
  command->add_option("--plugin", common.pluginPaths, "plugin file to use");
  command->add_option("--plugin-dir", common.pluginFolders,
                      "folder to search for plugins first");
  command->callback([&common, options] { listTargets(common, *options); });
}

} // namespace tilewright::tool
