//===- StringLiteral.h - Contents of string tokens --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits string tokens into prefix and body and decodes escapes.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_STRINGLITERAL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_STRINGLITERAL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::syntax {

/// A string token taken apart; offsets count from the start of the token.
struct StringParts {
  bool isBytes = false;
  bool isRaw = false;
  bool isFormatted = false;
  /// The prefix is exactly "u", which CPython records as kind='u'.
  bool isUnicode = false;
  uint32_t bodyBegin = 0;
  uint32_t bodyEnd = 0;
};
StringParts splitString(std::string_view token);

/// What is wrong with an escape, and where it stands in the decoded text.
struct EscapeError {
  size_t offset = 0;
  size_t length = 0;
  std::string message;
  std::string hint;
};

/// Appends `body` to `out` with escapes replaced. Unknown escapes stay as they
/// are, as in Python.
std::optional<EscapeError> decodeEscapes(std::string_view body, bool isBytes,
                                         std::string &out);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_STRINGLITERAL_H
