//===- Journal.cpp - Rows of an interrupted run -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line that was cut short, or that another version wrote, is a row that has
// not run.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Journal.h"
#include "frontend/driver/tool/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <set>
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

static constexpr const char *kKind = "tilewright-verify-journal";
static constexpr int kJournalVersion = 1;

static std::string hashText(const std::string &text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(llvm::xxh3_64bits(text)));
  return digits;
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

namespace {
/// Files of a folder and of those in it, by path; a folder that several links
/// lead to is read once.
class Folder {
public:
  enum class Kind { All, PythonModules };
  Folder(const std::string &path, Kind kind) : kind(kind) { read(path); }
  /// A hash of names and contents; the same for an empty and a missing folder.
  std::string hash() const {
    std::string text;
    for (const std::string &file : files)
      text += file + "\n" + hashText(readTextFile(file)) + "\n";
    return hashText(text);
  }

private:
  void read(const std::string &path);
  bool isWanted(llvm::StringRef name, bool isFolder) const;

  Kind kind;
  std::set<std::string> files;
  std::set<llvm::sys::fs::UniqueID> seen;
};
} // namespace

/// Imports name folders by identifiers, which leaves out virtual environments
/// (`python3.11`, `site-packages`) and hidden folders.
bool Folder::isWanted(llvm::StringRef name, bool isFolder) const {
  if (kind == Kind::All)
    return true;
  if (isFolder)
    return name != "__pycache__" && llvm::all_of(name, [](char c) {
             return llvm::isAlnum(c) || c == '_' || (c & 0x80);
           });
  return name.ends_with(".py");
}

void Folder::read(const std::string &path) {
  llvm::sys::fs::UniqueID id;
  if (llvm::sys::fs::getUniqueID(path, id) || !seen.insert(id).second)
    return;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(path, error), end;
       it != end && !error; it.increment(error)) {
    bool isFolder = llvm::sys::fs::is_directory(it->path());
    if (!isWanted(llvm::sys::path::filename(it->path()), isFolder))
      continue;
    if (isFolder)
      read(it->path());
    else if (llvm::sys::fs::is_regular_file(it->path()))
      files.insert(it->path());
  }
}

/// The folder that imports of `file` start from: the one around its packages.
static std::string importRoot(const std::string &file) {
  llvm::SmallString<256> folder = llvm::sys::path::parent_path(file);
  while (!llvm::sys::path::filename(folder).empty() &&
         llvm::sys::fs::exists(llvm::Twine(folder) + "/__init__.py"))
    folder = llvm::sys::path::parent_path(folder);
  return folder.empty() ? "." : std::string(folder);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

Journal::Journal(std::string given, const RunnerOptions &runner,
                 const std::string &compilers,
                 std::map<std::string, std::string> missingDevices)
    : path(std::move(given)), missing(std::move(missingDevices)),
      saveFolder(runner.saveFolder), compareFolder(runner.compareFolder) {
  if (path.empty())
    return;
  const CommonOptions &options = runner.common;
  json parts = {compilers,
                compilerLibrary(),
                missing,
                runner.targets,
                runner.ranges,
                options.options,
                options.check,
                options.pins,
                options.disablesOverrides,
                options.compileSeconds,
                options.compileMegabytes,
                options.pluginPaths,
                options.pluginFolders,
                options.moduleFolders,
                compareFolder,
                saveFolder};
  for (const std::string &folder : options.moduleFolders)
    parts.push_back(
        Folder(folder.empty() ? "." : folder, Folder::Kind::PythonModules)
            .hash());
  common = parts.dump(-1, ' ', false, json::error_handler_t::replace);
  read();
}

void Journal::read() {
  std::string text = llvm::sys::fs::exists(path) ? readTextFile(path) : "";
  if (text.empty())
    return append(json({{"kind", kKind}, {"version", kJournalVersion}}).dump());
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  json head = json::parse(line, nullptr, false);
  if (!(head == json({{"kind", kKind}, {"version", kJournalVersion}})))
    throw Failure(7039,
                  "expected a journal of version " +
                      std::to_string(kJournalVersion) + " in '" + path +
                      "', got another file",
                  "name a new file after --resume, or remove this one");
  while (std::getline(lines, line))
    try {
      json entry = json::parse(line);
      rows[entry.at("key")] = {rowFromJSON(entry.at("row")), entry.at("saved")};
    } catch (const json::exception &) {
      continue;
    }
}

void Journal::append(const std::string &text) {
  int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  bool isWritten = file >= 0 &&
                   write(file, text.data(), text.size()) ==
                       static_cast<ssize_t>(text.size()) &&
                   fsync(file) == 0;
  std::string reason = std::strerror(errno);
  if (file >= 0)
    close(file);
  if (!isWritten)
    throw Failure(7002, "cannot write '" + path + "': " + reason);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::string Journal::keyOf(const Experiment &experiment) {
  const Row &heading = experiment.heading;
  std::string root = importRoot(heading.file);
  auto known = sources.find(root);
  if (known == sources.end())
    known =
        sources.emplace(root, Folder(root, Folder::Kind::PythonModules).hash())
            .first;
  json parts = {common,
                toJSON(heading),
                readTextFile(heading.file),
                known->second,
                experiment.signature,
                experiment.extras,
                experiment.outputs,
                experiment.tolerance.text(),
                experiment.unordered,
                experiment.excuses};
  if (!compareFolder.empty())
    parts.push_back(
        Folder(compareFolder + "/" + heading.id, Folder::Kind::All).hash());
  std::string files;
  for (const auto &[array, file] : experiment.expected)
    files += array + "=" + hashText(readTextFile(file)) + "\n";
  for (const std::string &argument : heading.arguments)
    if (size_t at = argument.find("=@"); at != std::string::npos)
      files += hashText(readTextFile(argument.substr(at + 2))) + "\n";
  return hashText(parts.dump(-1, ' ', false, json::error_handler_t::replace) +
                  files);
}

std::string Journal::savedBy(const std::string &id) const {
  return saveFolder.empty()
             ? ""
             : Folder(saveFolder + "/" + id, Folder::Kind::All).hash();
}

/// What the machine did in passing, rather than the kernel, is tried again.
bool Journal::isLasting(const Experiment &experiment, const Row &row) const {
  auto isCell = [&](const Cell &cell) {
    auto device = missing.find(cell.target);
    bool hasDevice = device == missing.end() || device->second.empty();
    bool isExcused = experiment.excuses.count(vendorOf(cell.target));
    return cell.code != "TW7036" && cell.code != "TW7037" &&
           (cell.status != Status::CannotRun || isExcused || !hasDevice);
  };
  return row.error.empty() && llvm::all_of(row.cells, isCell);
}

const Row *Journal::find(const Experiment &experiment) {
  if (path.empty())
    return nullptr;
  // Files that change while rows run are not those that the rows have read.
  const std::string &id = experiment.heading.id;
  auto found = rows.find(keys[id] = keyOf(experiment));
  if (found == rows.end() || !isLasting(experiment, found->second.row) ||
      found->second.saved != savedBy(id))
    return nullptr;
  return &found->second.row;
}

void Journal::add(const Experiment &experiment, const Row &row) {
  if (path.empty())
    return;
  const std::string &id = experiment.heading.id;
  json entry = {
      {"key", keys.at(id)}, {"saved", savedBy(id)}, {"row", toJSON(row)}};
  // The line before may have been cut short.
  append("\n" + entry.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace tilewright::tool::verify
