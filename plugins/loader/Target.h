//===- Target.h - Target strings --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `vendor[:arch][+feature|-feature]*[@device]`, parsed and printed. Meaning of
// arch and features is the plugin's.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_TARGET_H
#define TILEWRIGHT_PLUGINS_LOADER_TARGET_H

#include "plugins/loader/Problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::plugins {

struct TargetFeature {
  std::string name;
  bool enabled = true;
};

struct Target {
  std::string vendor;
  std::string arch; // empty: the attached device or the default
  std::vector<TargetFeature> features;
  std::optional<uint32_t> device;

  /// The spelling that parses back to this target.
  std::string str() const;
};

/// Parses one target; a list "a,b" is refused (split it first).
std::optional<Target> parseTarget(std::string_view text, Problem &problem);

} // namespace tilewright::plugins

#endif // TILEWRIGHT_PLUGINS_LOADER_TARGET_H
