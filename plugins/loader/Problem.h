//===- Problem.h - A coded reason for a refusal -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong, in the form that users see: a code of codes.def, a message
// and a next step. Functions of loader, artifact and runtime fill one.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_PLUGINS_LOADER_PROBLEM_H
#define TILEWRIGHT_PLUGINS_LOADER_PROBLEM_H

#include "tilewright/base.h"

#include <string>
#include <string_view>
#include <utility>

namespace tilewright {

struct Problem {
  int32_t status = TW_OK; // TW_E_*
  uint32_t code = 0;      // the number of `TWnnnn`
  std::string message;
  std::string hint;

  explicit operator bool() const { return status != TW_OK; }

  /// Fills the problem and returns false, for `return problem.set(...)`.
  bool set(int32_t newStatus, uint32_t newCode, std::string text,
           std::string nextStep = {}) {
    status = newStatus;
    code = newCode;
    message = std::move(text);
    hint = std::move(nextStep);
    return false;
  }

  /// "TW5003: message (hint)" for reports and exceptions.
  std::string str() const {
    std::string text = "TW" + std::to_string(code) + ": " + message;
    return hint.empty() ? text : text + " (" + hint + ")";
  }
};

inline std::string toString(tw_str text) {
  return text.data ? std::string(text.data, text.size) : std::string();
}

/// Borrowed view of C++ text for the C interfaces.
inline tw_str toStr(std::string_view text) {
  return {text.data(), static_cast<uint64_t>(text.size())};
}

/// A writer that appends to `text`, which must outlive the call.
inline tw_writer writerTo(std::string &text) {
  return {&text, [](void *ctx, const char *data, uint64_t size) {
            if (data) // a plugin may give none
              static_cast<std::string *>(ctx)->append(data, size);
          }};
}

} // namespace tilewright

#endif // TILEWRIGHT_PLUGINS_LOADER_PROBLEM_H
