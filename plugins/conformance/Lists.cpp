//===- Lists.cpp - What a vendor says a plugin cannot do --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strict reader: a rule that does not exist or has no reason is refused.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Lists.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tilewright::conformance {

using nlohmann::json;

static std::nullopt_t refuse(Problem &problem, const std::string &what) {
  problem.set(TW_E_INVALID_ARGUMENT, 5030, "list of the kit: " + what,
              "docs/formats.md describes the file");
  return std::nullopt;
}

/// "TWB-101" -> 101, 0 for anything else.
static unsigned ruleNumber(const std::string &name) {
  for (const Rule &rule : rules())
    if (ruleName(rule.number) == name)
      return rule.number;
  return 0;
}

std::optional<Lists> parseLists(std::string_view text, Problem &problem) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || root.value("schema", json()) != 1)
    return refuse(problem, "expected a JSON object with \"schema\": 1");
  Lists lists;
  for (const auto &section : root.items()) {
    const std::string &key = section.key();
    if (key == "schema")
      continue;
    bool isRules = key == "unsupported" || key == "expected-failure";
    std::map<std::string, std::string> *names =
        key == "kernels"                 ? &lists.kernels
        : key == "unsupported-rows"      ? &lists.unsupportedRows
        : key == "expected-failure-rows" ? &lists.expectedFailureRows
                                         : nullptr;
    if ((!isRules && !names) || !section.value().is_object())
      return refuse(problem, "unknown key '" + key + "'");
    for (const auto &row : section.value().items()) {
      if (!row.value().is_string() ||
          row.value().get_ref<const std::string &>().empty())
        return refuse(problem, "expected a reason for '" + row.key() + "'");
      std::string reason = row.value();
      unsigned number = isRules ? ruleNumber(row.key()) : 0;
      if (isRules && !number)
        return refuse(problem, "there is no rule '" + row.key() + "'");
      if (names)
        (*names)[row.key()] = reason;
      else if (key == "unsupported")
        lists.unsupported[number] = reason;
      else
        lists.expectedFailure[number] = reason;
    }
  }
  return lists;
}

std::optional<Lists> readLists(const std::string &path,
                               const std::string &library, Problem &problem) {
  std::string name = path;
  if (name.empty()) {
    size_t suffix = library.rfind(".so");
    name = library.substr(0, suffix) + ".check.json";
  }
  std::ifstream file(name);
  if (!file && path.empty())
    return Lists();
  if (!file)
    return refuse(problem, "cannot read '" + path + "'");
  std::stringstream text;
  text << file.rdbuf();
  return parseLists(text.str(), problem);
}

Judged judge(const Finding &finding, const Lists &lists) {
  Judged judged = {finding, Result::Pass, {}};
  auto unsupported = lists.unsupported.find(finding.rule);
  auto expected = lists.expectedFailure.find(finding.rule);
  if (unsupported != lists.unsupported.end()) {
    judged.reason = unsupported->second;
    // What is not supported may be refused in any way, but works by mistake.
    judged.result = finding.verdict == Verdict::Pass ? Result::UnexpectedPass
                                                     : Result::Unsupported;
  } else if (expected != lists.expectedFailure.end()) {
    judged.reason = expected->second;
    judged.result = finding.verdict == Verdict::Pass ? Result::UnexpectedPass
                    : finding.verdict == Verdict::Skip
                        ? Result::Skip
                        : Result::ExpectedFailure;
  } else {
    judged.result = finding.verdict == Verdict::Pass   ? Result::Pass
                    : finding.verdict == Verdict::Skip ? Result::Skip
                                                       : Result::Fail;
  }
  return judged;
}

bool isFailure(Result result) {
  return result == Result::Fail || result == Result::UnexpectedPass;
}

const char *resultName(Result result) {
  static const char *const names[] = {
      "pass",           "fail", "skip", "unsupported", "expected-failure",
      "unexpected-pass"};
  return names[static_cast<int>(result)];
}

} // namespace tilewright::conformance
