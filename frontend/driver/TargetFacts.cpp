//===- TargetFacts.cpp - What a target can do -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capabilities of a plugin as facts of the frontend.
//===----------------------------------------------------------------------===//

#include "frontend/driver/TargetFacts.h"
#include "plugins/loader/Target.h"

#include "llvm/ADT/StringExtras.h"

namespace tilewright::driver {

/// The names that a plugin publishes, one a line.
static std::optional<std::vector<std::string>>
publishedHints(const tw_capability &answer) {
  if (answer.answer == TW_ANSWER_UNKNOWN)
    return std::nullopt;
  std::vector<std::string> names;
  for (llvm::StringRef line : llvm::split(toString(answer.text), '\n'))
    if (!line.empty())
      names.push_back(line.str());
  return names;
}

std::optional<sema::TargetInfo> describeTarget(const Backends::Backend &backend,
                                               const std::string &target) {
  sema::TargetInfo info;
  Problem problem;
  info.spelling = target;
  if (auto parsed = plugins::parseTarget(target, problem)) {
    info.vendor = parsed->vendor;
    info.arch = parsed->arch;
    for (const plugins::TargetFeature &feature : parsed->features)
      if (feature.enabled)
        info.features.push_back(feature.name);
  }
  struct Limit {
    uint32_t id;
    const char *name;
  };
  constexpr Limit limits[] = {{TW_CAP_SUBGROUP_SIZE, "subgroup_size"},
                              {TW_CAP_SHARED_BYTES, "shared_bytes"},
                              {TW_CAP_MAX_THREADS, "max_threads"},
                              {TW_CAP_PROCESSORS, "processors"},
                              {TW_CAP_VECTOR_BITS, "vector_bits"}};
  std::vector<tw_capability> caps;
  for (const Limit &limit : limits) {
    caps.push_back({});
    caps.back().id = limit.id;
  }
  caps.push_back({});
  caps.back().id = TW_CAP_HINTS;
  if (backend.plugin->compile().get_caps(backend.handle, toStr(target),
                                         caps.data(), caps.size()) != TW_OK)
    return std::nullopt;
  for (size_t i = 0; i < std::size(limits); ++i)
    if (caps[i].answer == TW_ANSWER_YES)
      info.limits.emplace_back(limits[i].name, caps[i].value);
  info.hints = publishedHints(caps.back());
  return info;
}

} // namespace tilewright::driver
