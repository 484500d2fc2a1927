//===- Report.h - The matrix of verify for people and tools -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One Report, three forms: text, JSON (docs/formats.md) and a page for a
// browser that needs nothing besides itself.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_REPORT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_REPORT_H

#include "frontend/driver/tool/verify/Verdict.h"

#include <map>

namespace tilewright::tool::verify {

struct Report {
  std::string suite; ///< file of the manifest or of the kernel
  std::string command, date, machine;
  std::vector<std::string> targets;
  bool onlyLints = false; ///< nothing ran
  std::vector<Row> rows;

  std::map<Status, int64_t> counts() const;
  /// Rows that could not start.
  int64_t errors() const;
  /// Nothing failed; with `isStrict` everything passed.
  bool isGood(bool isStrict) const;
};

/// The matrix, numbered notes and one line of totals.
std::string renderText(const Report &report);
std::string renderJSON(const Report &report);
std::string renderPage(const Report &report);

/// "12 pass, 1 fail, 3 cannot run".
std::string totalsText(const Report &report);
/// The word of a cell for people: "cannot run".
std::string statusText(Status status);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_REPORT_H
