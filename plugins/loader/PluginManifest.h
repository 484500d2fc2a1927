//===- PluginManifest.h - The JSON file beside a plugin ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a host choose a plugin without opening it: libx.json beside libx.so
// with vendor and profiles. Format: docs/formats.md.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_PLUGINMANIFEST_H
#define TILEWRIGHT_PLUGINS_LOADER_PLUGINMANIFEST_H

#include "plugins/loader/Problem.h"

#include <optional>

namespace tilewright::plugins {

struct PluginManifest {
  std::string vendor;
  uint32_t profiles = 0; // TW_PROFILE_*
};

/// Parses the text of a manifest; unknown keys are refused.
std::optional<PluginManifest> parsePluginManifest(std::string_view text,
                                                  Problem &problem);

/// Reads the manifest that belongs to a library; no file gives an empty
/// optional and no problem.
std::optional<PluginManifest> readPluginManifest(const std::string &library,
                                                 Problem &problem);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_PLUGINMANIFEST_H
