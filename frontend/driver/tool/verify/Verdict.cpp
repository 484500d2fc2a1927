//===- Verdict.cpp - What verify found, as plain data -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON forms, which docs/formats.md describes, and the one line for people.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Verdict.h"

namespace tilewright::tool::verify {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Comparison, array, against, dtype, shape,
                                   rule, isEqual, elements, different, outside,
                                   firstIndex, firstGot, firstExpected,
                                   histogram, largestUlp, largestError,
                                   nanOnlyHere, nanOnlyExpected,
                                   infiniteOnlyHere, infiniteOnlyExpected,
                                   flushedHere, otherZero, unwritten, offByOne,
                                   saturated)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrayWrite, array, place, bytes, first)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Advice, kind, target, message, file, line)
NLOHMANN_JSON_SERIALIZE_ENUM(Status,
                             {{Status::NotJudged, "not-judged"},
                              {Status::Pass, "pass"},
                              {Status::Fail, "fail"},
                              {Status::CannotRun, "cannot-run"},
                              {Status::CannotCompile, "cannot-compile"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cell, target, resolved, device, status, code,
                                   reason, hint, compileMilliseconds,
                                   runMilliseconds, comparisons, strays,
                                   bisected)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Row, id, name, kernel, title, dtype, math,
                                   file, grid, arguments, options, inputs,
                                   error, errorCode, errorHint, cells, advice)

const char *statusName(Status status) {
  switch (status) {
  case Status::Pass:
    return "pass";
  case Status::Fail:
    return "fail";
  case Status::CannotRun:
    return "cannot-run";
  case Status::CannotCompile:
    return "cannot-compile";
  case Status::NotJudged:
    return "not-judged";
  }
  return "not-judged";
}

const std::vector<std::string> &ulpBuckets() {
  static const std::vector<std::string> names = {
      "0",      "1",         "2",    "3-4",       "5-16",
      "17-256", "257-65536", "more", "NaN or inf"};
  return names;
}

nlohmann::json toJSON(const Row &row) { return row; }
nlohmann::json toJSON(const Cell &cell) { return cell; }
Row rowFromJSON(const nlohmann::json &json) { return json.get<Row>(); }
Cell cellFromJSON(const nlohmann::json &json) { return json.get<Cell>(); }

std::string positionText(const Comparison &comparison) {
  std::string text;
  int64_t rest = comparison.firstIndex;
  for (size_t i = comparison.shape.size(); i-- > 0;) {
    int64_t extent = std::max<int64_t>(comparison.shape[i], 1);
    text = std::to_string(i ? rest % extent : rest) +
           (text.empty() ? "" : ", ") + text;
    rest /= extent;
  }
  return "[" + text + "]";
}

/// "out[3, 1]: expected 1.5, got 1.25 (12 of 100 elements, up to 9 ulp)".
static std::string describe(const Comparison &comparison) {
  std::string text = comparison.array + positionText(comparison) +
                     ": expected " + comparison.firstExpected + ", got " +
                     comparison.firstGot + " (" +
                     std::to_string(comparison.outside) + " of " +
                     std::to_string(comparison.elements) + " elements";
  if (comparison.largestUlp > 0) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, ", up to %.6g ulp",
                  comparison.largestUlp);
    text += buffer;
  }
  if (int64_t nans = comparison.nanOnlyHere + comparison.nanOnlyExpected)
    text += ", NaN on one side in " + std::to_string(nans);
  text += ")";
  if (comparison.against != "reference")
    text += " against " + comparison.against;
  return text;
}

std::string summary(const Cell &cell) {
  if (cell.status == Status::Pass)
    return "pass";
  std::string text = cell.code.empty() ? "" : cell.code + ": ";
  if (!cell.reason.empty())
    return text + cell.reason;
  for (const StrayWrite &stray : cell.strays)
    return "wrote " + std::to_string(stray.bytes) + " bytes " + stray.place +
           " '" + stray.array + "', the first at " +
           std::to_string(stray.first);
  for (const Comparison &comparison : cell.comparisons)
    if (!comparison.isEqual)
      return describe(comparison);
  return statusName(cell.status);
}

} // namespace tilewright::tool::verify
