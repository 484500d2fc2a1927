//===- LexLayout.cpp - Lines, indentation and recovery ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments, line joining and indentation, and where lexing goes on after a
// bracket that was never closed.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/LexerImpl.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::syntax;

//===----------------------------------------------------------------------===//
// Comments, line joining, indentation
//===----------------------------------------------------------------------===//

void Lexer::skipComment() {
  uint32_t begin = cur;
  const void *found = std::memchr(text.data() + cur, '\n', limit - cur);
  cur = found ? static_cast<uint32_t>(static_cast<const char *>(found) -
                                      text.data())
              : limit;
  std::string_view comment = text.substr(begin, cur - begin);
  constexpr std::string_view prefix = "#@hint:";
  if (comment.substr(0, prefix.size()) != prefix || isExpression)
    return;
  SourceRange range = rangeFrom(begin);
  if (file.hints.empty() || file.hints.back().range.line < range.line)
    file.hints.push_back({range, comment});
}

/// Moves past a backslash; false after reporting that no line follows it.
bool Lexer::joinLines() {
  uint32_t begin = cur++;
  if (peek() != '\n') {
    error(BadContinuation, rangeFrom(begin), begin,
          "expected end of line after '\\', got other text",
          "remove what follows the backslash, or the backslash");
    emit(TokenKind::Error, begin);
    while (cur < limit && peek() != '\n')
      ++cur;
    return false;
  }
  SourceRange range = rangeFrom(begin);
  ++cur;
  startLine();
  if (cur < limit)
    return true;
  error(BadContinuation, range, begin,
        "expected a line after '\\', got end of file", "remove the backslash");
  emit(TokenKind::Error, cur);
  return false;
}

/// Measures the white space at the start of a line; a blank line makes no
/// tokens. Tabs count to multiples of 8, and as 1 to see that both ways of
/// counting agree.
void Lexer::lexIndentation() {
  Indentation here;
  std::optional<Indentation> continued;
  for (;; ++cur) {
    char c = peek();
    if (c == ' ') {
      ++here.column;
      ++here.alternative;
    } else if (c == '\t') {
      here.column = (here.column / 8 + 1) * 8;
      ++here.alternative;
    } else if (c == '\f') {
      here = {};
    } else if (c == '\\') {
      if (!continued && here.column)
        continued = here;
      if (!joinLines()) {
        emit(TokenKind::Newline, cur);
        break;
      }
      --cur;
    } else {
      break;
    }
  }
  if (peek() == '#')
    skipComment();
  if (cur >= limit)
    return;
  if (peek() == '\n') {
    ++cur;
    startLine();
    return;
  }
  atLineStart = false;
  changeIndentation(continued ? *continued : here);
}

/// The column at which the next line with code starts, or ~0 at the end.
uint32_t Lexer::nextLineColumn() const {
  for (size_t at = text.find('\n', cur); at != std::string_view::npos;
       at = text.find('\n', at)) {
    uint32_t column = 0;
    for (++at; at < text.size() && (text[at] == ' ' || text[at] == '\t'); ++at)
      column = text[at] == ' ' ? column + 1 : (column / 8 + 1) * 8;
    if (at < text.size() && text[at] != '#' && text[at] != '\n')
      return column;
  }
  return ~0u;
}

const Lexer::Indentation *Lexer::findIndent(uint32_t column) const {
  for (const Indentation &level : indents)
    if (level.column == column)
      return &level;
  return nullptr;
}

/// Ends the blocks that are indented deeper than `column`. Returns whether one
/// of them had no header, which the parser has complained about.
bool Lexer::popIndents(uint32_t column) {
  bool hadStray = false;
  for (; column < indents.back().column; indents.pop_back()) {
    hadStray |= indents.back().isStray;
    if (!indents.back().isVirtual)
      emit(TokenKind::Dedent, cur);
  }
  return hadStray;
}

/// The block that a line in a wrong column was meant for: that of the next
/// line, or for a header the one around the next line. Nullptr when unknown.
const Lexer::Indentation *Lexer::guessIndent() const {
  if (indents.back().isStray)
    return nullptr;
  uint32_t next = nextLineColumn();
  size_t end = std::min(text.find('\n', cur), text.size());
  bool isHeader = text[text.find_last_not_of(" \t", end - 1)] == ':';
  if (!isHeader)
    return findIndent(next);
  for (size_t i = indents.size(); next != ~0u && i-- > 1;)
    if (indents[i].column < next)
      return &indents[i];
  return nullptr;
}

/// A line whose column is that of no block: it joins the block it was meant
/// for, if there is one; else its column becomes a second one for the block
/// around it, so that equal lines are not errors again.
void Lexer::recoverIndentation(Indentation here, SourceRange range) {
  const Indentation *meant = guessIndent();
  uint32_t column = meant ? meant->column : here.column;
  bool hadStray = popIndents(column);
  if (!hadStray)
    error(UnmatchedDedent, range, lineStart,
          "indentation matches no enclosing block",
          "indent the line by as many columns as the block it belongs to");
  if (column <= indents.back().column)
    return;
  here.isVirtual = true;
  here.isStray = hadStray;
  indents.push_back(here);
}

