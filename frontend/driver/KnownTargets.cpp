//===- KnownTargets.cpp - Targets whose plugin is not here ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits as the vendors publish them: CUDA C++ Programming Guide, table of
// technical specifications per compute capability; AMD's ISA documents. A
// plugin, where there is one, answers itself.
//===----------------------------------------------------------------------===//

#include "frontend/driver/KnownTargets.h"

using namespace tilewright;
using namespace tilewright::driver;

namespace {
struct KnownArchitecture {
  const char *vendor;
  const char *arch;
  int64_t subgroupSize;
  int64_t sharedBytes;
};
} // namespace

static constexpr KnownArchitecture architectures[] = {
    {"nvidia", "sm_70", 32, 98304},    {"nvidia", "sm_75", 32, 65536},
    {"nvidia", "sm_80", 32, 166912},   {"nvidia", "sm_86", 32, 101376},
    {"nvidia", "sm_87", 32, 166912},   {"nvidia", "sm_89", 32, 101376},
    {"nvidia", "sm_90", 32, 232448},   {"nvidia", "sm_90a", 32, 232448},
    {"nvidia", "sm_100", 32, 232448},  {"nvidia", "sm_100a", 32, 232448},
    {"nvidia", "sm_103a", 32, 232448}, {"nvidia", "sm_120", 32, 101376},
    {"nvidia", "sm_120a", 32, 101376}, {"amd", "gfx90a", 64, 65536},
    {"amd", "gfx940", 64, 65536},      {"amd", "gfx942", 64, 65536},
    {"amd", "gfx950", 64, 163840},     {"amd", "gfx1030", 32, 65536},
    {"amd", "gfx1100", 32, 65536},     {"amd", "gfx1101", 32, 65536},
    {"amd", "gfx1200", 32, 65536},     {"amd", "gfx1201", 32, 65536}};

std::optional<sema::TargetInfo>
driver::knownTarget(const plugins::Target &target) {
  for (const KnownArchitecture &known : architectures) {
    if (target.vendor != known.vendor || target.arch != known.arch)
      continue;
    sema::TargetInfo info;
    info.spelling = target.str();
    info.vendor = target.vendor;
    info.arch = target.arch;
    for (const plugins::TargetFeature &feature : target.features)
      if (feature.enabled)
        info.features.push_back(feature.name);
    info.limits = {{"subgroup_size", known.subgroupSize},
                   {"shared_bytes", known.sharedBytes},
                   {"max_threads", 1024}};
    return info;
  }
  return std::nullopt;
}
