//===- Rules.h - The numbered rules of the plugin kit -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of Rules.def, and what an examination says about a rule.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_RULES_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_RULES_H

#include <string>
#include <vector>

namespace tilewright::conformance {

/// Profiles that a rule is about.
enum class Needs { None, Compile, Runtime, Launch, Both, Override };

struct Rule {
  unsigned number;
  Needs needs;
  const char *title;
  const char *why;
  const char *fix;
};

/// All rules, by number.
const std::vector<Rule> &rules();
const Rule *findRule(unsigned number);

/// "TWB-101".
std::string ruleName(unsigned number);
/// What `tilewright explain TWB-101` prints.
std::string rulePage(const Rule &rule);
/// The whole table, as docs/plugin-rules.md holds it.
std::string rulesDocument();

enum class Verdict { Pass, Fail, Skip };

/// What was found out about one rule.
struct Finding {
  unsigned rule = 0;
  Verdict verdict = Verdict::Skip;
  std::string text; // why it failed or was skipped; figures of a pass
  double milliseconds = 0;
};

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_RULES_H
