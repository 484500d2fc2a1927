//===- Suite.cpp - Rows of a suite in the light of the lists ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of Lists.cpp for rows.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Suite.h"

#include <algorithm>
#include <set>

namespace tilewright::conformance {

using Entries = std::map<std::string, std::string>;

/// The entry for a row; the end if there is none.
static Entries::const_iterator findEntry(const Entries &entries,
                                         const RowOutcome &outcome) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto &entry) {
    return outcome.name.find(entry.first) != std::string::npos ||
           (outcome.state == RowOutcome::State::Refused &&
            outcome.code == entry.first);
  });
}

static JudgedRow judgeRow(RowOutcome outcome, const Lists &lists,
                          std::set<std::string> &used) {
  JudgedRow row;
  auto unsupported = findEntry(lists.unsupportedRows, outcome);
  auto expected = findEntry(lists.expectedFailureRows, outcome);
  bool isUnsupported = unsupported != lists.unsupportedRows.end();
  bool isExpected = expected != lists.expectedFailureRows.end();
  if (isUnsupported || isExpected) {
    row.reason = isUnsupported ? unsupported->second : expected->second;
    used.insert(isUnsupported ? unsupported->first : expected->first);
  }
  switch (outcome.state) {
  case RowOutcome::State::Passed:
    row.result =
        isUnsupported || isExpected ? Result::UnexpectedPass : Result::Pass;
    break;
  case RowOutcome::State::NotRun:
    row.result = Result::Skip;
    break;
  case RowOutcome::State::Refused:
  case RowOutcome::State::Failed:
    row.result = isUnsupported ? Result::Unsupported
                 : isExpected  ? Result::ExpectedFailure
                               : Result::Fail;
    break;
  }
  row.outcome = std::move(outcome);
  return row;
}

SuiteReport judgeSuite(const std::string &name,
                       std::vector<RowOutcome> outcomes, const Lists &lists,
                       bool isWhole) {
  SuiteReport report;
  report.name = name;
  std::set<std::string> used;
  for (RowOutcome &outcome : outcomes)
    report.rows.push_back(judgeRow(std::move(outcome), lists, used));
  for (const Entries *entries :
       {&lists.unsupportedRows, &lists.expectedFailureRows})
    for (const auto &[entry, reason] : *entries)
      if (isWhole && !used.count(entry))
        report.stale.push_back(entry);
  return report;
}

std::map<std::string, unsigned> SuiteReport::counts() const {
  std::map<std::string, unsigned> counts;
  for (const JudgedRow &row : rows)
    ++counts[resultName(row.result)];
  return counts;
}

Finding SuiteReport::finding() const {
  Finding finding{604, Verdict::Pass, name + ": "};
  bool isFirst = true;
  for (const auto &[result, count] : counts()) {
    finding.text +=
        (isFirst ? "" : ", ") + std::to_string(count) + " " + result;
    isFirst = false;
  }
  unsigned bad = 0, skipped = 0;
  for (const JudgedRow &row : rows) {
    skipped += row.result == Result::Skip;
    if (isFailure(row.result) && ++bad <= 5)
      finding.text += "; '" + row.outcome.name + "' " +
                      (row.result == Result::UnexpectedPass
                           ? "passes, listed: " + row.reason
                           : row.outcome.text);
  }
  for (const std::string &entry : stale)
    finding.text += "; listed for no row: '" + entry + "'";
  if (bad > 5)
    finding.text += "; and " + std::to_string(bad - 5) + " more";
  if (bad || !stale.empty())
    finding.verdict = Verdict::Fail;
  else if (skipped == rows.size())
    finding.verdict = Verdict::Skip;
  return finding;
}

} // namespace tilewright::conformance
