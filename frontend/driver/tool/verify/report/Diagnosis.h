//===- Diagnosis.h - What a difference looks like ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the usual causes whose pattern a failed cell shows. They are guesses
// that say where to look first, and the report calls them likely.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_DIAGNOSIS_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_DIAGNOSIS_H

#include "frontend/driver/tool/verify/Verdict.h"

namespace tilewright::tool::verify {

/// The likely causes, the surest first; empty for cells that did not fail by a
/// difference.
std::vector<std::string> likelyCauses(const Row &row, const Cell &cell);

} // namespace tilewright::tool::verify

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_VERIFY_REPORT_DIAGNOSIS_H
