//===- Lists.h - What a vendor says a plugin cannot do ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file libx.check.json beside libx.so: rules that are not supported and
// rules whose failure is expected, each with a reason. Format: docs/formats.md.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_CONFORMANCE_LISTS_H
#define TILEWRIGHT_PLUGINS_CONFORMANCE_LISTS_H

#include "plugins/conformance/Rules.h"
#include "plugins/loader/Problem.h"

#include <map>
#include <optional>

namespace tilewright::conformance {

struct Lists {
  std::map<unsigned, std::string> unsupported;     // rule -> reason
  std::map<unsigned, std::string> expectedFailure; // rule -> reason
  std::map<std::string, std::string> kernels; // not compiled, with the reason
  // Rows of a suite, by a part of their names or a refusal's code (Suite.h).
  std::map<std::string, std::string> unsupportedRows, expectedFailureRows;
};

/// Parses the text of such a file; anything that is not known is refused.
std::optional<Lists> parseLists(std::string_view text, Problem &problem);

/// Reads the file at `path`, or the one that belongs to `library` if the path
/// is empty; no file means empty lists.
std::optional<Lists> readLists(const std::string &path,
                               const std::string &library, Problem &problem);

/// How a rule ended, in the light of the lists.
enum class Result {
  Pass,
  Fail,
  Skip,
  Unsupported,
  ExpectedFailure,
  UnexpectedPass
};
struct Judged {
  Finding finding;
  Result result = Result::Skip;
  std::string reason; // of the list
};

/// An unexpected pass is a failure: the list is out of date.
Judged judge(const Finding &finding, const Lists &lists);
bool isFailure(Result result);
const char *resultName(Result result);

} // namespace tilewright::conformance

#endif // TILEWRIGHT_PLUGINS_CONFORMANCE_LISTS_H
