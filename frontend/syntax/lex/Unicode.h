//===- Unicode.h - Code point properties ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UTF-8 coding and the Unicode 14 properties (that of Python 3.11) that
// identifiers, repr() and \N{...} escapes need.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_UNICODE_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_UNICODE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::syntax {

/// Appends a code point, surrogates included.
void appendUTF8(std::string &out, uint32_t codePoint);

/// Decodes the code point at `offset` and moves past it; the text must be
/// valid (surrogates are accepted).
uint32_t nextCodePoint(std::string_view text, size_t &offset);

/// Offset of the first byte at or after `from` that breaks UTF-8, else size.
size_t findInvalidUTF8(std::string_view text, size_t from);

bool isIdentifierStart(uint32_t codePoint);
bool isIdentifierContinue(uint32_t codePoint);
/// What str.isprintable says of one character.
bool isPrintable(uint32_t codePoint);

/// The NFKC form of an identifier, as Python compares names.
std::string normalizeIdentifier(std::string_view identifier);

/// The character that `\N{name}` denotes.
std::optional<uint32_t> characterNamed(std::string_view name);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_UNICODE_H
