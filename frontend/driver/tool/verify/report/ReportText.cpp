//===- ReportText.cpp - The matrix of verify as text and JSON ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell that did not pass carries the number of a note; equal notes are one.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/report/Diagnosis.h"
#include "frontend/driver/tool/verify/report/Report.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tilewright::tool::verify {

std::map<Status, int64_t> Report::counts() const {
  std::map<Status, int64_t> counts;
  for (const Row &row : rows)
    for (const Cell &cell : row.cells)
      ++counts[cell.status];
  return counts;
}

int64_t Report::errors() const {
  return std::count_if(rows.begin(), rows.end(),
                       [](const Row &row) { return !row.error.empty(); });
}

bool Report::isGood(bool isStrict) const {
  int64_t passed = 0, all = 0, failed = 0;
  for (auto [status, count] : counts()) {
    all += count;
    passed += status == Status::Pass ? count : 0;
    failed += status == Status::Fail ? count : 0;
  }
  return !errors() && !failed && (!isStrict || passed == all);
}

std::string statusText(Status status) {
  std::string text = statusName(status);
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

std::string totalsText(const Report &report) {
  std::string text;
  auto add = [&](int64_t count, const std::string &what) {
    if (count)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  for (auto [status, count] : report.counts())
    add(count, statusText(status));
  add(report.errors(), "rows in error");
  return text.empty() ? "nothing to run" : text;
}

namespace {
/// Numbered remarks below the matrix.
class Notes {
public:
  /// " [2]"; the same text has the same number.
  std::string add(const std::string &text) {
    auto found = std::find(texts.begin(), texts.end(), text);
    if (found == texts.end())
      found = texts.insert(texts.end(), text);
    return " [" + std::to_string(found - texts.begin() + 1) + "]";
  }
  std::string render() const {
    std::string result;
    for (size_t i = 0; i < texts.size(); ++i)
      result += "[" + std::to_string(i + 1) + "] " + texts[i] + "\n";
    return result;
  }

private:
  std::vector<std::string> texts;
};
} // namespace

static std::string noteOf(const Row &row, const Cell &cell) {
  std::string text = cell.target + ": " + summary(cell);
  if (!cell.hint.empty())
    text += "\n    hint: " + cell.hint;
  for (const std::string &cause : likelyCauses(row, cell))
    text += "\n    likely: " + cause;
  if (cell.bisected.is_object())
    text += "\n    bisect: " + cell.bisected.value("text", "");
  // A difference belongs to its row, a missing device to all rows.
  if (cell.status == Status::Fail)
    text = row.id + ", " + text;
  return text;
}

static std::vector<std::string> matrixLine(const Report &report, const Row &row,
                                           Notes &notes) {
  std::vector<std::string> line = {row.name, row.title, row.dtype, row.math};
  for (const std::string &target : report.targets) {
    std::string text = "-";
    for (const Cell &cell : row.cells)
      if (cell.target == target)
        text =
            statusText(cell.status) +
            (cell.status == Status::Pass ? "" : notes.add(noteOf(row, cell)));
    line.push_back(text);
  }
  if (!row.error.empty())
    line[4] =
        "error" +
        notes.add(
            row.id + ": " +
            (row.errorCode.empty() ? "" : row.errorCode + ": ") + row.error +
            (row.errorHint.empty() ? "" : "\n    hint: " + row.errorHint));
  return line;
}

static std::string
renderTable(const std::vector<std::vector<std::string>> &lines) {
  std::vector<size_t> widths(lines[0].size(), 0);
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto &line : lines) {
    std::string one;
    for (size_t i = 0; i < line.size(); ++i)
      if (widths[i])
        one += line[i] + std::string(widths[i] + 2 - line[i].size(), ' ');
    text += one.substr(0, one.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

static std::string renderAdvice(const Report &report) {
  std::vector<std::string> seen;
  std::string text;
  for (const Row &row : report.rows)
    for (const Advice &advice : row.advice) {
      std::string place = advice.file.empty()
                              ? row.id
                              : advice.file + ":" + std::to_string(advice.line);
      std::string line = place + ": " + advice.kind + ": " +
                         (advice.target.empty() ? "" : advice.target + ": ") +
                         advice.message;
      if (std::find(seen.begin(), seen.end(), line) != seen.end())
        continue;
      seen.push_back(line);
      text += line + "\n";
    }
  return text.empty() ? "" : "\nPortability\n" + text;
}

std::string renderText(const Report &report) {
  Notes notes;
  std::vector<std::vector<std::string>> lines = {
      {"kernel", "case", "dtype", "math"}};
  lines[0].insert(lines[0].end(), report.targets.begin(), report.targets.end());
  for (const Row &row : report.rows)
    lines.push_back(matrixLine(report, row, notes));
  std::string list = notes.render();
  if (report.onlyLints) {
    std::string text = renderAdvice(report) + (list.empty() ? "" : "\n" + list);
    return text.empty()
               ? "nothing to say about " + std::to_string(report.rows.size()) +
                     " rows on " + llvm::join(report.targets, ", ") + "\n"
               : text;
  }
  return renderTable(lines) + (list.empty() ? "" : "\n" + list) +
         renderAdvice(report) + "\n" + totalsText(report) + "\n";
}

std::string renderJSON(const Report &report) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Row &row : report.rows)
    rows.push_back(toJSON(row));
  nlohmann::json counts = nlohmann::json::object();
  for (auto [status, count] : report.counts())
    counts[statusName(status)] = count;
  return nlohmann::json({{"version", 1},
                         {"kind", "tilewright-verify"},
                         {"suite", report.suite},
                         {"command", report.command},
                         {"date", report.date},
                         {"machine", report.machine},
                         {"targets", report.targets},
                         {"buckets", ulpBuckets()},
                         {"counts", counts},
                         {"errors", report.errors()},
                         {"rows", rows}})
             .dump(1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

} // namespace tilewright::tool::verify
