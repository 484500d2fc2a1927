//===- DiagnosticTest.cpp - Tests of rendering ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text with carets, JSON, order, and the table of codes.
//===----------------------------------------------------------------------===//

#include "SyntaxTest.h"
#include "frontend/syntax/lex/Codes.h"

#include <set>

using namespace tilewright;
using namespace tilewright::syntax;

static std::string textOf(std::string_view source) {
  return renderText(Parsed(source).sink);
}

TEST(Diagnostic, TextHasCaretHintAndNotes) {
  EXPECT_EQ(textOf("x = f(ab=1, ab=2)\n"),
            "test.py:1:13: error: TW1047: keyword argument 'ab' is repeated\n"
            "  x = f(ab=1, ab=2)\n"
            "              ^~~~\n"
            "  hint: remove one of the two\n"
            "test.py:1:7: note: the first is here\n"
            "  x = f(ab=1, ab=2)\n"
            "        ^~~~\n");
}

TEST(Diagnostic, CaretFollowsTabsAndCharacters) {
  EXPECT_EQ(textOf("if x:\n\tä = 1 = 'ö'; ß = 2 + = 3\n"),
            "test.py:2:7: error: TW1040: cannot assign to a literal\n"
            "  \tä = 1 = 'ö'; ß = 2 + = 3\n"
            "  \t    ^\n"
            "  hint: targets are names, attributes, subscripts, and tuples or "
            "lists of these; write '==' to compare\n");
}

TEST(Diagnostic, RangeOfSeveralLinesIsMarkedToTheEndOfTheFirst) {
  EXPECT_NE(textOf("f(a,\n b) = 1\n").find("call\n  f(a,\n  ^~~~\n  hint"),
            std::string::npos);
}

TEST(Diagnostic, EndOfFileShowsNoLine) {
  EXPECT_EQ(textOf("x = \\\n"),
            "test.py:1:5: error: TW1016: expected a line after '\\', got end "
            "of file\n"
            "  x = \\\n"
            "      ^\n"
            "  hint: remove the backslash\n");
}

TEST(Diagnostic, JSONIsEscaped) {
  EXPECT_EQ(
      renderJSON(Parsed("'a' = \"\\\"\t\"\n").sink),
      "[\n"
      "  {\"file\": \"test.py\", \"line\": 1, \"column\": 1, \"endLine\": "
      "1, \"endColumn\": 4, \"severity\": \"error\", \"code\": "
      "\"TW1040\", \"message\": \"cannot assign to a literal\", "
      "\"hint\": \"targets are names, attributes, subscripts, and tuples "
      "or lists of these; write '==' to compare\", \"notes\": []}\n"
      "]\n");
  DiagnosticSink sink;
  EXPECT_EQ(renderJSON(sink), "[]\n");
  Diagnostic warning;
  warning.severity = Severity::Warning;
  warning.message = "a\"b\\c\n\x01";
  warning.notes.push_back({{2, 0, 2, 1}, "here", "other.py"});
  sink.report(warning);
  EXPECT_EQ(renderJSON(sink),
            "[\n"
            "  {\"file\": \"\", \"severity\": \"warning\", \"code\": \"\", "
            "\"message\": \"a\\\"b\\\\c\\n\\u0001\", \"hint\": \"\", "
            "\"notes\": [{\"file\": \"other.py\", \"line\": 2, \"column\": 1, "
            "\"endLine\": 2, \"endColumn\": 2, \"message\": \"here\"}]}\n"
            "]\n");
  EXPECT_FALSE(sink.hasErrors());
}

TEST(Diagnostic, LongTextIsCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 20; ++i)
    name += "aé";
  Parsed parsed("x " + name + "\n");
  ASSERT_EQ(parsed.errors(), "TW1023@1:2");
  std::string kept;
  for (int i = 0; i < 12; ++i)
    kept += "aé";
  EXPECT_EQ(parsed.sink.diagnostics()[0].message,
            "expected end of statement, got name '" + kept + "a...'");
}

TEST(Diagnostic, NotesShowOtherFiles) {
  DiagnosticSink sink;
  sink.addSource("a.py", "x\ny\n");
  sink.addSource("b.py", "first\nsecond\n");
  Diagnostic error;
  error.code = 2001;
  error.fileName = "a.py";
  error.range = {2, 0, 2, 1};
  error.message = "wrong";
  error.notes.push_back({{2, 0, 2, 6}, "called here", "b.py"});
  sink.report(error);
  EXPECT_EQ(renderText(sink), "a.py:2:1: error: TW2001: wrong\n"
                              "  y\n"
                              "  ^\n"
                              "b.py:2:1: note: called here\n"
                              "  second\n"
                              "  ^~~~~~\n");
  EXPECT_TRUE(sink.hasErrors());
  sink.clear();
  EXPECT_FALSE(sink.hasErrors());
}

TEST(Diagnostic, FunctionsOfOneFileComeApart) {
  DiagnosticSink sink;
  sink.addSource("a.py", "\n\n\nkernel()\n");
  sink.addSource("a.py", "\nhelper()\n");
  Diagnostic error;
  error.code = 2001;
  error.fileName = "a.py";
  error.range = {2, 0, 2, 6};
  error.message = "wrong";
  error.notes.push_back({{4, 0, 4, 6}, "called here", ""});
  sink.report(error);
  EXPECT_EQ(renderText(sink), "a.py:2:1: error: TW2001: wrong\n"
                              "  helper()\n"
                              "  ^~~~~~\n"
                              "a.py:4:1: note: called here\n"
                              "  kernel()\n"
                              "  ^~~~~~\n");
}

TEST(Diagnostic, ErrorsComeInSourceOrder) {
  // The lexer finds the second error first.
  EXPECT_EQ(errorsOf("x = = 1\ny = 'a\nz = = 2\n"),
            "TW1020@1:4 TW1004@2:4 TW1020@3:4");
}

TEST(Diagnostic, EveryCodeIsExplained) {
  std::set<unsigned> explained;
#define TW_CODE(number, summary, help) explained.insert(number);
#include "tilewright/codes.def"
#undef TW_CODE
  for (unsigned code = InvalidEncoding; code <= InvalidFString; ++code)
    EXPECT_EQ(explained.count(code), 1u) << code;
  for (unsigned code = ExpectedExpression; code <= ExpectedDefinition; ++code)
    EXPECT_EQ(explained.count(code), 1u) << code;
  for (unsigned code = InvalidAssignTarget; code <= MissingComma; ++code)
    EXPECT_EQ(explained.count(code), 1u) << code;
}
