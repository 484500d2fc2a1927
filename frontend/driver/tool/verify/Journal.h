//===- Journal.h - Rows of an interrupted run -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--resume FILE` keeps a line of JSON for each row that is done. A row is
// taken from the file while its key is the same: values, sources, targets,
// devices, compiler; and while what it saved is there.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H

#include "frontend/driver/tool/verify/Runner.h"

namespace tilewright::tool::verify {

class Journal {
public:
  /// Reads what is there; an empty path is a journal that keeps nothing.
  /// `compilers` identifies the plugins in use; `missingDevices` says by target
  /// why its device does not open, "" where it does. Throws Failure where the
  /// file is no journal.
  Journal(std::string path, const RunnerOptions &runner,
          const std::string &compilers,
          std::map<std::string, std::string> missingDevices);

  /// The row of an earlier run, if nothing that it depends on has changed.
  const Row *find(const Experiment &experiment);
  /// Appends a row that was not found and brings it to the disk.
  void add(const Experiment &experiment, const Row &row);

private:
  struct Entry {
    Row row;
    std::string saved; ///< hash of what `--save` left
  };
  void read();
  void append(const std::string &text);
  std::string keyOf(const Experiment &experiment);
  std::string savedBy(const std::string &id) const;
  bool isLasting(const Experiment &experiment, const Row &row) const;

  std::string path;
  std::string common;                         ///< what is the same for all keys
  std::map<std::string, std::string> missing; ///< devices, by target
  std::string saveFolder, compareFolder;
  std::map<std::string, Entry> rows;
  std::map<std::string, std::string> sources; ///< hashes by folder
  std::map<std::string, std::string> keys;    ///< by row
};

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_JOURNAL_H
