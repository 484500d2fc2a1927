//===- Commands.h - The subcommands of tilewright -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each subcommand adds itself to the parser and does its work in a callback,
// which throws Failure or AlreadyReported when it cannot.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_COMMANDS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_COMMANDS_H

#include "frontend/driver/tool/Session.h"

#include <CLI/CLI.hpp>

namespace tilewright::tool {

/// Options of every subcommand that compiles; `common` outlives the parser.
void addCommonOptions(CLI::App &command, CommonOptions &common);

/// The same without the file.
void addCompileOptions(CLI::App &command, CommonOptions &common);

/// --isolation and its limits.
void addIsolationOption(CLI::App &command, CommonOptions &common);

void addCompileCommand(CLI::App &app, CommonOptions &common);
void addRunCommand(CLI::App &app, CommonOptions &common);
void addTargetsCommand(CLI::App &app, CommonOptions &common);
void addPluginCheckCommand(CLI::App &app);
void addReplayCommand(CLI::App &app, CommonOptions &common);
void addExplainCommand(CLI::App &app, CommonOptions &common);
void addVerifyCommand(CLI::App &app, CommonOptions &common);
void addBundleCommand(CLI::App &app, CommonOptions &common);
void addCacheCommand(CLI::App &app, CommonOptions &common);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_COMMANDS_H
