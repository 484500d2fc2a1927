//===- Steps.h - Steps of the host that may be left out ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `disable=raise,contract` names steps of the lowering to Kernel IR and of the
// plugin; each takes its own.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_STAGES_STEPS_H
#define TILEWRIGHT_FRONTEND_DRIVER_STAGES_STEPS_H

#include "frontend/driver/CompileSession.h"

namespace tilewright::driver {

/// False: left out.
struct DisabledSteps {
  bool raise = true;
  bool variants = true;
  bool share = true;
  std::string others; ///< names for the plugin
};

DisabledSteps readDisabledSteps(const tw_compile_input &input);

/// A plugin's stage "steps" with the host's steps before its own.
std::string withHostSteps(const std::string &steps);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_STAGES_STEPS_H
