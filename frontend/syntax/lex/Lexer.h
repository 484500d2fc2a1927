//===- Lexer.h - Text to tokens ---------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits decoded source into tokens, with indentation and line joining. All
// tokens are made in one go, so that the parser can look ahead freely.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXER_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXER_H

#include "frontend/syntax/lex/Reporter.h"
#include "frontend/syntax/lex/Token.h"

namespace tilewright::syntax {

struct LexedFile {
  std::vector<Token> tokens;
  std::vector<uint32_t> lineStarts;
  std::vector<ast::Comment> hints;
  /// Offsets from each unclosed bracket to where lexing went on after it;
  /// errors of the parser in between would only repeat the lexer's.
  std::vector<std::pair<uint32_t, uint32_t>> unclosed;
};

/// Splits a whole file; the last token is EndOfFile.
LexedFile lexFile(std::string_view text, Reporter &reporter);

/// Splits text[begin, end), an expression inside an f-string that starts at
/// the given line and column; line breaks are white space.
std::vector<Token> lexExpression(std::string_view text, uint32_t begin,
                                 uint32_t end, uint32_t line, uint32_t column,
                                 Reporter &reporter);

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXER_H
