//===- Discovery.cpp - Where plugins are looked for -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit paths, then search folders, then the package folder. No environment
// variable is read.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Discovery.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace tilewright::plugins {

std::string packageFolder() {
  Dl_info info = {};
  if (!dladdr(reinterpret_cast<void *>(&packageFolder), &info) ||
      !info.dli_fname)
    return {};
  std::error_code error;
  fs::path self = fs::canonical(info.dli_fname, error);
  // A program's dli_fname is argv[0], which need not be a path.
  if (error)
    self = fs::canonical("/proc/self/exe", error);
  if (error)
    return {};
  for (const fs::path &folder :
       {self.parent_path() / "tilewright",
        self.parent_path().parent_path() / "lib" / "tilewright"})
    if (fs::is_directory(folder, error))
      return folder.string();
  return {};
}

static bool looksLikePlugin(const fs::path &path) {
  std::string name = path.filename().string();
  return name.rfind("libtilewright_", 0) == 0 && path.extension() == ".so" &&
         name != "libtilewright_runtime.so" &&
         name != "libtilewright_compiler.so";
}

/// The plugin files of one folder, sorted so that the choice is repeatable.
static std::vector<std::string> listFolder(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (looksLikePlugin(it->path()))
      files.push_back(it->path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Candidate> findCandidates(const SearchPlaces &places,
                                      std::vector<std::string> &notes) {
  std::vector<Candidate> candidates;
  std::set<std::string> seen;
  auto add = [&](const std::string &path, const char *origin) {
    std::error_code error;
    fs::path canonical = fs::weakly_canonical(path, error);
    if (seen.insert(error ? path : canonical.string()).second)
      candidates.push_back({path, origin});
  };
  auto addFolder = [&](const std::string &folder, const char *origin) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
      notes.push_back(std::string(origin) + " '" + folder +
                      "' is not a folder");
    for (const std::string &file : listFolder(folder))
      add(file, origin);
  };
  for (const std::string &path : places.pluginPaths)
    add(path, "given path");
  for (const std::string &folder : places.searchFolders)
    addFolder(folder, "search folder");
  if (!places.usePackageFolder)
    return candidates;
  std::string folder = packageFolder();
  if (folder.empty())
    notes.push_back("there is no package folder `tilewright/` beside this "
                    "library");
  else
    addFolder(folder, "package folder");
  return candidates;
}

} // namespace tilewright::plugins
