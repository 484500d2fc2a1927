//===- Predicate.h - Launch predicates of kernel variants -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles `tw.predicate`, a small expression over argument names such as
// "M % 128 == 0", into the postfix code of record.h.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_SDK_PREDICATE_H
#define TILEWRIGHT_SDK_PREDICATE_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::sdk {

/// Returns the code, or sets `error` to "expected X, got Y". Operators, weakest
/// first: or, and, not, comparison, |, ^, &, + -, * // %, unary minus; calls
/// are min, max, cdiv and num_programs(axis).
std::optional<std::string>
compilePredicate(std::string_view text,
                 const std::vector<std::string_view> &names,
                 std::string &error);

} // namespace tilewright::sdk

#endif // TILEWRIGHT_SDK_PREDICATE_H
