//===- ReplayCommand.cpp - tilewright replay -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a compile request again that a failed worker left behind.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"

#include <cstdio>
#include <memory>

namespace tilewright::tool {

namespace {

struct ReplayOptions {
  std::string file;
  std::string plugin;
};

void replay(const CommonOptions &common, const ReplayOptions &options) {
  std::string bytes = readTextFile(options.file);
  Session session(common);
  std::string text, noSource;
  Reporter reporter(options.file, noSource, common.diagnostics == "json");
  int32_t status = tw_compiler_replay(
      session.compiler(), {bytes.data(), bytes.size()}, toStr(options.plugin),
      reporter.sink(), appendTo(text));
  reporter.finish();
  if (status != TW_OK)
    throw AlreadyReported();
  std::fputs(text.c_str(), stdout);
}

} // namespace

void addReplayCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "replay", "run a compile request again that a failed plugin left");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("file", options->file, "a .twrequest file")->required();
  command->add_option("--plugin", options->plugin,
                      "plugin file to use instead of the one in the request");
  addIsolationOption(*command, common);
  command->add_option("--diagnostics", common.diagnostics, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([&common, options] { replay(common, *options); });
}

} // namespace tilewright::tool
