//===- Rows.cpp - What a command line of verify asks for --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins are asked in forked processes: the pool forks later.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/suite/Rows.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/suite/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tool::verify {

/// All vendors whose plugins are here, the reference first; "null" computes
/// nothing.
static std::vector<std::string> allTargets(const CommonOptions &common) {
  std::string list = runForked([&] {
    Session session(common);
    std::string targets;
    tw_compiler_targets(session.compiler(), appendTo(targets));
    return targets;
  });
  std::vector<std::string> vendors = {"reference"};
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(list).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (std::string vendor = vendorOf(line.str());
        vendor != "null" && !llvm::is_contained(vendors, vendor))
      vendors.push_back(vendor);
  return vendors;
}

std::vector<std::string> chooseTargets(const CommonOptions &common) {
  std::vector<std::string> targets;
  for (const std::string &target : splitTopLevel(common.targets)) {
    if (target.empty())
      continue;
    for (const std::string &one : target == "all"
                                      ? allTargets(common)
                                      : std::vector<std::string>{target})
      if (!llvm::is_contained(targets, one))
        targets.push_back(one);
  }
  if (targets.empty())
    throw Failure(7027, "expected targets, got '" + common.targets + "'");
  return targets;
}

void requireChecks(const std::string &text) {
  for (const std::string &word : splitTopLevel(text))
    if (!llvm::is_contained({"bounds", "nan", "overflow", "races", "uninit"},
                            llvm::StringRef(word)))
      throw Failure(4106,
                    "expected a list of bounds, nan, overflow, races and "
                    "uninit for --check, got '" +
                        text + "'",
                    "bounds, overflow and races are looked for anyway");
}

static std::vector<std::string> chooseModes(const std::string &text) {
  std::vector<std::string> modes = splitTopLevel(text);
  for (const std::string &mode : modes)
    if (mode != "accurate" && mode != "portable" && mode != "fast")
      throw Failure(7032,
                    "expected a list of accurate, portable and fast, got '" +
                        mode + "'");
  return modes;
}

/// The name of the first kernel argument's element type, for the matrix.
static std::string firstDType(const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments) {
    llvm::StringRef value = llvm::StringRef(argument).split('=').second;
    std::string name = value.take_until([](char c) { return c == '['; }).str();
    if (parseDType(name))
      return name;
  }
  return "";
}

/// One row a mode for a kernel given on the command line.
static std::vector<Experiment> rowsOfKernel(const CommonOptions &common,
                                            const VerifyOptions &options) {
  std::string kernel = common.kernel;
  if (kernel.empty())
    kernel = runForked([&] { return Session(common).describeKernel().name; });
  Experiment experiment;
  experiment.signature = common.signature;
  experiment.outputs = options.outputs;
  if (!options.tolerance.empty())
    experiment.tolerance = parseTolerance(options.tolerance);
  for (const std::string &entry : options.expected) {
    auto [name, path] = llvm::StringRef(entry).split('=');
    if (name.empty() || path.empty())
      throw Failure(7026,
                    "expected --expect ARRAY=FILE.npy, got '" + entry + "'");
    experiment.expected[name.str()] = path.str();
  }
  Row &heading = experiment.heading;
  heading.name = heading.kernel = kernel;
  heading.file = common.file;
  heading.grid = options.grid;
  heading.arguments = options.arguments;
  heading.options = common.options;
  experiment.extras = options.buffers;
  heading.dtype = firstDType(options.arguments);
  std::vector<Experiment> rows;
  for (const std::string &mode : chooseModes(
           options.modes.empty() ? "accurate,portable" : options.modes)) {
    heading.math = mode;
    heading.id = kernel + "." + mode;
    rows.push_back(experiment);
  }
  return rows;
}

/// A manifest says everything itself; what would contradict it is refused.
std::vector<Experiment> makeRows(const CommonOptions &common,
                                 const VerifyOptions &options) {
  requireChecks(common.check);
  if (!isManifest(common.file))
    return rowsOfKernel(common, options);
  bool isPlain = options.arguments.empty() && options.buffers.empty() &&
                 options.grid.empty() && options.outputs.empty() &&
                 options.expected.empty() && common.signature.empty();
  if (!isPlain)
    throw Failure(7038,
                  "expected no --arg, --buffer, --grid, --out, --expect "
                  "or --sig with a manifest",
                  "the manifest holds them, see docs/formats.md");
  std::vector<Experiment> rows;
  for (Experiment &row : readManifest(common.file)) {
    llvm::StringRef id = row.heading.id;
    bool isChosen = options.only.empty() ||
                    llvm::any_of(options.only, [&](const std::string &part) {
                      return id.contains(part);
                    });
    bool hasMode =
        options.modes.empty() ||
        llvm::is_contained(chooseModes(options.modes), row.heading.math);
    llvm::append_range(row.heading.options, common.options);
    if (!options.tolerance.empty())
      row.tolerance = parseTolerance(options.tolerance);
    if (isChosen && hasMode &&
        (common.kernel.empty() || row.heading.kernel == common.kernel))
      rows.push_back(std::move(row));
  }
  if (rows.empty())
    throw Failure(7038, "no row of '" + common.file + "' is left",
                  "--only takes a part of a row's name, e.g. softmax");
  return rows;
}

} // namespace tilewright::tool::verify
