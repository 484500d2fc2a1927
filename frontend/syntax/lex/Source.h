//===- Source.h - Decoding of source text -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the bytes of a file into the text that all positions refer to: UTF-8
// without byte order mark, lines ended by '\n'.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_SOURCE_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_SOURCE_H

#include "frontend/syntax/lex/Reporter.h"

namespace tilewright::syntax {

/// Honours the byte order mark and the encoding declaration (UTF-8, Latin-1
/// and ASCII), checks the encoding and the absence of null bytes, and unifies
/// line ends. Returns nullopt after reporting an error; `lossy` then holds
/// what can be shown of the text.
std::optional<std::string> decodeSource(std::string_view bytes,
                                        Reporter &reporter, std::string &lossy);

/// The codec named by an encoding declaration in the first two lines, or "".
std::string_view declaredEncoding(std::string_view bytes);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_SOURCE_H
