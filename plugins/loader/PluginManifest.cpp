//===- PluginManifest.cpp - The JSON file beside a plugin -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strict reader: what it does not know, it refuses.
//===----------------------------------------------------------------------===//
#include "plugins/loader/PluginManifest.h"

#include "tilewright/plugin.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tilewright::plugins {

using nlohmann::json;

static uint32_t profileBit(const std::string &name) {
  if (name == "compile")
    return TW_PROFILE_COMPILE;
  if (name == "runtime")
    return TW_PROFILE_RUNTIME;
  if (name == "launch")
    return TW_PROFILE_LAUNCH;
  return name == "override" ? TW_PROFILE_OVERRIDE : 0;
}

static std::nullopt_t refuse(Problem &problem, const std::string &what) {
  problem.set(TW_E_INVALID_ARGUMENT, 5007, "plugin manifest: " + what,
              "delete the manifest or write it as docs/formats.md says");
  return std::nullopt;
}

std::optional<PluginManifest> parsePluginManifest(std::string_view text,
                                                  Problem &problem) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    return refuse(problem, "expected a JSON object");
  for (const auto &item : root.items())
    if (item.key() != "schema" && item.key() != "vendor" &&
        item.key() != "profiles")
      return refuse(problem, "unknown key '" + item.key() + "'");
  auto schema = root.find("schema");
  if (schema == root.end() || *schema != 1)
    return refuse(problem, "expected \"schema\": 1");
  auto vendor = root.find("vendor");
  if (vendor == root.end() || !vendor->is_string() ||
      vendor->get_ref<const std::string &>().empty())
    return refuse(problem, "expected a text for \"vendor\"");
  auto profiles = root.find("profiles");
  if (profiles == root.end() || !profiles->is_array() || profiles->empty())
    return refuse(problem, "expected a list for \"profiles\"");
  PluginManifest manifest;
  manifest.vendor = vendor->get<std::string>();
  for (const json &profile : *profiles) {
    uint32_t bit =
        profile.is_string() ? profileBit(profile.get<std::string>()) : 0;
    if (!bit)
      return refuse(problem, "expected compile, runtime, launch or override "
                             "in \"profiles\", got " +
                                 profile.dump(-1, ' ', true,
                                              json::error_handler_t::replace));
    manifest.profiles |= bit;
  }
  return manifest;
}

std::optional<PluginManifest> readPluginManifest(const std::string &library,
                                                 Problem &problem) {
  size_t suffix = library.rfind(".so");
  if (suffix == std::string::npos || library.find('/', suffix) != library.npos)
    return std::nullopt;
  std::ifstream file(library.substr(0, suffix) + ".json");
  if (!file)
    return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  return parsePluginManifest(text.str(), problem);
}

} // namespace tilewright::plugins
