//===- Launch.h - Running an artifact on host arrays -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel on one device through the runtime's C interface: arrays are
// wrapped in place where the device allows it, else copied there and back.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_LAUNCH_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_LAUNCH_H

#include "frontend/driver/tool/Arguments.h"

namespace tilewright::tool {

struct LaunchOptions {
  std::string target;
  int threads = 0; // 0: all cores; CPU only
  int repeat = 1;
  /// Arrays without a fill stay unwritten, so that reading them is found.
  bool keepsUnwritten = false;
};

struct LaunchResult {
  std::string device;
  double medianMilliseconds = 0; // of the repeats
};

/// Launches the only kernel of `artifact` over `grid` and waits; the arrays
/// then hold what the kernel wrote. Throws Failure.
LaunchResult launchArtifact(const CommonOptions &common,
                            const LaunchOptions &options, tw_bytes artifact,
                            Arguments &arguments, const tw_rt_grid &grid);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_LAUNCH_H
