//===- CompileCommand.cpp - tilewright compile -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel for one or several targets, to stage text on standard
// output or to artifacts on disk.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <cstdio>
#include <memory>

namespace tilewright::tool {

namespace {

struct CompileOptions {
  std::string emit = "artifact";
  std::string output;
};

/// "cpu:znver4+avx512f" as part of a file name.
std::string fileNamePart(std::string target) {
  for (char &c : target)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
      c = '_';
  return target;
}

void printStage(const tw_compile_result &result, const std::string &stage,
                const std::string &output) {
  for (uint64_t i = 0; i < result.stage_count; ++i) {
    if (toString(result.stages[i].name) != stage)
      continue;
    std::string text = toString(result.stages[i].text);
    if (output.empty() || output == "-")
      std::fwrite(text.data(), 1, text.size(), stdout);
    else
      writeFile(output, text);
    return;
  }
  throw Failure(7020, "target '" + toString(result.target) +
                          "' has no stage '" + stage + "'");
}

/// The file for one target: `-o FILE`, or a name in the folder `-o DIR`.
std::string artifactPath(const CompileOptions &options,
                         const std::string &kernel, const std::string &target,
                         bool several) {
  std::string name = kernel + "." + fileNamePart(target) + ".twa";
  if (options.output.empty())
    return name;
  bool isFolder = llvm::sys::fs::is_directory(options.output);
  if (several && !isFolder) {
    if (std::error_code error =
            llvm::sys::fs::create_directories(options.output))
      throw Failure(7023,
                    "expected a folder after -o for several targets, got '" +
                        options.output + "': " + error.message());
    isFolder = true;
  }
  return isFolder ? options.output + "/" + name : options.output;
}

void compile(const CommonOptions &common, const CompileOptions &options) {
  Session session(common);
  session.readSource();
  std::vector<std::string> targets = splitTopLevel(common.targets);
  bool isArtifact = options.emit == "artifact";
  std::vector<std::string> stages;
  if (!isArtifact)
    stages.push_back(options.emit);
  // Files are written only when every target has compiled.
  std::vector<std::pair<std::string, Result>> done;
  for (const std::string &target : targets)
    done.emplace_back(target,
                      session.compile(common.signature, target, stages));
  std::string kernel = common.kernel;
  if (isArtifact && kernel.empty())
    kernel = session.describeKernel().name;
  for (const auto &[target, result] : done) {
    if (!isArtifact) {
      printStage(*result, options.emit, options.output);
      continue;
    }
    std::string path = artifactPath(options, kernel, toString(result->target),
                                    targets.size() > 1);
    writeFile(path, {static_cast<const char *>(result->artifact.data),
                     result->artifact.size});
    std::fprintf(stderr, "wrote %s (%llu bytes)\n", path.c_str(),
                 static_cast<unsigned long long>(result->artifact.size));
  }
}

} // namespace

void addCompileCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "compile", "compile a kernel to an artifact or show a stage of it");
  addCommonOptions(*command, common);
  auto options = std::make_shared<CompileOptions>();
  command->add_option(
      "--emit", options->emit,
      "artifact, request, a stage of the host (ast, tile, kernel, "
      "portable, identity, needs) or of the target (simt, loops, steps, llvm, "
      "asm, ...)");
  command->add_option("-o,--output", options->output,
                      "file, or folder for several targets");
  command->callback([&common, options] { compile(common, *options); });
}

} // namespace tilewright::tool
