//===- Session.cpp - The compiler behind one command -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds requests from the command's options and prints what comes back.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Session.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/Report.h"

#include "tilewright/cache.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace tilewright::tool {

tw_str toStr(const std::string &text) { return {text.data(), text.size()}; }
std::string toString(tw_str text) { return std::string(text.data, text.size); }

tw_writer appendTo(std::string &text) {
  return {&text, [](void *ctx, const char *data, uint64_t size) {
            static_cast<std::string *>(ctx)->append(data, size);
          }};
}

std::string readTextFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    throw Failure(7001,
                  "cannot read '" + path + "': " + file.getError().message());
  return (*file)->getBuffer().str();
}

void writeFile(const std::string &path, std::string_view bytes) {
  // A rename would replace a device or pipe by a file.
  bool isSpecial =
      llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path);
  std::string target =
      isSpecial ? path : path + ".tmp" + std::to_string(getpid());
  std::ofstream file(target, std::ios::binary);
  file.write(bytes.data(), bytes.size());
  file.close();
  if (file && (isSpecial || std::rename(target.c_str(), path.c_str()) == 0))
    return;
  std::string reason = std::strerror(errno);
  if (!isSpecial)
    std::remove(target.c_str());
  throw Failure(7002, "cannot write '" + path + "': " + reason);
}

std::vector<std::string> splitTopLevel(const std::string &text) {
  std::vector<std::string> pieces;
  std::string piece;
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (std::strchr("([{<", c)) {
      ++depth;
    } else if (std::strchr(")]}>", c)) {
      --depth;
    } else if (c == ',' && depth == 0) {
      pieces.push_back(std::move(piece));
      piece.clear();
      continue;
    }
    piece += c;
  }
  if (piece.find_first_not_of(" \t\n") != std::string::npos || !pieces.empty())
    pieces.push_back(std::move(piece));
  for (std::string &entry : pieces) {
    entry.erase(0, entry.find_first_not_of(" \t\n"));
    entry.erase(entry.find_last_not_of(" \t\n") + 1);
  }
  return pieces;
}

namespace {

/// KEY=VALUE as a typed option: integer, float or text.
tw_option parseOption(const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Failure(7010, "expected KEY=VALUE, got '--opt " + text + "'");
  tw_option option = {};
  option.key = {text.data(), equals};
  option.flags = TW_OPTION_MUST_UNDERSTAND;
  const char *value = text.c_str() + equals + 1;
  char *end = nullptr;
  errno = 0;
  option.integer = std::strtoll(value, &end, 10);
  if (*value && !*end && errno == 0) {
    option.kind = TW_VALUE_INT;
    return option;
  }
  option.number = std::strtod(value, &end);
  if (*value && !*end) {
    option.kind = TW_VALUE_FLOAT;
    return option;
  }
  if (!std::strcmp(value, "True") || !std::strcmp(value, "False")) {
    option.kind = TW_VALUE_INT;
    option.integer = *value == 'T';
    return option;
  }
  option.kind = TW_VALUE_TEXT;
  option.text = tw_string(value);
  return option;
}

std::vector<tw_str> toStrs(const std::vector<std::string> &texts) {
  std::vector<tw_str> views;
  for (const std::string &text : texts)
    views.push_back(toStr(text));
  return views;
}

} // namespace

static tw_option textOption(const char *key, const std::string &value,
                            uint32_t flags) {
  tw_option option = {};
  option.key = tw_string(key);
  option.flags = flags;
  option.kind = TW_VALUE_TEXT;
  option.text = toStr(value);
  return option;
}

Session::Session(const CommonOptions &options) : common(options) {
  std::vector<tw_str> paths = toStrs(options.pluginPaths);
  std::vector<tw_str> folders = toStrs(options.pluginFolders);
  tw_compiler_config config = {};
  config.size = sizeof config;
  config.plugin_paths = paths.data();
  config.plugin_path_count = paths.size();
  config.search_folders = folders.data();
  config.search_folder_count = folders.size();
  std::vector<tw_option> settings;
  auto addText = [&](const char *key, const std::string &value) {
    if (!value.empty())
      settings.push_back(textOption(key, value, 0));
  };
  auto addLimit = [&](const char *key, double value) {
    if (value <= 0)
      return;
    settings.push_back({});
    settings.back().key = tw_string(key);
    settings.back().kind = TW_VALUE_FLOAT;
    settings.back().number = value;
  };
  addText("isolation", options.isolation);
  addLimit("compile_seconds", options.compileSeconds);
  addLimit("compile_megabytes", options.compileMegabytes);
  addText("cache_folder", options.cacheFolder);
  for (const std::string &folder : options.sharedFolders)
    addText("cache_shared", folder);
  config.options = settings.data();
  config.option_count = settings.size();
  std::string error;
  tw_compiler *created = nullptr;
  if (tw_compiler_create(&config, appendTo(error), &created) != TW_OK) {
    unsigned code = 5001;
    llvm::StringRef text(error);
    if (text.consume_front("TW") && !text.consumeInteger(10, code))
      text.consume_front(": ");
    throw Failure(code, text.str());
  }
  handle.reset(created, tw_compiler_release);
}

Session::Session(const CommonOptions &options, const Session &other)
    : common(options), handle(other.handle) {}

void Session::readSource() {
  if (text.empty())
    text = common.source.empty() ? readTextFile(common.file) : common.source;
}

