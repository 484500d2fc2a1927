//===- Lint.h - What another target may take differently --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets what a kernel needs (stage "needs") against what targets are known to
// have. Nothing runs and no code is generated.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_LINT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_LINT_H

#include "frontend/driver/tool/verify/Runner.h"

namespace tilewright::tool::verify {

/// Advice for one row and all of `targets`. `signature` is that of the launch,
/// `grid` bounds program ids, and `ranges` ("n=1..1000000") integers whose
/// values at other launches are known. Where `asksPlugins`, plugins are asked
/// whether the kernel fits, and what cannot be looked at is said: a Failure
/// where the source is wrong, else advice of the kind "refused".
std::vector<Advice> lint(const Experiment &experiment,
                         const RunnerOptions &options, const Session &compiler,
                         const std::string &signature,
                         const std::string &ranges, bool asksPlugins);

/// Throws Failure 7040 unless `ranges` is a list of NAME=LOW..HIGH over
/// arguments of the rows and grid0 to grid2.
void checkRanges(const std::string &ranges,
                 const std::vector<Experiment> &rows);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_LINT_H
