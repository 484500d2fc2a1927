//===- TargetFacts.h - What a target can do ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a plugin for what `tl.target` says in a kernel.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TARGETFACTS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TARGETFACTS_H

#include "frontend/driver/CompileSession.h"
#include "frontend/sema/Sema.h"

#include <optional>

namespace tilewright::driver {

/// Facts of a resolved target; nothing when its plugin does not answer.
std::optional<sema::TargetInfo> describeTarget(const Backends::Backend &backend,
                                               const std::string &target);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_TARGETFACTS_H
