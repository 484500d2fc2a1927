//===- Options.h - Values of compile options ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all compilers say of options: values of the wrong kind or out of range,
// and names that nobody knows.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_COMMON_REQUEST_OPTIONS_H
#define TILEWRIGHT_BACKENDS_COMMON_REQUEST_OPTIONS_H

#include "backends/common/Report.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilewright::backend {

inline constexpr uint32_t kBadOption = 4106, kUnknownOption = 4107;

/// Refuses a value; returns false.
bool refuseValue(Problem &problem, const llvm::Twine &message,
                 llvm::StringRef hint = {});

/// Reads an integer from `min` to `max`; false with a problem.
bool readInteger(const tw_option &option, int64_t min, int64_t max,
                 int64_t &value, Problem &problem);

/// Reads "accurate", "portable" or "fast"; false with a problem.
bool readMath(const tw_option &option, std::string &math, Problem &problem);

/// True for an unknown option that is another target's; false, with a problem
/// that lists the `known` ones, where it must be understood.
bool mayIgnore(const tw_option &option, llvm::StringRef vendor,
               llvm::ArrayRef<llvm::StringRef> known, Problem &problem);

} // namespace tilewright::backend

#endif // TILEWRIGHT_BACKENDS_COMMON_REQUEST_OPTIONS_H
