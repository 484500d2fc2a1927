//===- Token.h - Tokens of kernel source ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token kinds and the token record that the lexer hands to the parser.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_TOKEN_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_TOKEN_H

#include "frontend/syntax/Diagnostic.h"

namespace tilewright::syntax {

enum class TokenKind : uint8_t {
#define TW_TOKEN(name, spelling) name,
#include "frontend/syntax/lex/Tokens.def"
};

/// The spelling of an operator or keyword, a description of other kinds.
std::string_view spelling(TokenKind kind);

/// `Error` stands for text that the lexer has already complained about.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  uint32_t begin = 0;
  uint32_t end = 0;
  SourceRange range;

  bool is(TokenKind other) const { return kind == other; }
};

inline bool isKeyword(TokenKind kind) {
  return kind >= TokenKind::KwFalse && kind <= TokenKind::KwYield;
}
inline bool isLayout(TokenKind kind) { return kind <= TokenKind::Dedent; }

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_TOKEN_H
