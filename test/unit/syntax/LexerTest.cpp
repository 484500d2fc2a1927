//===- LexerTest.cpp - Tests of tokens and layout ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token sequences and their ranges, indentation, line joining, hints.
//===----------------------------------------------------------------------===//

#include "frontend/syntax/lex/Lexer.h"
#include "SyntaxTest.h"

using namespace tilewright;
using namespace tilewright::syntax;

/// Spellings of the tokens; layout tokens as NL, >, < and EOF.
static std::string tokensOf(std::string_view text) {
  DiagnosticSink sink;
  Reporter reporter(sink, "test.py");
  std::string out;
  for (const Token &token : lexFile(text, reporter).tokens) {
    out += out.empty() ? "" : " ";
    switch (token.kind) {
    case TokenKind::Newline:
      out += "NL";
      break;
    case TokenKind::Indent:
      out += ">";
      break;
    case TokenKind::Dedent:
      out += "<";
      break;
    case TokenKind::EndOfFile:
      out += "EOF";
      break;
    case TokenKind::Error:
      out += "ERROR";
      break;
    default:
      out += text.substr(token.begin, token.end - token.begin);
    }
  }
  return out;
}

TEST(Lexer, TakesTheLongestOperator) {
  EXPECT_EQ(tokensOf("a**=b//c>>=d!=e->f:=g...h<<i@=j"),
            "a **= b // c >>= d != e -> f := g ... h << i @= j NL EOF");
  EXPECT_EQ(tokensOf("a. . b..c"), "a . . b . . c NL EOF");
}

TEST(Lexer, MakesIndentsAndDedents) {
  EXPECT_EQ(tokensOf("if a:\n  if b:\n    c\nd\n"),
            "if a : NL > if b : NL > c NL < < d NL EOF");
  EXPECT_EQ(tokensOf("if a:\n  b"), "if a : NL > b NL < EOF");
}

TEST(Lexer, SkipsBlankAndCommentLines) {
  EXPECT_EQ(tokensOf("\n\n  # deep\na\n      \n\t# x\nb # y"), "a NL b NL EOF");
  EXPECT_EQ(tokensOf("# only a comment"), "EOF");
  EXPECT_EQ(tokensOf(""), "EOF");
}

TEST(Lexer, JoinsLines) {
  EXPECT_EQ(tokensOf("(a,\n  b\n)\nc"), "( a , b ) NL c NL EOF");
  EXPECT_EQ(tokensOf("a = \\\n  b\n"), "a = b NL EOF");
  EXPECT_EQ(tokensOf("if a:\n  \\\n b\n"), "if a : NL > b NL < EOF");
}

TEST(Lexer, FormFeedResetsTheColumn) {
  EXPECT_EQ(tokensOf("a\n  \fb\n"), "a NL b NL EOF");
}

TEST(Lexer, CountsTabsAsEightColumns) {
  EXPECT_EQ(tokensOf("if a:\n\tb\n\tc\n"), "if a : NL > b NL c NL < EOF");
  EXPECT_EQ(errorsOf("if a:\n\tb\n        c\n"), "TW1010@3:0");
}

TEST(Lexer, KnowsStringPrefixes) {
  EXPECT_EQ(tokensOf("b'' rb'' Rb'' u'' f'' fR'' '''a\n'b''' bu''"),
            "b'' rb'' Rb'' u'' f'' fR'' '''a\n'b''' bu '' NL EOF");
}

TEST(Lexer, EndsNumbersBeforeOperatorWords) {
  EXPECT_EQ(tokensOf("1if 2else 3"), "1 if 2 else 3 NL EOF");
  EXPECT_EQ(tokensOf("1_000.5e-3j .5 5. 0xFFor 1"),
            "1_000.5e-3j .5 5. 0xFF or 1 NL EOF");
  EXPECT_EQ(tokensOf("1.real"), "ERROR NL EOF");
}

TEST(Lexer, CountsColumnsInBytes) {
  DiagnosticSink sink;
  Reporter reporter(sink, "test.py");
  std::vector<Token> tokens = lexFile("ä = 'ö'\nb", reporter).tokens;
  EXPECT_EQ(tokens[1].range, (SourceRange{1, 3, 1, 4}));
  EXPECT_EQ(tokens[2].range, (SourceRange{1, 5, 1, 9}));
  EXPECT_EQ(tokens[4].range, (SourceRange{2, 0, 2, 1}));
}

TEST(Lexer, GivesStringsTheirLastLine) {
  DiagnosticSink sink;
  Reporter reporter(sink, "test.py");
  std::vector<Token> tokens = lexFile("x = '''a\nbc''' + y", reporter).tokens;
  EXPECT_EQ(tokens[2].range, (SourceRange{1, 4, 2, 5}));
  EXPECT_EQ(tokens[3].range, (SourceRange{2, 6, 2, 7}));
}

TEST(Lexer, KeepsHints) {
  Parsed parsed("x = 1  #@hint: dot_pad\n# @hint: not one\ny = '#@hint: no'\n"
                "  #@hint: own line\n");
  ASSERT_EQ(parsed.module->hints.size(), 2u);
  EXPECT_EQ(parsed.module->hints[0].text, "#@hint: dot_pad");
  EXPECT_EQ(parsed.module->hints[0].range, (SourceRange{1, 7, 1, 22}));
  EXPECT_EQ(parsed.module->hints[1].text, "#@hint: own line");
  EXPECT_EQ(parsed.module->hints[1].range.line, 4u);
}
