//===- Journal.cpp - Rows of an interrupted run -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line that was cut short, or that another version wrote, is a row that has
// not run.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Journal.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace tilewright::tool::verify {

using nlohmann::json;

/// Size and time of the compiler library: plugins report their own build.
static std::string compilerLibrary() {
  Dl_info info;
  llvm::sys::fs::file_status status;
  if (!dladdr(reinterpret_cast<void *>(&tw_compile), &info) ||
      llvm::sys::fs::status(info.dli_fname, status))
    return "";
  return std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

Journal::Journal(std::string given, const RunnerOptions &runner,
                 const std::string &compilers)
    : path(std::move(given)) {
  if (path.empty())
    return;
  json parts = {compilers,
                compilerLibrary(),
                runner.targets,
                runner.common.options,
                runner.common.pluginPaths,
                runner.common.pluginFolders,
                runner.compareFolder,
                runner.saveFolder};
  common = parts.dump();
  if (!llvm::sys::fs::exists(path))
    return;
  std::istringstream lines(readTextFile(path));
  for (std::string line; std::getline(lines, line);)
    try {
      json entry = json::parse(line);
      rows[entry.at("key")] = rowFromJSON(entry.at("row"));
    } catch (const json::exception &) {
      continue;
    }
}

/// All Python files of a folder: kernels import each other.
static std::string readSources(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it(folder.empty() ? "." : folder, error),
       end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".py")
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const std::string &file : files)
    text += file + "\n" + readTextFile(file);
  return text;
}

std::string Journal::keyOf(const Experiment &experiment) {
  const Row &heading = experiment.heading;
  std::string folder = llvm::sys::path::parent_path(heading.file).str();
  auto known = sources.find(folder);
  if (known == sources.end())
    known = sources.emplace(folder, readSources(folder)).first;
  json parts = {common,
                toJSON(heading),
                known->second,
                experiment.signature,
                experiment.extras,
                experiment.outputs,
                experiment.tolerance.text(),
                experiment.unordered,
                experiment.excuses};
  std::string files;
  for (const auto &[array, file] : experiment.expected)
    files += array + readTextFile(file);
  for (const std::string &argument : heading.arguments)
    if (size_t at = argument.find("=@"); at != std::string::npos)
      files += readTextFile(argument.substr(at + 2));
  std::string text =
      parts.dump(-1, ' ', false, json::error_handler_t::replace) + files;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(llvm::xxh3_64bits(text)));
  return digits;
}

const Row *Journal::find(const Experiment &experiment) {
  if (path.empty())
    return nullptr;
  auto found = rows.find(keyOf(experiment));
  return found == rows.end() ? nullptr : &found->second;
}

void Journal::add(const Experiment &experiment, const Row &row) {
  if (path.empty())
    return;
  json entry = {{"key", keyOf(experiment)}, {"row", toJSON(row)}};
  // The line before may have been cut short.
  std::string line =
      "\n" + entry.dump(-1, ' ', false, json::error_handler_t::replace);
  int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  bool isWritten = file >= 0 &&
                   write(file, line.data(), line.size()) ==
                       static_cast<ssize_t>(line.size()) &&
                   fsync(file) == 0;
  std::string reason = std::strerror(errno);
  if (file >= 0)
    close(file);
  if (!isWritten)
    throw Failure(7002, "cannot write '" + path + "': " + reason);
}

} // namespace tilewright::tool::verify
