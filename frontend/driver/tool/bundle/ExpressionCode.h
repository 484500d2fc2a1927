//===- ExpressionCode.h - Expressions as code for a launcher ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates a Python expression over run-time arguments and constants into the
// postfix code of tilewright/record.h, which needs no parser to be evaluated.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_EXPRESSIONCODE_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_EXPRESSIONCODE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::tool {

using ExpressionCode = std::vector<uint8_t>;

/// One code for an int, one an entry for a tuple. Names are integer constants
/// or arguments, which are known by their position. Throws Failure.
std::vector<ExpressionCode>
compileExpressions(const std::string &text,
                   const std::map<std::string, int64_t> &constants,
                   const std::vector<std::string> &arguments);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_BUNDLE_EXPRESSIONCODE_H
