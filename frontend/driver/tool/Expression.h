//===- Expression.h - Integer expressions of --grid -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates a Python expression over arguments and constexprs that gives an
// int or a tuple of ints, as in `--grid "(cdiv(M, BM) * cdiv(N, BN), H)"`.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_DRIVER_TOOL_EXPRESSION_H
#define TILEWRIGHT_FRONTEND_DRIVER_TOOL_EXPRESSION_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::tool {

/// The values of `text`: one for an int, one an entry for a tuple. Operators
/// are Python's (floor division); min, max, cdiv and next_power_of_2 are known,
/// also as `triton.cdiv` and the like. Throws Failure.
std::vector<int64_t>
evaluateIntegers(const std::string &text,
                 const std::map<std::string, int64_t> &names);

} // namespace tilewright::tool

#endif // TILEWRIGHT_FRONTEND_DRIVER_TOOL_EXPRESSION_H
