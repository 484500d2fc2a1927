//===- Lexer.cpp - Text to tokens -------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points, names and operators; LexLayout.cpp has indentation and line
// joining, LexLiteral.cpp numbers and strings.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/LexerImpl.h"
#include "frontend/syntax/lex/Unicode.h"

using namespace tilewright;
using namespace tilewright::syntax;

std::string_view syntax::spelling(TokenKind kind) {
  static constexpr std::string_view table[] = {
#define TW_TOKEN(name, spelling) spelling,
#include "frontend/syntax/lex/Tokens.def"
  };
  return table[static_cast<size_t>(kind)];
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Lexer::Lexer(std::string_view text, uint32_t begin, uint32_t end, uint32_t line,
             uint32_t column, Reporter &reporter)
    : text(text), reporter(reporter), cur(begin), limit(end), line(line),
      lineStart(begin - column) {}

LexedFile syntax::lexFile(std::string_view text, Reporter &reporter) {
  Lexer lexer(text, 0, static_cast<uint32_t>(text.size()), 1, 0, reporter);
  lexer.file.tokens.reserve(text.size() / 4 + 16);
  lexer.file.lineStarts.push_back(0);
  lexer.lexModule();
  return std::move(lexer.file);
}

std::vector<Token> syntax::lexExpression(std::string_view text, uint32_t begin,
                                         uint32_t end, uint32_t line,
                                         uint32_t column, Reporter &reporter) {
  Lexer lexer(text, begin, end, line, column, reporter);
  lexer.isExpression = true;
  lexer.lexTokens();
  lexer.emit(TokenKind::EndOfFile, end);
  return std::move(lexer.file.tokens);
}

void Lexer::lexModule() {
  indents.emplace_back();
  for (;;) {
    lexTokens();
    if (brackets.empty() || reporter.stopped())
      break;
    recoverFromOpenBracket();
  }
  if (!file.tokens.empty() && !isLayout(file.tokens.back().kind))
    emit(TokenKind::Newline, cur);
  popIndents(0);
  emit(TokenKind::EndOfFile, cur);
}

void Lexer::lexTokens() {
  while (cur < limit && !reporter.stopped()) {
    if (atLineStart && !isExpression) {
      lexIndentation();
      continue;
    }
    lexToken();
    if (mustRecover)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Tokens and errors
//===----------------------------------------------------------------------===//

void Lexer::emit(TokenKind kind, uint32_t begin) {
  uint32_t column = begin - lineStart;
  file.tokens.push_back(
      {kind, begin, cur, {line, column, line, cur - lineStart}});
}

SourceRange Lexer::rangeFrom(uint32_t begin) const {
  return {line, begin - lineStart, line, cur - lineStart};
}

void Lexer::error(Code code, SourceRange range, uint32_t offset,
                  std::string message, std::string hint,
                  std::vector<Note> notes) {
  if (offset < reportFrom)
    return;
  reportFrom = offset + 1;
  reporter.error(code, range, std::move(message), std::move(hint),
                 std::move(notes));
}

void Lexer::startLine() {
  ++line;
  lineStart = cur;
  if (!isExpression && cur > file.lineStarts.back())
    file.lineStarts.push_back(cur);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static TokenKind keywordOf(std::string_view word) {
  struct Entry {
    std::string_view word;
    TokenKind kind;
  };
  static constexpr Entry table[] = {
#define TW_TOKEN(name, spelling)
#define TW_KEYWORD(name, spelling) {spelling, TokenKind::Kw##name},
#include "frontend/syntax/lex/Tokens.def"
  };
  for (const Entry &entry : table)
    if (entry.word[0] == word[0] && entry.word == word)
      return entry.kind;
  return TokenKind::Name;
}

/// A text that people take for another character, and what to write instead.
static std::string characterHint(uint32_t c) {
  switch (c) {
  case '$':
  case '?':
  case '`':
    return "remove it; Python gives this character no meaning";
  case '!':
    return "write 'not x' for negation and 'x != y' for inequality";
  case 0x2018:
  case 0x2019:
  case 0x201C:
  case 0x201D:
    return "use straight quotes, ' or \"";
  case 0x00A0:
  case 0x3000:
    return "use an ordinary space";
  case 0xFEFF:
  case 0x200B:
    return "remove this invisible character";
  case 0x2013:
  case 0x2014:
  case 0x2212:
    return "use the minus sign '-'";
  case 0x00D7:
    return "use '*'";
  case 0x2264:
    return "use '<='";
  case 0x2265:
    return "use '>='";
  case 0x2260:
    return "use '!='";
  default:
    if (c >= 0xFF01 && c <= 0xFF5E)
      return std::string("use the ASCII character '") + char(c - 0xFEE0) + "'";
    return "remove the character or put it in a string";
  }
}

static std::string codePointName(uint32_t c) {
  const char *digits = "0123456789ABCDEF";
  std::string hex;
  for (; c || hex.size() < 4; c >>= 4)
    hex.insert(hex.begin(), digits[c & 15]);
  return "U+" + hex;
}

/// Reports the character at `begin`, which may take several bytes, and skips
/// it together with equals that follow.
void Lexer::lexInvalidCharacter(uint32_t begin) {
  size_t offset = begin;
  uint32_t c = nextCodePoint(text.substr(0, limit), offset);
  cur = static_cast<uint32_t>(offset);
  std::string message = "invalid ";
  if (isPrintable(c)) {
    message += "character '";
    appendUTF8(message, c);
    message += "'";
    if (c >= 0x80)
      message += " (" + codePointName(c) + ")";
  } else {
    message += "non-printable character " + codePointName(c);
  }
  if (line != invalidLine)
    error(InvalidCharacter, rangeFrom(begin), begin, std::move(message),
          characterHint(c));
  invalidLine = line;
  while (cur < limit) {
    offset = cur;
    if (nextCodePoint(text.substr(0, limit), offset) != c)
      break;
    cur = static_cast<uint32_t>(offset);
  }
  emit(TokenKind::Error, begin);
}

/// Checks the characters of a name that has some outside ASCII.
bool Lexer::checkUnicodeName(uint32_t begin) {
  std::string_view name = text.substr(begin, cur - begin);
  for (size_t offset = 0; offset < name.size();) {
    size_t at = offset;
    uint32_t c = nextCodePoint(name, offset);
    bool isFine =
        at == 0 ? c == '_' || isIdentifierStart(c) : isIdentifierContinue(c);
    if (isFine)
      continue;
    uint32_t resume = begin + static_cast<uint32_t>(at);
    if (at != 0) {
      cur = resume;
      emit(TokenKind::Name, begin);
    }
    lexInvalidCharacter(resume);
    return false;
  }
  return true;
}

/// Keywords that begin a statement and cannot stand inside brackets: one at
/// the start of a line tells that a bracket was not closed.
static bool beginsStatementOnly(TokenKind kind) {
  switch (kind) {
  case TokenKind::KwAssert:
  case TokenKind::KwBreak:
  case TokenKind::KwClass:
  case TokenKind::KwContinue:
  case TokenKind::KwDef:
  case TokenKind::KwDel:
  case TokenKind::KwElif:
  case TokenKind::KwExcept:
  case TokenKind::KwFinally:
  case TokenKind::KwGlobal:
  case TokenKind::KwImport:
  case TokenKind::KwNonlocal:
  case TokenKind::KwPass:
  case TokenKind::KwRaise:
  case TokenKind::KwReturn:
  case TokenKind::KwTry:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

void Lexer::lexName() {
  uint32_t begin = cur;
  bool isASCII = true;
  while (cur < limit && isNameByte(text[cur]))
    isASCII &= !(text[cur++] & 0x80);
  if (!isASCII) {
    if (checkUnicodeName(begin))
      emit(TokenKind::Name, begin);
    return;
  }
  std::string_view word = text.substr(begin, cur - begin);
  TokenKind kind =
      word.size() >= 2 && word.size() <= 8 ? keywordOf(word) : TokenKind::Name;
  emit(kind, begin);
  bool isFirst = file.tokens.size() < 2 ||
                 file.tokens[file.tokens.size() - 2].range.endLine != line;
  if (isKeyword(kind) && isFirst && !brackets.empty() && !isExpression &&
      beginsStatementOnly(kind))
    mustRecover = true;
}

//===----------------------------------------------------------------------===//
// Operators and the main switch
//===----------------------------------------------------------------------===//

char Lexer::closerOf(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

void Lexer::openBracket(TokenKind kind) {
  uint32_t begin = cur;
  char character = text[cur++];
  if (brackets.size() >= Limits::Brackets) {
    error(NestedTooDeeply, rangeFrom(begin), begin,
          "expected at most 200 nested brackets, got more",
          "move inner parts into variables");
    reporter.stop();
    return;
  }
  brackets.push_back({character, begin, rangeFrom(begin)});
  emit(kind, begin);
}

void Lexer::closeBracket(TokenKind kind) {
  uint32_t begin = cur;
  char character = text[cur++];
  size_t depth = brackets.size();
  while (depth && closerOf(brackets[depth - 1].character) != character)
    --depth;
  if (depth == brackets.size() && depth) {
    brackets.pop_back();
    emit(kind, begin);
    return;
  }
  std::string name = std::string("'") + character + "'";
  if (brackets.empty()) {
    error(UnmatchedBracket, rangeFrom(begin), begin, "unmatched " + name,
          "remove it or add the opening bracket");
  } else {
    const Bracket &open = brackets.back();
    error(UnmatchedBracket, rangeFrom(begin), begin,
          std::string("expected '") + closerOf(open.character) + "', got " +
              name,
          "close the brackets in the reverse order of opening",
          {{open.range,
            std::string("'") + open.character + "' opened here",
            {}}});
    file.unclosed.push_back({open.offset, begin});
    brackets.resize(depth ? depth - 1 : brackets.size());
  }
  emit(TokenKind::Error, begin);
}

void Lexer::lexOperator(unsigned size, TokenKind kind) {
  uint32_t begin = cur;
  cur += size;
  emit(kind, begin);
}

/// Operators of the form `x` and `x=`.
void Lexer::lexWithEqual(TokenKind plain, TokenKind withEqual) {
  if (peek(1) == '=')
    lexOperator(2, withEqual);
  else
    lexOperator(1, plain);
}

/// Operators of the forms `x`, `x=`, `xx` and `xx=`.
void Lexer::lexDoubling(TokenKind plain, TokenKind withEqual, TokenKind doubled,
                        TokenKind doubledWithEqual) {
  if (peek(1) != text[cur])
    lexWithEqual(plain, withEqual);
  else if (peek(2) == '=')
    lexOperator(3, doubledWithEqual);
  else
    lexOperator(2, doubled);
}

void Lexer::lexToken() {
  using K = TokenKind;
  char c = text[cur];
  switch (c) {
  case ' ':
  case '\t':
  case '\f':
    ++cur;
    return;
  case '\n':
    return lexNewline();
  case '#':
    return skipComment();
  case '\\':
    joinLines();
    return;
  case '\'':
  case '"':
    return lexString(cur);
  case '(':
    return openBracket(K::LeftParen);
  case '[':
    return openBracket(K::LeftBracket);
  case '{':
    return openBracket(K::LeftBrace);
  case ')':
    return closeBracket(K::RightParen);
  case ']':
    return closeBracket(K::RightBracket);
  case '}':
    return closeBracket(K::RightBrace);
  case ',':
    return lexOperator(1, K::Comma);
  case ';':
    return lexOperator(1, K::Semicolon);
  case '~':
    return lexOperator(1, K::Tilde);
  default:
    break;
  }
  if (c >= '0' && c <= '9')
    return lexNumber();
  if (isNameByte(c))
    return isStringPrefix() ? lexString(cur) : lexName();
  lexCompoundOperator(c);
}

void Lexer::lexCompoundOperator(char c) {
  using K = TokenKind;
  switch (c) {
  case '.':
    if (peek(1) >= '0' && peek(1) <= '9')
      return lexNumber();
    if (peek(1) == '.' && peek(2) == '.')
      return lexOperator(3, K::Ellipsis);
    return lexOperator(1, K::Dot);
  case ':':
    return lexWithEqual(K::Colon, K::ColonEqual);
  case '=':
    return lexWithEqual(K::Equal, K::EqualEqual);
  case '+':
    return lexWithEqual(K::Plus, K::PlusEqual);
  case '-':
    if (peek(1) == '>')
      return lexOperator(2, K::Arrow);
    return lexWithEqual(K::Minus, K::MinusEqual);
  case '*':
    return lexDoubling(K::Star, K::StarEqual, K::StarStar, K::StarStarEqual);
  case '/':
    return lexDoubling(K::Slash, K::SlashEqual, K::SlashSlash,
                       K::SlashSlashEqual);
  case '<':
    return lexDoubling(K::Less, K::LessEqual, K::LessLess, K::LessLessEqual);
  case '>':
    return lexDoubling(K::Greater, K::GreaterEqual, K::GreaterGreater,
                       K::GreaterGreaterEqual);
  case '%':
    return lexWithEqual(K::Percent, K::PercentEqual);
  case '@':
    return lexWithEqual(K::At, K::AtEqual);
  case '&':
    return lexWithEqual(K::Ampersand, K::AmpersandEqual);
  case '|':
    return lexWithEqual(K::Pipe, K::PipeEqual);
  case '^':
    return lexWithEqual(K::Caret, K::CaretEqual);
  case '!':
    if (peek(1) == '=')
      return lexOperator(2, K::NotEqual);
    break;
  default:
    break;
  }
  lexInvalidCharacter(cur);
}
