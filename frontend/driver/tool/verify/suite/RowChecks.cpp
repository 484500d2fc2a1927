//===- RowChecks.cpp - Rows that cannot be meant ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vendor is known by a plugin that is here, by --target, or by Tilewright.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/suite/RowChecks.h"
#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/verify/WorkerPool.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace tilewright::tool::verify {

using llvm::StringRef;

/// Vendors that options and excuses of rows name, each with the text that does.
static std::map<std::string, std::string>
vendorsNamed(const std::vector<Experiment> &rows) {
  std::map<std::string, std::string> named;
  for (const Experiment &row : rows) {
    for (StringRef option : row.heading.options) {
      auto [vendor, rest] =
          option.take_until([](char c) { return c == '='; }).split(':');
      if (vendor.size() < option.split('=').first.size())
        named.emplace(vendor.str(), "option '" + option.str() + "'");
    }
    for (const auto &[vendor, why] : row.excuses)
      named.emplace(vendor, "excuse '" + why + "'");
  }
  return named;
}

static std::set<std::string> knownVendors(const RunnerOptions &runner) {
  std::set<std::string> known = {"amd", "cpu", "nvidia", "reference", "spirv"};
  for (const std::string &target : runner.targets)
    known.insert(vendorOf(target));
  std::string list = runForked([&] {
    Session session(runner.common);
    std::string targets;
    tw_compiler_targets(session.compiler(), appendTo(targets));
    return targets;
  });
  for (StringRef line : llvm::split(list, '\n'))
    if (!line.empty())
      known.insert(vendorOf(line.str()));
  return known;
}

void checkRows(const RunnerOptions &runner,
               const std::vector<Experiment> &rows) {
  std::set<std::string> ids;
  for (const Experiment &row : rows) {
    if (!ids.insert(row.heading.id).second)
      throw Failure(7032, "two rows are called '" + row.heading.id + "'",
                    "name each mode of --math once");
    if (StringRef(row.heading.grid).trim().empty())
      throw Failure(7025,
                    "expected the number of programs of '" + row.heading.id +
                        "' in --grid (in a manifest: grid), got none",
                    "e.g. --grid \"cdiv(n, BLOCK)\" or --grid \"5, 3\"");
  }
  std::map<std::string, std::string> named = vendorsNamed(rows);
  if (named.empty())
    return;
  std::set<std::string> known = knownVendors(runner);
  for (const auto &[vendor, text] : named)
    if (!known.count(vendor))
      throw Failure(7041, "unknown vendor '" + vendor + "' of the " + text,
                    "known vendors: " + llvm::join(known, ", "));
}

} // namespace tilewright::tool::verify