KernelInfo Session::describeKernel() {
  readSource();
  std::string listing;
  Reporter reporter(common.file, text, common.diagnostics == "json");
  int32_t status =
      tw_compiler_describe(compiler(), toStr(text), toStr(common.file),
                           reporter.sink(), appendTo(listing));
  reporter.finish();
  if (status != TW_OK)
    throw AlreadyReported();
  nlohmann::json kernels = nlohmann::json::parse(listing);
  std::string names;
  const nlohmann::json *found = nullptr;
  for (const nlohmann::json &kernel : kernels) {
    std::string name = kernel["name"];
    names += (names.empty() ? "" : ", ") + name;
    if (name == common.kernel || (common.kernel.empty() && kernels.size() == 1))
      found = &kernel;
  }
  if (!found && common.kernel.empty())
    throw Failure(7011,
                  "expected one kernel in '" + common.file + "', got " +
                      std::to_string(kernels.size()),
                  "name one with --kernel: " + names);
  if (!found)
    throw Failure(7011,
                  "no kernel '" + common.kernel + "' in '" + common.file + "'",
                  "kernels of the file: " + names);
  KernelInfo info;
  info.name = (*found)["name"];
  for (const nlohmann::json &parameter : (*found)["parameters"]) {
    ParameterInfo entry;
    entry.name = parameter["name"];
    entry.isConstexpr = parameter["constexpr"];
    entry.annotation = parameter["annotation"];
    entry.hasDefault = !parameter["default"].is_null();
    if (entry.hasDefault)
      entry.defaultText = parameter["default"];
    info.parameters.push_back(std::move(entry));
  }
  return info;
}

/// A compiler's input with all that it points to.
struct Session::Request {
  std::vector<tw_option> options;
  std::vector<tw_str> stages, folderViews;
  std::vector<std::string> folders;
  std::string pins;
  tw_compile_input input = {};
};

void Session::fill(Request &request, const std::string &signature,
                   const std::string &target) const {
  // First: `--opt math=` wins.
  request.options.push_back(textOption("math", common.math, 0));
  for (const std::string &option : common.options)
    request.options.push_back(parseOption(option));
  if (!common.check.empty())
    request.options.push_back(
        textOption("check", common.check, TW_OPTION_MUST_UNDERSTAND));
  if (!common.stopAfter.empty())
    request.options.push_back(textOption("stop_after", common.stopAfter, 0));
  for (const std::string &pin : common.pins)
    request.pins += (request.pins.empty() ? "" : ",") + pin;
  if (!request.pins.empty())
    request.options.push_back(textOption("pin_op", request.pins, 0));
  static const std::string off = "overrides=off", trace = "trace_overrides=1";
  if (common.disablesOverrides)
    request.options.push_back(parseOption(off));
  if (common.tracesOverrides)
    request.options.push_back(parseOption(trace));
  request.folders = common.moduleFolders;
  if (request.folders.empty())
    request.folders.push_back(llvm::sys::path::parent_path(common.file).str());
  request.folderViews = toStrs(request.folders);
  tw_compile_input &input = request.input;
  input.size = sizeof input;
  input.source = toStr(text);
  input.file_name = toStr(common.file);
  input.kernel = toStr(common.kernel);
  input.signature = toStr(signature);
  input.target = toStr(target);
  input.options = request.options.data();
  input.option_count = request.options.size();
  input.module_folders = request.folderViews.data();
  input.module_folder_count = request.folderViews.size();
}

Result Session::attempt(const std::string &signature, const std::string &target,
                        const std::vector<std::string> &stages) {
  readSource();
  Request request;
  fill(request, signature, target);
  request.stages = toStrs(stages);
  request.input.stages = request.stages.data();
  request.input.stage_count = request.stages.size();
  const tw_compile_result *raw = nullptr;
  int32_t status = tw_compile(compiler(), &request.input, &raw);
  Result result(raw);
  if (!result)
    throw Failure(7099, "the compiler refused the request (status " +
                            std::to_string(status) + ")");
  return result;
}

Result Session::compile(const std::string &signature, const std::string &target,
                        const std::vector<std::string> &stages) {
  // Nothing is taken from a cache, or added, where stages are asked for.
  bool timesTarget = stages.empty() && !common.timings.empty() &&
                     common.cacheFolder.empty() && common.sharedFolders.empty();
  Result result =
      attempt(signature, target,
              timesTarget ? std::vector<std::string>{"timings"} : stages);
  print(*result);
  if (result->status != TW_OK)
    throw AlreadyReported();
  return result;
}

std::string Session::fits(const std::string &signature,
                          const std::string &target) {
  readSource();
  Request request;
  fill(request, signature, target);
  std::string answer;
  if (int32_t status =
          tw_compiler_fits(compiler(), &request.input, appendTo(answer)))
    throw Failure(7099, "the compiler refused the request (status " +
                            std::to_string(status) + ")");
  return answer;
}

std::string Session::explainCache(const std::string &signature,
                                  const std::string &target) {
  readSource();
  Request request;
  fill(request, signature, target);
  std::string answer;
  if (int32_t status =
          tw_cache_explain(handle.get(), &request.input, appendTo(answer)))
    throw Failure(7099, "the compiler refused the request (status " +
                            std::to_string(status) + ")");
  return answer;
}

void Session::print(const tw_compile_result &result) const {
  if (common.diagnostics == "json")
    printDiagnosticsJSON(result);
  else
    std::fwrite(result.rendered.data, 1, result.rendered.size, stderr);
  if (!common.remarks.empty())
    printRemarks(result, common.remarks == "json", "");
  else if (common.tracesOverrides)
    printRemarks(result, false, "override: ");
  if (!common.timings.empty())
    printTimings(result, common.timings == "json");
}

} // namespace tilewright::tool
