//===- RunCommand.cpp - tilewright run -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel for the values it gets, launches it and writes results.
// Nothing on disk changes unless everything went well.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Expression.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Launch.h"

#include "llvm/ADT/StringRef.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace tilewright::tool {

namespace {

struct RunOptions {
  std::vector<std::string> arguments;
  std::vector<std::string> outputs; // NAME=FILE
  std::vector<std::string> prints;
  std::string grid;
  LaunchOptions launch;
};

/// NAME=FILE pairs; names and folders are checked before anything runs.
std::vector<std::pair<Array *, std::string>>
parseOutputs(const std::vector<std::string> &outputs, Arguments &arguments) {
  std::vector<std::pair<Array *, std::string>> files;
  for (const std::string &output : outputs) {
    auto [name, path] = llvm::StringRef(output).split('=');
    Array *array = arguments.findArray(name.str());
    if (!array || path.empty())
      throw Failure(7026, "expected --out ARRAY=FILE, got '" + output + "'",
                    "the name must be an array argument of the kernel");
    std::string folder = path.str();
    size_t slash = folder.rfind('/');
    folder = slash == std::string::npos ? "." : folder.substr(0, slash + 1);
    if (access(folder.c_str(), W_OK) != 0)
      throw Failure(7002, "cannot write '" + path.str() +
                              "': " + std::strerror(errno));
    files.emplace_back(array, path.str());
  }
  return files;
}

void printArray(const std::string &name, const Array &array) {
  constexpr int64_t limit = 16;
  std::printf("%s: %s[", name.c_str(), dtypeName(array.dtype()).c_str());
  for (size_t d = 0; d < array.shape().size(); ++d)
    std::printf("%s%lld", d ? "," : "",
                static_cast<long long>(array.shape()[d]));
  std::printf("]");
  for (int64_t i = 0; i < std::min(limit, array.elements()); ++i)
    std::printf(" %s", elementText(array.dtype(), array.bits(i)).c_str());
  std::printf("%s\n", array.elements() > limit ? " ..." : "");
}

void run(CommonOptions &common, RunOptions &options) {
  Session session(common);
  KernelInfo kernel = session.describeKernel();
  common.kernel = kernel.name;
  Arguments arguments(kernel, options.arguments, common.signature);
  tw_rt_grid grid = parseGrid(options.grid, arguments);
  auto outputs = parseOutputs(options.outputs, arguments);
  for (const std::string &name : options.prints)
    if (!arguments.findArray(name))
      throw Failure(7026, "expected an array argument after --print, got '" +
                              name + "'");
  if (splitTopLevel(common.targets).size() != 1)
    throw Failure(7027, "expected one target, got '" + common.targets + "'");
  options.launch.target = common.targets;
  options.launch.keepsUnwritten =
      llvm::StringRef(common.check).contains("uninit");
  Result result = session.compile(arguments.signature(), common.targets, {});
  LaunchResult launched =
      launchArtifact(common, options.launch, result->artifact, arguments, grid);
  for (auto &[array, path] : outputs)
    writeNpy(path, *array);
  for (const std::string &name : options.prints)
    printArray(name, *arguments.findArray(name));
  std::fprintf(stderr, "ran %s on %s: grid (%lld, %lld, %lld), %.3f ms\n",
               kernel.name.c_str(), toString(result->target).c_str(),
               static_cast<long long>(grid.x), static_cast<long long>(grid.y),
               static_cast<long long>(grid.z), launched.medianMilliseconds);
}

} // namespace

void addRunCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "run", "compile a kernel for given values and launch it");
  addCommonOptions(*command, common);
  auto options = std::make_shared<RunOptions>();
  command->add_option("--arg,-a", options->arguments,
                      "NAME=VALUE: @file.npy, fp32[1000], "
                      "fp32[1000]~normal(seed=1), 1000, 0.5, True, None");
  command
      ->add_option("--grid,-g", options->grid,
                   "programs, e.g. \"cdiv(n, BLOCK)\" or \"5, 3\"")
      ->required();
  command->add_option("--out", options->outputs,
                      "NAME=FILE.npy: write an array back");
  command->add_option("--print", options->prints,
                      "print the first elements of an array");
  command
      ->add_option("--threads", options->launch.threads,
                   "threads of the CPU target (default all cores)")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--repeat", options->launch.repeat,
                   "launches; the median time is printed")
      ->check(CLI::Range(1, 1000000));
  command->callback([&common, options] { run(common, *options); });
}

} // namespace tilewright::tool
