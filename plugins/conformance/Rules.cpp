//===- Rules.cpp - The numbered rules of the plugin kit ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and its texts.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Rules.h"

namespace tilewright::conformance {

const std::vector<Rule> &rules() {
  static const std::vector<Rule> all = {
#define TWB_RULE(number, needs, title, why, fix)                               \
  {number, Needs::needs, title, why, fix},
#include "plugins/conformance/Rules.def"
#undef TWB_RULE
  };
  return all;
}

const Rule *findRule(unsigned number) {
  for (const Rule &rule : rules())
    if (rule.number == number)
      return &rule;
  return nullptr;
}

std::string ruleName(unsigned number) {
  return "TWB-" + std::to_string(number);
}

std::string rulePage(const Rule &rule) {
  return ruleName(rule.number) + ": a plugin " + rule.title +
         "\n\nWhy: " + rule.why + "\nHow: " + rule.fix + "\n";
}

static const char *familyTitle(unsigned family) {
  static const char *const titles[] = {"",         "The file",   "Negotiation",
                                       "Hygiene",  "Neighbours", "Compile",
                                       "Numerics", "Runtime",    "Launch"};
  return family < 9 ? titles[family] : "";
}

std::string rulesDocument() {
  std::string text =
      "# Rules for plugins\n\n"
      "What `tilewright plugin-check` examines (docs/plugins.md). Written by "
      "`tilewright plugin-check --rules`; numbers are never reused.\n";
  unsigned family = 0;
  for (const Rule &rule : rules()) {
    if (rule.number / 100 != family) {
      family = rule.number / 100;
      text += "\n## " + std::to_string(family) + "xx " + familyTitle(family) +
              "\n\n| rule | a plugin | why | how |\n|---|---|---|---|\n";
    }
    text += "| " + ruleName(rule.number) + " | " + rule.title + " | " +
            rule.why + " | " + rule.fix + " |\n";
  }
  return text;
}

} // namespace tilewright::conformance
