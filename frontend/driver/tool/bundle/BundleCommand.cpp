//===- BundleCommand.cpp - tilewright bundle --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel for several targets and kinds of arguments into one file
// that picks among them at a launch.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Commands.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"
#include "frontend/driver/tool/bundle/ExpressionCode.h"
#include "frontend/driver/tool/bundle/Header.h"

#include "tilewright/runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace tilewright::tool {

using json = nlohmann::ordered_json;
using llvm::StringRef;

namespace {

struct BundleOptions {
  std::vector<std::string> variants;
  std::string output;
  std::string header;
};

/// SIGNATURE; GRID; CONDITION
struct VariantText {
  std::string signature, grid, when;
};

VariantText parseVariant(const std::string &text) {
  llvm::SmallVector<StringRef> parts;
  StringRef(text).split(parts, ';');
  if (parts.size() < 2 || parts.size() > 3 || parts[1].trim().empty())
    throw Failure(
        7015,
        "expected 'SIGNATURE; GRID' or 'SIGNATURE; GRID; CONDITION', "
        "got '--variant " +
            text + "'",
        "e.g. --variant \"x:*fp32, n:i32, BLOCK=1024; cdiv(n, BLOCK); "
        "n >= 4096\"");
  return {parts[0].trim().str(), parts[1].trim().str(),
          parts.size() == 3 ? parts[2].trim().str() : ""};
}

/// Integer constants of a signature.
std::map<std::string, int64_t> integerConstants(const std::string &signature) {
  std::map<std::string, int64_t> constants;
  for (const std::string &entry : splitTopLevel(signature)) {
    auto [name, value] = StringRef(entry).split('=');
    int64_t number;
    if (!name.contains(':') && !value.trim().getAsInteger(0, number))
      constants[name.trim().str()] = number;
  }
  return constants;
}

/// The manifest in an artifact's bytes (docs/formats.md).
json manifestOf(tw_bytes artifact) {
  const auto *bytes = static_cast<const char *>(artifact.data);
  uint64_t offset = llvm::support::endian::read64le(bytes + 64 + 8);
  uint64_t size = llvm::support::endian::read64le(bytes + 64 + 16);
  return json::parse(bytes + offset, bytes + offset + size);
}

std::vector<RuntimeArgument> argumentsOf(const json &manifest) {
  std::vector<RuntimeArgument> arguments;
  for (const json &parameter : manifest["kernels"][0]["parameters"]) {
    std::string kind = parameter["kind"];
    if (kind == "scalar" || kind == "pointer")
      arguments.push_back(
          {parameter["name"], parameter["dtype"], kind == "pointer"});
  }
  return arguments;
}

std::string hex(const ExpressionCode &code) {
  return llvm::toHex(llvm::ArrayRef<uint8_t>(code), /*LowerCase=*/true);
}

/// A bundle in the making.
class Builder {
public:
  void add(const VariantText &text, Result compiled) {
    json manifest = manifestOf(compiled->artifact);
    kernel = manifest["kernels"][0]["name"];
    std::vector<RuntimeArgument> own = argumentsOf(manifest);
    if (artifacts.empty())
      arguments = own;
    if (!(own == arguments))
      throw Failure(7109,
                    "signature '" + text.signature + "' gives kernel '" +
                        kernel +
                        "' other run-time arguments than the first variant",
                    "constants and [1] take an argument away: give all "
                    "variants the same");
    std::vector<std::string> names;
    for (const RuntimeArgument &argument : own)
      names.push_back(argument.name);
    auto constants = integerConstants(text.signature);
    std::vector<ExpressionCode> grid =
        compileExpressions(text.grid, constants, names);
    if (grid.size() > 3)
      throw Failure(7025,
                    "expected a grid of 1 to 3 axes, got '" + text.grid + "'");
    json axes = json::array();
    for (const ExpressionCode &axis : grid)
      axes.push_back(hex(axis));
    ExpressionCode one = compileExpressions("1", {}, {})[0];
    while (axes.size() < 3)
      axes.push_back(hex(one));
    std::string when;
    if (!text.when.empty())
      when = hex(compileExpressions(text.when, constants, names).at(0));
    variants.push_back({{"kernel", kernel},
                        {"artifact", artifacts.size()},
                        {"target", toString(compiled->target)},
                        {"signature", text.signature},
                        {"grid_text", text.grid},
                        {"when_text", text.when},
                        {"grid", std::move(axes)},
                        {"when", when}});
    artifacts.push_back(std::move(compiled));
  }

  std::string pack() const {
    std::string manifest = json({{"schema", 1}, {"variants", variants}}).dump();
    std::vector<tw_bytes> files;
    for (const Result &result : artifacts)
      files.push_back(result->artifact);
    std::string bytes;
    if (tw_rt_bundle_pack(toStr(manifest), files.data(), files.size(),
                          appendTo(bytes)) != TW_OK) {
      tw_rt_error error = {};
      error.size = sizeof error;
      tw_rt_last_error(&error);
      throw Failure(error.code, toString(error.message), toString(error.hint));
    }
    return bytes;
  }

  /// A C header: the bytes, and a function of the kernel's arguments.
  std::string header(const std::string &bytes) const {
    return renderHeader({kernel, heading(), arguments}, bytes);
  }

private:
  /// The variants in the order in which they are tried, a line each.
  std::string heading() const {
    std::string text;
    for (const json &variant : variants)
      text += "     " + variant["target"].get<std::string>() + ": " +
              variant["signature"].get<std::string>() + "\n";
    return text;
  }

  json variants = json::array();
  std::vector<Result> artifacts;
  std::vector<RuntimeArgument> arguments;
  std::string kernel;
};

void bundle(const CommonOptions &common, const BundleOptions &options) {
  Session session(common);
  session.readSource();
  Builder builder;
  std::vector<VariantText> texts;
  for (const std::string &variant : options.variants)
    texts.push_back(parseVariant(variant));
  for (const std::string &target : splitTopLevel(common.targets))
    for (const VariantText &text : texts)
      builder.add(text, session.compile(text.signature, target, {}));
  std::string bytes = builder.pack();
  writeFile(options.output, bytes);
  std::fprintf(stderr, "wrote %s (%zu bytes)\n", options.output.c_str(),
               bytes.size());
  if (!options.header.empty())
    writeFile(options.header, builder.header(bytes));
}

} // namespace

void addBundleCommand(CLI::App &app, CommonOptions &common) {
  CLI::App *command = app.add_subcommand(
      "bundle", "compile a kernel for several targets and kinds of arguments "
                "into one file that picks among them");
  addCommonOptions(*command, common);
  auto options = std::make_shared<BundleOptions>();
  command
      ->add_option("--variant", options->variants,
                   "\"SIGNATURE; GRID\" or \"SIGNATURE; GRID; CONDITION\"; "
                   "repeatable, the first that allows the arguments is taken")
      ->required();
  command->add_option("-o,--output", options->output, "the .twb file")
      ->required();
  command->add_option("--header", options->header,
                      "a C header with the same bytes and a typed launch");
  command->callback([&common, options] { bundle(common, *options); });
}

} // namespace tilewright::tool
