//===- LexerImpl.h - State of the lexer -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind Lexer.h, shared by Lexer.cpp and LexLiteral.cpp.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXERIMPL_H
#define TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXERIMPL_H

#include "frontend/syntax/lex/Lexer.h"

namespace tilewright::syntax {

/// True for ASCII letters, digits, '_' and every byte above ASCII.
inline bool isNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9') || (c & 0x80);
}
inline bool isDecimalDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
  Lexer(std::string_view text, uint32_t begin, uint32_t end, uint32_t line,
        uint32_t column, Reporter &reporter);

  void lexModule();
  void lexTokens();
  void emit(TokenKind kind, uint32_t begin);

  LexedFile file;
  /// Inside an f-string: no layout, line breaks are white space.
  bool isExpression = false;

private:
  struct Indentation {
    uint32_t column = 0;
    uint32_t alternative = 0;
    /// Made by recovery, without an Indent token.
    bool isVirtual = false;
    /// Not below a header: the parser reports its first line.
    bool isStray = false;
  };
  struct Bracket {
    char character;
    uint32_t offset;
    SourceRange range;
  };

  char peek(uint32_t ahead = 0) const {
    return cur + ahead < limit ? text[cur + ahead] : '\0';
  }
  SourceRange rangeFrom(uint32_t begin) const;
  /// Reports unless the text at `offset` was lexed, and blamed, before.
  void error(Code code, SourceRange range, uint32_t offset, std::string message,
             std::string hint, std::vector<Note> notes = {});
  void startLine();

  void skipComment();
  bool joinLines();
  void lexIndentation();
  void changeIndentation(Indentation here);
  uint32_t nextLineColumn() const;
  const Indentation *findIndent(uint32_t column) const;
  const Indentation *guessIndent() const;
  bool popIndents(uint32_t column);
  void recoverIndentation(Indentation here, SourceRange range);
  void lexNewline();
  bool isInBlockHeader(uint32_t offset) const;
  size_t firstLineAfter(const Bracket &open) const;
  void recoverFromOpenBracket();

  void lexInvalidCharacter(uint32_t begin);
  bool checkUnicodeName(uint32_t begin);
  void lexName();

  static char closerOf(char open);
  void openBracket(TokenKind kind);
  void closeBracket(TokenKind kind);
  void lexOperator(unsigned size, TokenKind kind);
  void lexWithEqual(TokenKind plain, TokenKind withEqual);
  void lexDoubling(TokenKind plain, TokenKind withEqual, TokenKind doubled,
                   TokenKind doubledWithEqual);
  void lexToken();
  void lexCompoundOperator(char c);

  bool isStringPrefix() const;
  void lexString(uint32_t begin);
  void lexNumber();
  bool lexRadixDigits(unsigned radix);
  bool lexDigits();
  void lexDecimal(uint32_t begin);
  bool endsNumber();
  void invalidNumber(uint32_t begin, std::string message, std::string hint);

  std::string_view text;
  Reporter &reporter;
  uint32_t cur;
  uint32_t limit;
  uint32_t line;
  uint32_t lineStart;
  bool atLineStart = true;
  bool mustRecover = false;
  /// Lexer errors before this offset were reported already.
  uint32_t reportFrom = 0;
  /// Line of the last invalid character: one error a line is enough.
  uint32_t invalidLine = 0;
  std::vector<Indentation> indents;
  std::vector<Bracket> brackets;
};

} // namespace tilewright::syntax

#endif // TILEWRIGHT_FRONTEND_SYNTAX_LEX_LEXERIMPL_H
