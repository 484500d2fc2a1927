//===- Rows.h - What a command line of verify asks for ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets, modes and rows, of one kernel or of a manifest.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWS_H

#include "frontend/driver/tool/verify/WorkerPool.h"

namespace tilewright::tool::verify {

struct VerifyOptions {
  std::vector<std::string> arguments;
  std::string grid;
  std::vector<std::string> buffers;
  std::vector<std::string> only; ///< parts of row names
  std::string modes;             ///< empty: accurate and portable
  std::vector<std::string> outputs;
  std::vector<std::string> expected; ///< ARRAY=FILE
  std::string tolerance;
  std::string jsonFile, pageFile;
  std::string saveFolder, compareFolder;
  std::string journal;
  std::string bisectFolder; ///< empty: failures are left as they are
  PoolOptions pool;
  std::string ranges;
  bool onlyLints = false;
  bool isStrict = false;
};

/// The targets of `--target`, `all` spread out; throws Failure.
std::vector<std::string> chooseTargets(const CommonOptions &common);

/// Throws Failure unless all checks are among those of the reference.
void requireChecks(const std::string &text);

/// The rows of the kernel or of the manifest, those that were chosen; throws
/// Failure.
std::vector<Experiment> makeRows(const CommonOptions &common,
                                 const VerifyOptions &options);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_SUITE_ROWS_H
