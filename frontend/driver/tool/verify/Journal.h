//===- Journal.h - Rows of an interrupted run -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--resume FILE` keeps a line of JSON for each row that is done. A row is
// taken from the file while its key is the same: values, sources, targets,
// compiler.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H

#include "frontend/driver/tool/verify/Runner.h"

namespace tilewright::tool::verify {

class Journal {
public:
  /// Reads what is there; an empty path is a journal that keeps nothing.
  /// `compilers` identifies the plugins in use.
  Journal(std::string path, const RunnerOptions &runner,
          const std::string &compilers);

  /// The row of an earlier run, if nothing that it depends on has changed.
  const Row *find(const Experiment &experiment);
  /// Appends a row and brings it to the disk.
  void add(const Experiment &experiment, const Row &row);

private:
  std::string keyOf(const Experiment &experiment);

  std::string path;
  std::string common; ///< what is the same for all keys
  std::map<std::string, Row> rows;
  std::map<std::string, std::string> sources; ///< by folder
};

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H
