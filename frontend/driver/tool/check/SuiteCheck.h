//===- SuiteCheck.h - A plugin over a whole suite of kernels ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule TWB-604: the rows of a manifest of `verify` on the plugin and on the
// reference, each judged in the light of the vendor's lists.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_SUITECHECK_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_SUITECHECK_H

#include "frontend/driver/tool/verify/WorkerPool.h"
#include "plugins/conformance/Report.h"

namespace tilewright::tool {

/// What `--suite` and its companions ask for.
struct SuiteOptions {
  std::string name;              // "language", or a manifest; empty: none
  std::vector<std::string> only; // parts of rows' names; empty: all rows
  verify::PoolOptions pool;
};

/// Runs the suite with `libraries` before all others and judges its rows. Must
/// be called before this process opens a plugin. Throws Failure for a suite
/// that cannot be read.
conformance::SuiteReport runSuite(const SuiteOptions &options,
                                  const std::vector<std::string> &libraries,
                                  const std::string &target,
                                  const conformance::Lists &lists);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_CHECK_SUITECHECK_H
