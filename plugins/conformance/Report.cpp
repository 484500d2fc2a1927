//===- Report.cpp - What the kit says about a plugin ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two forms of one list.
//===----------------------------------------------------------------------===//
#include "plugins/conformance/Report.h"

#include "plugins/loader/Negotiation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tilewright::conformance {

bool Report::hasFailed() const {
  return std::any_of(rules.begin(), rules.end(), [](const Judged &judged) {
    return isFailure(judged.result);
  });
}

static std::string describe(const Judged &judged) {
  const Rule &rule = *findRule(judged.finding.rule);
  std::string text = std::string(resultName(judged.result)) + "  " +
                     ruleName(rule.number) + "  " + rule.title + "\n";
  if (!judged.finding.text.empty())
    text += "      " + judged.finding.text + "\n";
  if (!judged.reason.empty())
    text += "      listed: " + judged.reason + "\n";
  if (judged.result == Result::UnexpectedPass)
    text += "      take it off the list\n";
  if (judged.result == Result::Fail)
    text += std::string("      how: ") + rule.fix + "\n";
  return text;
}

static std::map<std::string, unsigned>
countResults(const std::vector<Judged> &rules) {
  std::map<std::string, unsigned> counts;
  for (const Judged &judged : rules)
    ++counts[resultName(judged.result)];
  return counts;
}

std::string Report::text(bool all) const {
  std::string text;
  for (const Judged &judged : rules)
    if (all || isFailure(judged.result))
      text += describe(judged);
  text += library + ": ";
  if (!identity.vendor.empty())
    text += "vendor " + identity.vendor + ", ABI " +
            plugins::versionText(identity.version) + ", ";
  bool isFirst = true;
  for (const auto &[name, count] : countResults(rules)) {
    text += (isFirst ? "" : ", ") + std::to_string(count) + " " + name;
    isFirst = false;
  }
  return text + "\n";
}

/// What did not pass of a suite.
static nlohmann::json describeSuite(const SuiteReport &suite) {
  using nlohmann::json;
  json rows = json::array();
  for (const JudgedRow &row : suite.rows) {
    if (row.result == Result::Pass)
      continue;
    json entry = {{"row", row.outcome.name},
                  {"result", resultName(row.result)},
                  {"code", row.outcome.code},
                  {"text", row.outcome.text}};
    if (!row.reason.empty())
      entry["reason"] = row.reason;
    rows.push_back(entry);
  }
  return {{"name", suite.name},
          {"counts", suite.counts()},
          {"stale", suite.stale},
          {"rows", rows}};
}

std::string Report::json() const {
  using nlohmann::json;
  json list = json::array();
  for (const Judged &judged : rules) {
    json row = {{"rule", ruleName(judged.finding.rule)},
                {"title", findRule(judged.finding.rule)->title},
                {"result", resultName(judged.result)},
                {"text", judged.finding.text},
                {"milliseconds", judged.finding.milliseconds}};
    if (!judged.reason.empty())
      row["reason"] = judged.reason;
    list.push_back(row);
  }
  json root = {
      {"schema", 1},
      {"kit", plugins::versionText(TW_ABI_VERSION(TW_ABI_MAJOR, TW_ABI_MINOR))},
      {"library", library},
      {"sha256", sha256},
      {"vendor", identity.vendor},
      {"name", identity.name},
      {"build", identity.build},
      {"abi", plugins::versionText(identity.version)},
      {"profiles", identity.profiles},
      {"target", target},
      {"partner", partner},
      {"passed", !hasFailed()},
      {"counts", countResults(rules)},
      {"rules", list}};
  if (!suite.name.empty())
    root["suite"] = describeSuite(suite);
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace tilewright::conformance
