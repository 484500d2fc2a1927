//===- Suite.h - Rows of a suite in the light of the lists ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rule TWB-604 says about each row: a row that the plugin refuses or
// fails needs an entry in the vendor's lists, an entry needs such a row.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_SUITE_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_SUITE_H

#include "plugins/conformance/Lists.h"

namespace tilewright::conformance {

/// How one row ended on the plugin.
struct RowOutcome {
  enum class State { Passed, Failed, Refused, NotRun };
  std::string name;
  State state = State::Failed;
  std::string code; // of a refusal, "TW4160"
  std::string text; // what is wrong, or why it did not run
};

struct JudgedRow {
  RowOutcome outcome;
  Result result = Result::Fail;
  std::string reason; // of the list
};

/// A suite that was run, empty if none was.
struct SuiteReport {
  std::string name;
  std::vector<JudgedRow> rows;    // in the suite's order
  std::vector<std::string> stale; // entries of the lists without a row

  /// The finding of rule TWB-604.
  Finding finding() const;
  std::map<std::string, unsigned> counts() const;
};

/// An entry is a code, which a refusal has, or a part of rows' names. Stale
/// entries are looked for where the suite is `isWhole`.
SuiteReport judgeSuite(const std::string &name,
                       std::vector<RowOutcome> outcomes, const Lists &lists,
                       bool isWhole);

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_SUITE_H
