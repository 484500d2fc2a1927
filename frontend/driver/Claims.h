//===- Claims.h - High-level ops that a plugin takes over -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The overrides of a plugin as the plain texts that the lowering reads.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_CLAIMS_H
#define TILEWRIGHT_FRONTEND_DRIVER_CLAIMS_H

#include "frontend/driver/CompileSession.h"

namespace tilewright::driver {

/// Claims for a resolved target, such as "softmax@1:f32|f16:1-2".
std::vector<std::string> collectClaims(const Backends::Backend &backend,
                                       const std::string &target);

} // namespace tilewright::driver

#endif // TILEWRIGHT_FRONTEND_DRIVER_CLAIMS_H
