//===- Discovery.h - Where plugins are looked for ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists candidate files; opens none of them.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_DISCOVERY_H
#define TILEWRIGHT_PLUGINS_LOADER_DISCOVERY_H

#include <string>
#include <vector>

namespace tilewright::plugins {

struct SearchPlaces {
  std::vector<std::string> pluginPaths;   // files, in order of preference
  std::vector<std::string> searchFolders; // every libtilewright_*.so in them
  bool usePackageFolder = true;           // `tilewright/` beside this library
};

/// One file that may be a plugin, and why it is considered.
struct Candidate {
  std::string path;
  std::string origin; // "given path", "search folder", "package folder"
};

/// Candidates in order of preference, each file once. `notes` gets a line for
/// every place that does not exist.
std::vector<Candidate> findCandidates(const SearchPlaces &places,
                                      std::vector<std::string> &notes);

/// The folder of in-tree plugins: `tilewright/` beside the library or program
/// that holds this code, or `../lib/tilewright/` from a program's folder.
/// Empty when neither exists.
std::string packageFolder();

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_DISCOVERY_H
