//===- Main.cpp - The tilewright command -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line and turns every failure into one coded message and
// exit status 1 (2 for a command line that cannot be parsed).
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"

namespace tilewright::tool {

void addCommonOptions(CLI::App &command, CommonOptions &common) {
  command.add_option("file", common.file, "kernel file")->required();
  addCompileOptions(command, common);
}

void addCompileOptions(CLI::App &command, CommonOptions &common) {
  command.add_option("--kernel,-k", common.kernel,
                     "kernel of the file (not needed if there is one)");
  command.add_option("--sig", common.signature,
                     "signature, e.g. \"x:*fp32, n:i32[:16], BLOCK=1024\"");
  command.add_option("--target,-t", common.targets,
                     "targets, e.g. cpu or cpu:x86-64-v3 (default cpu)");
  command.add_option("--math", common.math, "accurate, portable or fast")
      ->check(CLI::IsMember({"accurate", "portable", "fast"}));
  command.add_option("--check", common.check,
                     "what target reference looks for: a list of bounds, nan, "
                     "overflow, races, uninit");
  command.add_option("--opt", common.options,
                     "compile option KEY=VALUE, e.g. num_warps=8; repeatable");
  command.add_flag("--no-overrides", common.disablesOverrides,
                   "compile every high-level op from its own definition");
  command.add_option("--pin-op", common.pins,
                     "who implements a high-level op: OP=PROVIDER, or "
                     "OP=builtin; repeatable");
  command.add_flag("--trace-overrides", common.tracesOverrides,
                   "print who takes each high-level op, and why the others "
                   "do not");
  command.add_option("--module-path", common.moduleFolders,
                     "folder to import modules from, after that of the file");
  command.add_option("--plugin", common.pluginPaths, "plugin file to use");
  command.add_option("--plugin-dir", common.pluginFolders,
                     "folder to search for plugins first");
  addIsolationOption(command, common);
  command.add_option("--cache", common.cacheFolder,
                     "folder of compiled kernels to take from and add to");
  command.add_option("--cache-shared", common.sharedFolders,
                     "folder of compiled kernels to take from; repeatable");
  command.add_option("--timings", common.timings, "time of each stage (=json)")
      ->expected(0, 1)
      ->default_str("text")
      ->check(CLI::IsMember({"text", "json"}));
  command
      .add_option("--remarks", common.remarks,
                  "what was and was not optimised (=json)")
      ->expected(0, 1)
      ->default_str("text")
      ->check(CLI::IsMember({"text", "json"}));
  command.add_option("--diagnostics", common.diagnostics, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
}

void addIsolationOption(CLI::App &command, CommonOptions &common) {
  command
      .add_option("--isolation", common.isolation,
                  "where plugins other than cpu compile: process (a worker) or "
                  "none (this process)")
      ->check(CLI::IsMember({"process", "none"}));
  command
      .add_option("--compile-seconds", common.compileSeconds,
                  "time limit of a compile in a worker (default 300)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--compile-megabytes", common.compileMegabytes,
                  "memory limit of a compile in a worker")
      ->check(CLI::PositiveNumber);
}

} // namespace tilewright::tool

int main(int argc, char **argv) {
  using namespace tilewright::tool;
  CommonOptions compileOptions, runOptions, targetOptions, replayOptions,
      explainOptions, verifyOptions, cacheOptions, bundleOptions;
  CLI::App app("Tilewright: tile kernels for any target", "tilewright");
  app.require_subcommand(1);
  addCompileCommand(app, compileOptions);
  addRunCommand(app, runOptions);
  addTargetsCommand(app, targetOptions);
  addPluginCheckCommand(app);
  addReplayCommand(app, replayOptions);
  addExplainCommand(app, explainOptions);
  addVerifyCommand(app, verifyOptions);
  addCacheCommand(app, cacheOptions);
  addBundleCommand(app, bundleOptions);
  bool json = false;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const AlreadyReported &) {
    return 1;
  } catch (const Failure &failure) {
    for (const CommonOptions *options :
         {&compileOptions, &runOptions, &explainOptions, &verifyOptions})
      json = json || options->diagnostics == "json";
    printFailure(failure, json);
    return 1;
  }
  return 0;
}
