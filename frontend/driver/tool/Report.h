//===- Report.h - Printing of results and diagnostics -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and JSON forms of what the compiler reports, for standard error.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_REPORT_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_REPORT_H

#include "frontend/driver/tool/Failure.h"

#include "tilewright/compiler.h"

#include <string>
#include <vector>

namespace tilewright::tool {

void printDiagnosticsJSON(const tw_compile_result &result);
void printRemarks(const tw_compile_result &result, bool json,
                  const std::string &prefix);
void printTimings(const tw_compile_result &result, bool json);
/// One unlocated error of the command itself.
void printFailure(const Failure &failure, bool json);

/// A sink for calls outside a compile; prints with source lines on finish().
class Reporter {
public:
  Reporter(std::string file, const std::string &source, bool json);
  const tw_sink *sink() const { return &table; }
  void finish();

private:
  std::string file;
  const std::string &source;
  bool json;
  tw_sink table = {};
  std::string rendered;
  std::vector<std::string> objects;
};

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_REPORT_H
