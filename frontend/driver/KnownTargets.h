//===- KnownTargets.h - Targets whose plugin is not here --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages before the backend need only what a kernel may ask about its target,
// so `--target nvidia:sm_90a --emit=kernel` works without NVIDIA's plugin.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_KNOWNTARGETS_H
#define TILEWRIGHT_FRONTEND_DRIVER_KNOWNTARGETS_H

#include "frontend/sema/Sema.h"
#include "plugins/loader/Target.h"

namespace tilewright::driver {

/// What `tl.target` is for a published architecture; nullopt for others.
std::optional<sema::TargetInfo> knownTarget(const plugins::Target &target);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_KNOWNTARGETS_H
