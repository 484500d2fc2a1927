//===- ReportPage.cpp - The matrix of verify as one page --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML without scripts and without anything from elsewhere: the matrix, then
// each failure with its numbers, then what could not run and why.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/report/Diagnosis.h"
#include "frontend/driver/tool/verify/report/Report.h"

#include "verify-page.inc" // PageText, from Page.css

#include <algorithm>

namespace tilewright::tool::verify {

static std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

static std::string element(const std::string &name, const std::string &text) {
  return "<" + name + ">" + escape(text) + "</" + name + ">";
}

static std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

/// The place of a cell's finding in the page.
static std::string anchor(const Row &row, const Cell &cell) {
  return "f-" + row.id + "-" + cell.target;
}

static std::string mark(const Row &row, const Cell &cell) {
  std::string word = escape(statusText(cell.status));
  std::string label = " class=\"mark " + std::string(statusName(cell.status)) +
                      "\" title=\"" + escape(summary(cell)) + "\"";
  if (cell.status == Status::Fail)
    return "<a" + label + " href=\"#" + escape(anchor(row, cell)) + "\">" +
           word + "</a>";
  return "<span" + label + ">" + word + "</span>";
}

//===----------------------------------------------------------------------===//
// The matrix
//===----------------------------------------------------------------------===//

/// The first device that a target ran on; a crash does not say where it was.
static std::string deviceOf(const Report &report, const std::string &target) {
  std::string otherwise = "did not run";
  for (const Row &row : report.rows)
    for (const Cell &cell : row.cells)
      if (cell.target == target && !cell.device.empty())
        return cell.device;
      else if (cell.target == target && cell.code == "TW7036")
        otherwise = "device unknown";
  return otherwise;
}

static std::string tableHead(const Report &report) {
  std::string text = "<thead><tr><th scope=\"col\">kernel</th>"
                     "<th scope=\"col\">case</th><th scope=\"col\">dtype</th>"
                     "<th scope=\"col\">math</th>";
  for (const std::string &target : report.targets) {
    std::string device = escape(deviceOf(report, target));
    text += "<th scope=\"col\">" + escape(target) + "<small title=\"" + device +
            "\">" + device + "</small></th>";
  }
  return text + "</tr></thead>\n";
}

/// A name that stands in the line above is there for readers of the text only.
static std::string tableRow(const Report &report, const Row &row,
                            bool hasSameName) {
  std::string text = std::string(hasSameName ? "<tr class=\"same\">" : "<tr>") +
                     "<th scope=\"row\">" + escape(row.name) + "</th>" +
                     element("td", row.title) + element("td", row.dtype) +
                     element("td", row.math);
  for (const std::string &target : report.targets) {
    auto found =
        std::find_if(row.cells.begin(), row.cells.end(),
                     [&](const Cell &c) { return c.target == target; });
    if (found != row.cells.end())
      text += "<td>" + mark(row, *found) + "</td>";
    else if (!row.error.empty())
      text += "<td><span class=\"mark error\" title=\"" + escape(row.error) +
              "\">error</span></td>";
    else
      text += "<td></td>";
  }
  return text + "</tr>\n";
}

static std::string matrix(const Report &report) {
  std::string text = "<h2>Matrix</h2>\n<div class=\"scroll\" tabindex=\"0\" "
                     "role=\"region\" aria-label=\"Matrix\"><table>\n" +
                     tableHead(report) + "<tbody>\n";
  const Row *above = nullptr;
  for (const Row &row : report.rows) {
    text += tableRow(report, row, above && above->name == row.name);
    above = &row;
  }
  return text + "</tbody></table></div>\n";
}

static std::string totals(const Report &report) {
  std::string text = "<ul class=\"totals\">";
  for (auto [status, count] : report.counts())
    text += std::string("<li class=\"") + statusName(status) + "\"><b>" +
            std::to_string(count) + "</b>" + statusText(status) + "</li>";
  if (report.errors())
    text += "<li class=\"error\"><b>" + std::to_string(report.errors()) +
            "</b>rows in error</li>";
  return text + "</ul>\n";
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static std::string fact(const std::string &name, const std::string &value) {
  return value.empty() ? "" : element("dt", name) + element("dd", value);
}

static std::string histogram(const Comparison &comparison) {
  int64_t largest = *std::max_element(comparison.histogram.begin(),
                                      comparison.histogram.end());
  if (largest == 0)
    return "";
  std::string text = "<p class=\"soft\">Elements by distance in units in the "
                     "last place</p><div class=\"histogram\">";
  for (size_t i = 0; i < comparison.histogram.size(); ++i) {
    int64_t count = comparison.histogram[i];
    if (count)
      text += element("span", ulpBuckets()[i]) + "<i style=\"width:" +
              number(100.0 * double(count) / double(largest)) + "%\"></i>" +
              element("span", std::to_string(count));
  }
  return text + "</div>";
}

static std::string describe(const Comparison &comparison) {
  std::string text = "<p><b>" + escape(comparison.array) + "</b> against " +
                     escape(comparison.against) + "</p><dl class=\"facts\">";
  text += fact("rule", comparison.rule);
  text += fact("outside the rule", std::to_string(comparison.outside) + " of " +
                                       std::to_string(comparison.elements) +
                                       " elements; other bits in " +
                                       std::to_string(comparison.different));
  if (comparison.firstIndex >= 0)
    text += fact("first", positionText(comparison) + " expected " +
                              comparison.firstExpected + ", got " +
                              comparison.firstGot);
  text += fact("largest distance", number(comparison.largestUlp) + " ulp, " +
                                       number(comparison.largestError));
  if (comparison.nanOnlyHere + comparison.nanOnlyExpected)
    text += fact("NaN on one side",
                 std::to_string(comparison.nanOnlyHere) + " here, " +
                     std::to_string(comparison.nanOnlyExpected) + " expected");
  if (comparison.infiniteOnlyHere + comparison.infiniteOnlyExpected)
    text +=
        fact("infinite on one side",
             std::to_string(comparison.infiniteOnlyHere) + " here, " +
                 std::to_string(comparison.infiniteOnlyExpected) + " expected");
  return text + "</dl>" + histogram(comparison);
}

/// A command that `--bisect` gives, under its title.
static std::string commandOf(const Cell &cell, const char *key,
                             const std::string &title) {
  std::string command = cell.bisected.value(key, "");
  return command.empty() ? "" : element("p", title) + element("pre", command);
}

static std::string finding(const Row &row, const Cell &cell) {
  std::string text = "<article class=\"finding\" id=\"" +
                     escape(anchor(row, cell)) + "\">" +
                     element("h3", row.id + " on " + cell.target) + "<p>" +
                     escape(summary(cell)) + "</p>";
  for (const std::string &cause : likelyCauses(row, cell))
    text += "<p><b>Likely:</b> " + escape(cause) + "</p>";
  text += "<dl class=\"facts\">" + fact("hint", cell.hint) +
          fact("target", cell.resolved) + fact("device", cell.device) + "</dl>";
  for (const StrayWrite &stray : cell.strays)
    text += "<p>Stray write: " + std::to_string(stray.bytes) + " bytes " +
            escape(stray.place) + " <b>" + escape(stray.array) +
            "</b>, the first at " + std::to_string(stray.first) + ".</p>";
  for (const Comparison &comparison : cell.comparisons)
    if (!comparison.isEqual)
      text += describe(comparison);
  if (cell.bisected.is_object()) {
    text +=
        "<p><b>Bisect:</b> " + escape(cell.bisected.value("text", "")) + "</p>";
    text += commandOf(cell, "command", "Fails:") +
            commandOf(cell, "passing", "Passes:");
  }
  std::string arguments;
  for (const std::string &argument : row.arguments)
    arguments += argument + "\n";
  return text + "<details><summary>Arguments</summary><pre>" +
         escape(row.file + ", grid " + row.grid + "\n" + arguments) +
         "</pre></details></article>\n";
}

static std::string findings(const Report &report) {
  std::string text;
  for (const Row &row : report.rows) {
    if (!row.error.empty())
      text += "<article class=\"finding\">" + element("h3", row.id) + "<p>" +
              escape(row.errorCode + " " + row.error) + "</p><p>" +
              escape(row.errorHint) + "</p></article>\n";
    for (const Cell &cell : row.cells)
      if (cell.status == Status::Fail)
        text += finding(row, cell);
  }
  return text.empty() ? "" : "<h2>Failures</h2>\n" + text;
}

/// Cells of one state, their reasons once each.
static std::string reasons(const Report &report, Status status,
                           const std::string &title) {
  std::vector<std::pair<std::string, int64_t>> list;
  for (const Row &row : report.rows)
    for (const Cell &cell : row.cells) {
      if (cell.status != status)
        continue;
      std::string text = cell.target + ": " + summary(cell) +
                         (cell.hint.empty() ? "" : ". " + cell.hint);
      auto found = std::find_if(list.begin(), list.end(), [&](auto &entry) {
        return entry.first == text;
      });
      if (found == list.end())
        list.emplace_back(text, 1);
      else
        ++found->second;
    }
  std::string text;
  for (const auto &[reason, count] : list)
    text += "<li>" + escape(reason) + " <span class=\"soft\">(" +
            std::to_string(count) + (count == 1 ? " cell" : " cells") +
            ")</span></li>\n";
  return text.empty() ? ""
                      : "<h2>" + title + "</h2>\n<ul class=\"reasons\">" +
                            text + "</ul>\n";
}

static std::string advice(const Report &report) {
  std::string text;
  std::vector<std::string> seen;
  for (const Row &row : report.rows)
    for (const Advice &note : row.advice) {
      std::string line =
          "<li><code>" + escape(note.file + ":" + std::to_string(note.line)) +
          "</code> " +
          (note.target.empty() ? "" : "<b>" + escape(note.target) + "</b> ") +
          escape(note.message) + "</li>\n";
      if (std::find(seen.begin(), seen.end(), line) == seen.end()) {
        seen.push_back(line);
        text += line;
      }
    }
  return text.empty() ? ""
                      : "<h2>Portability</h2>\n<ul class=\"reasons\">" + text +
                            "</ul>\n";
}

std::string renderPage(const Report &report) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<title>" +
         escape(report.suite) + ": tilewright verify</title>\n<style>\n" +
         PageText + "</style></head><body>\n<header><h1>" +
         escape(report.suite) + "</h1><p class=\"soft\">tilewright verify, " +
         escape(report.date + ", " + report.machine) + "</p>\n" +
         totals(report) + "</header><main>\n" + matrix(report) +
         findings(report) +
         reasons(report, Status::CannotRun, "Cannot run here") +
         reasons(report, Status::CannotCompile, "Cannot compile") +
         reasons(report, Status::NotJudged, "Not judged") + advice(report) +
         "<details><summary>Command</summary><pre>" + escape(report.command) +
         "</pre></details>\n</main><footer>Each target is compared with the "
         "reference: in portable mode all bits are equal, otherwise within the "
         "tolerance of the row.</footer></body></html>\n";
}

} // namespace tilewright::tool::verify
