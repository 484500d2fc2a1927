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
  /// The device gets the guards around arrays, too, see Array::addGuards.
  bool hasGuards = false;
};

struct LaunchResult {
  std::string device;
  double medianMilliseconds = 0; // of the repeats
};

/// The value of `--grid` over the arguments' integers; throws Failure.
tw_rt_grid parseGrid(const std::string &text, const Arguments &arguments);

/// A device that artifacts run on one after the other.
class Launcher {
public:
  /// Opens the device; throws Failure.
  Launcher(const CommonOptions &common, const std::string &target,
           int threads = 0);
  ~Launcher();
  Launcher(const Launcher &) = delete;
  Launcher &operator=(const Launcher &) = delete;

  /// Launches the only kernel of `artifact` over `grid` and waits; the arrays
  /// then hold what the kernel wrote. Throws Failure.
  LaunchResult launch(const LaunchOptions &options, tw_bytes artifact,
                      Arguments &arguments, const tw_rt_grid &grid);

private:
  struct Opened;
  std::unique_ptr<Opened> opened;
};

/// Launches the only kernel of `artifact` over `grid` and waits; the arrays
/// then hold what the kernel wrote. Throws Failure.
LaunchResult launchArtifact(const CommonOptions &common,
                            const LaunchOptions &options, tw_bytes artifact,
                            Arguments &arguments, const tw_rt_grid &grid);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_LAUNCH_H
