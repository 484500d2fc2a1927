//===- Verdict.h - What verify found, as plain data -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row is one kernel with its values in one mode, a cell one target of it. The
// same structures travel from workers, into journals and into reports.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_VERDICT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_VERDICT_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::tool::verify {

/// How one array of a target differs from what was expected.
struct Comparison {
  std::string array;   ///< the argument
  std::string against; ///< "reference", "file out.npy", "saved nvidia"
  std::string dtype;
  std::vector<int64_t> shape;
  std::string rule; ///< "bits" or the tolerance, for people
  bool isEqual = true;
  int64_t elements = 0;
  int64_t different = 0; ///< other bits, two NaNs being the same
  int64_t outside = 0;   ///< of those, what the rule does not allow
  /// The first element outside; -1: none.
  int64_t firstIndex = -1;
  std::string firstGot, firstExpected;
  /// Elements by distance in units in the last place, see ulpBuckets().
  std::vector<int64_t> histogram;
  double largestUlp = 0; ///< of pairs of finite numbers
  double largestError = 0;
  int64_t nanOnlyHere = 0, nanOnlyExpected = 0;
  int64_t infiniteOnlyHere = 0, infiniteOnlyExpected = 0;
  // Of those outside:
  int64_t flushedHere = 0; ///< zeros where the expected number is subnormal
  int64_t otherZero = 0;   ///< zeros of the other sign
  int64_t unwritten = 0;   ///< that still hold their initial value
  int64_t offByOne = 0;    ///< integers
  int64_t saturated = 0; ///< integers of which the end of the range is expected
};

/// A write where the kernel writes nothing on the reference.
struct StrayWrite {
  std::string array;
  std::string place; ///< "before the array", "behind the array", "an input"
  int64_t bytes = 0; ///< how many changed
  int64_t first = 0; ///< distance in bytes from the array's edge, or an index
};

/// Something about the source that another target may take differently.
struct Advice {
  std::string kind;   ///< "atomics", "shared-memory", "warp-size", ...
  std::string target; ///< empty: any
  std::string message;
  std::string file;
  uint32_t line = 0;
};

enum class Status {
  Pass,
  Fail,
  CannotRun,
  CannotCompile,
  NotJudged ///< there is nothing to compare with
};

struct Cell {
  std::string target;   ///< as asked for
  std::string resolved; ///< "cpu:znver4"
  std::string device;
  Status status = Status::NotJudged;
  std::string code; ///< "TW4150", of a refusal
  std::string reason, hint;
  double compileMilliseconds = 0, runMilliseconds = 0;
  std::vector<Comparison> comparisons;
  std::vector<StrayWrite> strays;
  /// What `--bisect` found: see Bisect.h.
  nlohmann::json bisected;
};

struct Row {
  std::string id;   ///< unique in a report: "add.n1000.fp32.portable"
  std::string name; ///< of the kernel in the suite
  std::string kernel, title, dtype, math, file, grid;
  std::vector<std::string> arguments, options;
  std::string inputs;                      ///< hash of all that goes in
  std::string error, errorCode, errorHint; ///< the row could not start
  std::vector<Cell> cells;
  std::vector<Advice> advice;
};

/// "pass", "fail", "cannot-run", "cannot-compile", "not-judged".
const char *statusName(Status status);
/// The names of a comparison's buckets: "0", "1", "2", "3-4", ..., "NaN".
const std::vector<std::string> &ulpBuckets();

nlohmann::json toJSON(const Row &row);
nlohmann::json toJSON(const Cell &cell);
/// Throws nlohmann::json::exception where a field is missing or of another
/// type.
Row rowFromJSON(const nlohmann::json &json);
Cell cellFromJSON(const nlohmann::json &json);

/// Where the first element outside is, by axes: "[3, 1]".
std::string positionText(const Comparison &comparison);
/// "pass", or what is wrong in one line.
std::string summary(const Cell &cell);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_VERDICT_H