void Lexer::changeIndentation(Indentation here) {
  SourceRange range{line, 0, line, cur - lineStart};
  bool isConsistent = true;
  if (here.column > indents.back().column) {
    isConsistent = here.alternative > indents.back().alternative;
    if (indents.size() >= Limits::Indents) {
      error(NestedTooDeeply, range, lineStart,
            "expected at most 99 levels of indentation, got more",
            "move inner blocks into functions");
      reporter.stop();
      return;
    }
    const std::vector<Token> &tokens = file.tokens;
    here.isStray =
        tokens.size() < 2 || !tokens[tokens.size() - 2].is(TokenKind::Colon);
    indents.push_back(here);
    emit(TokenKind::Indent, lineStart);
  } else if (const Indentation *level = findIndent(here.column)) {
    isConsistent = here.alternative == level->alternative;
    popIndents(here.column);
  } else {
    recoverIndentation(here, range);
  }
  if (!isConsistent)
    error(InconsistentTabs, range, lineStart,
          "tabs and spaces are mixed inconsistently in indentation",
          "indent with spaces only");
}

void Lexer::lexNewline() {
  if (!brackets.empty() || isExpression) {
    ++cur;
    startLine();
    return;
  }
  uint32_t begin = cur++;
  emit(TokenKind::Newline, begin);
  startLine();
  atLineStart = true;
}

//===----------------------------------------------------------------------===//
// Recovery from open brackets
//===----------------------------------------------------------------------===//

/// White space in front of the first text of the line at `offset`, or ~0 when
/// the line is blank, a comment or starts with a closing bracket.
static uint32_t lineIndent(std::string_view text, uint32_t offset) {
  uint32_t p = offset;
  while (p < text.size() && (text[p] == ' ' || text[p] == '\t'))
    ++p;
  if (p >= text.size())
    return ~0u;
  constexpr std::string_view skipped = "\n#)]}\f\\";
  return skipped.find(text[p]) == std::string_view::npos ? p - offset : ~0u;
}

/// True when the statement that holds the token at `offset` has a block.
bool Lexer::isInBlockHeader(uint32_t offset) const {
  const std::vector<Token> &tokens = file.tokens;
  auto at = std::lower_bound(
      tokens.begin(), tokens.end(), offset,
      [](const Token &token, uint32_t begin) { return token.begin < begin; });
  while (at != tokens.begin() && !isLayout(std::prev(at)->kind))
    --at;
  switch (at->kind) {
  case TokenKind::KwAsync:
  case TokenKind::KwClass:
  case TokenKind::KwDef:
  case TokenKind::KwElif:
  case TokenKind::KwFor:
  case TokenKind::KwIf:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

/// The first line after that of `open` which the bracket surely does not
/// reach: one that is indented no deeper, or that follows the colon of a
/// header. Returns the number of lines seen so far when there is none.
size_t Lexer::firstLineAfter(const Bracket &open) const {
  const std::vector<uint32_t> &starts = file.lineStarts;
  size_t openLine = open.range.line - 1;
  uint32_t indent = lineIndent(text, starts[openLine]);
  bool isHeader = isInBlockHeader(open.offset);
  for (size_t next = openLine + 1; next < starts.size(); ++next) {
    if (starts[next] >= cur)
      break;
    size_t last = text.find_last_not_of(" \t\n", starts[next] - 1);
    if (isHeader && text[last] == ':')
      return next;
    uint32_t candidate = lineIndent(text, starts[next]);
    if (candidate != ~0u && candidate <= indent)
      return next;
  }
  return starts.size();
}

/// Called when a bracket is known to stay open: blames it, and goes on lexing
/// at a later line.
void Lexer::recoverFromOpenBracket() {
  Bracket open = brackets.front();
  bool isKeywordLine = mustRecover;
  mustRecover = false;
  reporter.error(UnclosedBracket, open.range,
                 std::string("'") + open.character + "' was never closed",
                 std::string("add the missing '") + closerOf(open.character) +
                     "'");
  brackets.clear();

  const std::vector<uint32_t> &starts = file.lineStarts;
  size_t next = firstLineAfter(open);
  if (next == starts.size() && isKeywordLine)
    next = line - 1;
  bool isEnd = next == starts.size();
  uint32_t resume = isEnd ? limit : starts[next];
  std::vector<Token> &tokens = file.tokens;
  while (!tokens.empty() && tokens.back().end > resume)
    tokens.pop_back();
  cur = resume;
  if (!isEnd) {
    line = static_cast<uint32_t>(next + 1);
    lineStart = resume;
  }
  file.unclosed.push_back({open.offset, resume});
  emit(TokenKind::Error, resume);
  emit(TokenKind::Newline, resume);
  atLineStart = true;
}
