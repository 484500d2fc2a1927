//===- Request.h - What can be said before reading the IR -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks that `compile` and `can_compile` share.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_REQUEST_H
#define TILEWRIGHT_BACKENDS_CPU_REQUEST_H

#include "backends/common/request/Request.h"
#include "backends/cpu/Options.h"
#include "backends/cpu/Target.h"

#include "tilewright/plugin.h"

namespace tilewright::cpu {

/// Target and options of a request that passed all checks.
struct CheckedRequest {
  Target target;
  CompileOptions options;
};

std::optional<CheckedRequest> readRequest(const tw_compile_request &request,
                                          Problem &problem);

/// Answers `can_compile`; reports the reason of a refusal.
int32_t checkRequest(const tw_compile_request &request);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_REQUEST_H
