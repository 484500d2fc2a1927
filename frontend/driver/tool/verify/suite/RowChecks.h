//===- RowChecks.h - Rows that cannot be meant ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with rows whatever their kernels are, before any of them runs.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWCHECKS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWCHECKS_H

#include "frontend/driver/tool/verify/Runner.h"

namespace tilewright::tool::verify {

/// Throws Failure for rows of one name or without a grid, and for options and
/// excuses of vendors that nobody knows.
void checkRows(const RunnerOptions &runner,
               const std::vector<Experiment> &rows);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWCHECKS_H
