//===- Report.h - What the kit says about a plugin --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same account for people and as JSON (docs/formats.md).
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_REPORT_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_REPORT_H

#include "plugins/conformance/Lists.h"
#include "plugins/conformance/Runner.h"
#include "plugins/conformance/Suite.h"

namespace tilewright::conformance {

struct Report {
  std::string library;
  std::string sha256; // of the file
  std::string target; // that kernels were compiled for; may be empty
  std::string partner;
  Identity identity;
  std::vector<Judged> rules; // by number
  SuiteReport suite;

  bool hasFailed() const;
  /// Failures with what to do, then totals; every rule if `all`.
  std::string text(bool all) const;
  std::string json() const;
};

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_REPORT_H
