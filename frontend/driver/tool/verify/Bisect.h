//===- Bisect.h - Which step of the compiler made it fail -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a failed cell again without one optional step after the other (stage
// "steps", option `disable`), each in a process of its own.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_BISECT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_BISECT_H

#include "frontend/driver/tool/verify/WorkerPool.h"

namespace tilewright::tool::verify {

/// Fills `bisected` of every failed cell but those of the reference: `step` and
/// `what` (empty: no optional step is to blame), `text` for people, `command`
/// that fails again, `passing` that does not, `before` and `after`: files with
/// the IR around the step in `folder`.
void bisectFailures(const RunnerOptions &runner, const PoolOptions &pool,
                    const std::string &folder,
                    const std::vector<Experiment> &experiments,
                    std::vector<Row> &rows);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_BISECT_H
