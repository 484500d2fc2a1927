//===- ErrorTest.cpp - Tests of syntax errors -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each code with the place it points to, and several errors in one file.
//===----------------------------------------------------------------------===//

#include "SyntaxTest.h"

using namespace tilewright;
using namespace tilewright::syntax;

namespace {
struct ErrorCase {
  std::string_view text;
  std::string_view errors;
};
} // namespace

static void check(std::initializer_list<ErrorCase> cases) {
  for (const ErrorCase &c : cases) {
    Parsed parsed(c.text);
    EXPECT_EQ(parsed.errors(), c.errors) << c.text;
    for (const Diagnostic &d : parsed.sink.diagnostics())
      EXPECT_FALSE(d.hint.empty()) << c.text << "\n" << d.message;
  }
}

TEST(Error, Encoding) {
  check({{"x = '\xE9'", "TW1001@1:5"},
         {"# coding: koi8-r\n", "TW1001@1:10"},
         {"# coding: ascii\nx = 'ä'", "TW1001@2:5"},
         {"\xEF\xBB\xBF# coding: latin-1\n", "TW1001@1:10"},
         {"\xED\xA0\x80", "TW1001@1:0"},
         {"\xC0\x80", "TW1001@1:0"}});
  EXPECT_EQ(errorsOf(std::string_view("a\nb\0c", 5)), "TW1002@2:1");
}

TEST(Error, Characters) {
  check({{"a = $", "TW1003@1:4"},
         {"a ? b : c", "TW1003@1:2"},
         {"print(“x”)", "TW1003@1:6"},
         {"a\u00A0= 1", "TW1003@1:1"},
         {"x = 5€", "TW1005@1:4"},
         {"€ = 1\ny = € + €\n", "TW1003@1:0 TW1003@2:4"}});
}

TEST(Error, Strings) {
  check({{"x = 'abc\ny = 1\nz = = 2", "TW1004@1:4 TW1020@3:4"},
         {"x = '''abc\ny = 1\n", "TW1004@1:4"},
         {"x = '\\", "TW1004@1:4"},
         {"'\\x4'", "TW1007@1:1"},
         {"'ab' '\\u12'", "TW1007@1:6"},
         {"'''a\nb\\U00110000'''", "TW1007@2:1"},
         {"'\\N{no such name}'", "TW1007@1:1"},
         {"'\\N'", "TW1007@1:1"},
         {"b'\\x'", "TW1007@1:2"},
         {"b'ä'", "TW1008@1:2"},
         {"'a' b'c'", "TW1009@1:0"}});
}

TEST(Error, Numbers) {
  check({{"0777", "TW1005@1:0"},
         {"1__0", "TW1005@1:0"},
         {"1_", "TW1005@1:0"},
         {"0b12", "TW1005@1:0"},
         {"0o8", "TW1005@1:0"},
         {"0x", "TW1005@1:0"},
         {"1abc", "TW1005@1:0"},
         {"1e+", "TW1005@1:0"},
         {"1.5.5", "TW1023@1:3"},
         {"x = 0xfg", "TW1005@1:4"},
         {"1_.5", "TW1005@1:0"},
         {"1e5_", "TW1005@1:0"}});
  EXPECT_EQ(errorsOf(std::string(4301, '9')), "TW1006@1:0");
  EXPECT_EQ(errorsOf("0x" + std::string(4000, 'f')), "TW1006@1:0");
  EXPECT_EQ(errorsOf("0x" + std::string(1000000, 'f')), "TW1006@1:0");
}

TEST(Error, Indentation) {
  check(
      {{"if a:\n\tb\n        c\n", "TW1010@3:0"},
       {"if a:\n    b\n  c\n  d\ne\n", "TW1011@3:0"},
       // A line shifted to the left, then a block shifted as a whole.
       {"def f():\n    if a:\n        b\n      c\n        d\n    e\nf\n",
        "TW1011@4:0"},
       {"def f():\n    if a:\n        b\n  if c:\n        d\n    e\nf = = 1\n",
        "TW1011@4:0 TW1020@7:4"},
       {"def f():\n    if a:\n        b\n  c\n  d\nf = = 1\n",
        "TW1011@4:0 TW1020@6:4"},
       {"class A:\n    def f():\nx = 1\n        y\n    def g():\n"
        "        z\n    def h():\n        z\n",
        "TW1013@3:0 TW1012@4:0"},
       {"a\n  b\nc\n", "TW1012@2:0"},
       {"if a:\nb\n", "TW1013@2:0"},
       {"def f():\n", "TW1013@2:0"},
       {"match x:\ncase 1: pass\n", "TW1013@2:0"},
       {"for a in b:\n  # nothing\nc = = 1\n", "TW1013@3:0 TW1020@3:4"}});
}

TEST(Error, Brackets) {
  check({{"x = (1,\ny = 2\nz = = 3\n", "TW1014@1:4 TW1020@3:4"},
         {"def f(a, b:\n  x = = 1\n  return a\ny = = 2\n",
          "TW1014@1:5 TW1020@2:6 TW1020@4:4"},
         {"x = [1, (2, 3]\ny = = 2\n", "TW1015@1:13 TW1020@2:4"},
         {"x = 1)\ny = = 2\n", "TW1015@1:5 TW1020@2:4"},
         {"foo(a, b\n", "TW1014@1:3"},
         {"foo(a, b\n  return 1\n", "TW1014@1:3"},
         {"x = {\n  'a': [1,\n  'b': 2,\n}\ny = = 1\n",
          "TW1015@4:0 TW1020@5:4"}});
}

TEST(Error, Continuation) {
  check({{"a = \\ b\nc = = 1\n", "TW1016@1:4 TW1020@2:4"},
         {"a = \\", "TW1016@1:4"},
         {"a = 1 \\\n", "TW1016@1:6"}});
}

TEST(Error, FStrings) {
  check({{"f'{}'", "TW1019@1:2"},
         {"f'{a'", "TW1019@1:2"},
         {"f'a}'", "TW1019@1:3"},
         {"f'{a!x}'", "TW1019@1:5"},
         {"f'{a b}'", "TW1019@1:5"},
         {"f'{\"\\n\"}'", "TW1019@1:4"},
         {"f'{a #}'", "TW1019@1:5"},
         {"f'{a)}'", "TW1019@1:4"},
         {"f'{(a]}'", "TW1019@1:5"},
         {"f'{a:{b:{c}}}'", "TW1019@1:8"},
         {"x = f'ok' f'{a +}'", "TW1020@1:16"},
         {"f'''{\n\n a + }'''", "TW1020@3:5"},
         {"f'{*a}'", "TW1051@1:3"},
         {"f'{a:=5}{b!}'", "TW1019@1:11"},
         {"f'{lambda x: 1}'", "TW1022@1:11"}});
}

TEST(Error, Expressions) {
  check({{"x = ", "TW1020@1:4"},
         {"x = * y + *", "TW1051@1:10"},
         {"f(**)", "TW1020@1:4"},
         {"a[]", "TW1020@1:2"},
         {"a & & b", "TW1020@1:4"},
         {"x = class", "TW1020@1:4"},
         {"return yield", "TW1020@1:7"},
         {"a.1", "TW1023@1:1"},
         {"a.(b)", "TW1024@1:2"},
         {"lambda x", "TW1022@1:8"},
         {"x = a if b", "TW1054@1:10"},
         {"[1, 2 3]", "TW1057@1:6"},
         {"f(a b)", "TW1057@1:4"},
         {"(a = 1)", "TW1044@1:3"},
         {"if a = 1: pass", "TW1044@1:5"},
         {"f(a.b=1)", "TW1044@1:2"}});
}

TEST(Error, Statements) {
  check({{"if a pass\n", "TW1021@1:5"},
         {"match x\n  case 1:\n    a = = 1\n", "TW1021@1:7 TW1020@3:8"},
         {"while True\n  pass\nx = = 1", "TW1021@1:10 TW1020@3:4"},
         {"else if a:\n  pass\n", "TW1025@1:0"},
         {"if a:\n  b\nelse if c:\n  d\n", "TW1021@3:5"},
         {"for x of y: pass\n", "TW1022@1:6"},
         {"match x:\n  cas 1: pass\n", "TW1022@2:2"},
         {"a b\n", "TW1023@1:2"},
         {"x = 1 y = 2\n", "TW1023@1:6"},
         {"foo():\n  pass\n", "TW1023@1:5"},
         {"def 1(): pass\n", "TW1024@1:4"},
         {"class = 3\n", "TW1024@1:6"},
         {"import\n", "TW1024@1:6"},
         {"global 1\n", "TW1024@1:7"},
         {"else:\n  pass\nx = = 1\n", "TW1025@1:0 TW1020@3:4"},
         {"x; if y: pass\n", "TW1025@1:3"},
         {"try:\n  a\nb\n", "TW1026@3:0"},
         {"try:\n  a\nexcept A:\n  b\nexcept* B:\n  c\n", "TW1027@5:0"},
         {"try:\n  a\nexcept:\n  b\nexcept A:\n  c\n", "TW1028@3:0"},
         {"try:\n  a\nexcept A, B:\n  c\n", "TW1029@3:8"},
         {"print 'a'\n", "TW1030@1:6"},
         {"raise A, 'b'\n", "TW1030@1:7"},
         {"import a from b\n", "TW1031@1:9"},
         {"from a import b,\n", "TW1031@1:15"},
         {"from a\n", "TW1031@1:6"},
         {"@a\nx = 1\n", "TW1032@2:0"},
         {"async x\n", "TW1032@1:6"},
         {"del\n", "TW1020@1:3"}});
}

TEST(Error, Targets) {
  check({{"1 = x", "TW1040@1:0"},
         {"f() = x", "TW1040@1:0"},
         {"a, b + c = x", "TW1040@1:3"},
         {"None = 1", "TW1040@1:0"},
         {"for 1 in x: pass", "TW1040@1:4"},
         {"for f() in x: pass", "TW1040@1:4"},
         {"[a for 1 in b]", "TW1040@1:7"},
         {"with a as 1: pass", "TW1040@1:10"},
         {"x = (yield) = 1", "TW1040@1:5"},
         {"del f()", "TW1041@1:4"},
         {"del *a", "TW1041@1:4"},
         {"del (a, 1)", "TW1041@1:8"},
         {"(a, b) += 1", "TW1042@1:0"},
         {"f() += 1", "TW1042@1:0"},
         {"a = b += 1", "TW1042@1:6"},
         {"a, b: int", "TW1043@1:0"},
         {"f(): int = 1", "TW1043@1:0"},
         {"*a = 1", "TW1051@1:0"},
         {"*a, *b = 1", "TW1051@1:4"}});
}

TEST(Error, CallsAndParameters) {
  check({{"f(x for x in y, 1)", "TW1045@1:2"},
         {"f(1, x for x in y)", "TW1045@1:5"},
         {"f(a=x for x in y)", "TW1045@1:2"},
         {"class A(x for x in y): pass", "TW1045@1:8"},
         {"f(a=1, 2)", "TW1046@1:7"},
         {"f(**a, 2)", "TW1046@1:7"},
         {"f(**a, *b)", "TW1046@1:7"},
         {"f(a=1, b=2, a=3)", "TW1047@1:12"},
         {"f(True=1)", "TW1024@1:2"},
         {"f(a=)", "TW1020@1:4"},
         {"def f(a=1, b): pass", "TW1048@1:11"},
         {"def f(*, **a): pass", "TW1049@1:7"},
         {"def f(*): pass", "TW1049@1:7"},
         {"def f(*a, *b): pass", "TW1049@1:10"},
         {"def f(/, a): pass", "TW1049@1:6"},
         {"def f(a, /, b, /): pass", "TW1049@1:15"},
         {"def f(*a, /): pass", "TW1049@1:10"},
         {"def f(**a, b): pass", "TW1049@1:11"},
         {"def f(*a=1): pass", "TW1049@1:8"},
         {"def f(**a=1): pass", "TW1049@1:9"},
         {"def f((a, b)): pass", "TW1049@1:6"},
         {"lambda *: 1", "TW1049@1:8"},
         {"def f(a, b, a): pass", "TW1050@1:12"},
         {"def f(a, *, a): pass", "TW1050@1:12"}});
}

TEST(Error, Displays) {
  check({{"(*a)", "TW1051@1:1"},
         {"print(a, (*b))", "TW1051@1:10"},
         {"x = a + *b", "TW1051@1:8"},
         {"[*a for a in b]", "TW1052@1:1"},
         {"[a, b for a in c]", "TW1052@1:1"},
         {"{**a for a in b}", "TW1052@1:1"},
         {"(a.b := 1)", "TW1053@1:5"},
         {"x := 1", "TW1053@1:2"},
         {"{1: 2, 3}", "TW1055@1:8"},
         {"{1: 2, **a, 3: }", "TW1055@1:15"},
         {"{1, 2: 3}", "TW1055@1:5"},
         {"{1: *a}", "TW1055@1:4"},
         {"{1: 2, *a}", "TW1055@1:7"}});
}

TEST(Error, Patterns) {
  auto errorsOfCase = [](std::string pattern) {
    return errorsOf("match x:\n case " + pattern + ": pass\n case 2: pass\n");
  };
  EXPECT_EQ(errorsOfCase("1 + 1"), "TW1056@2:6");
  EXPECT_EQ(errorsOfCase("-a"), "TW1056@2:7");
  EXPECT_EQ(errorsOfCase("f'a'"), "TW1056@2:6");
  EXPECT_EQ(errorsOfCase("*a"), "TW1056@2:8");
  EXPECT_EQ(errorsOfCase("a as _"), "TW1056@2:11");
  EXPECT_EQ(errorsOfCase("a as b.c"), "TW1056@2:12");
  EXPECT_EQ(errorsOfCase("A(b=1, 2)"), "TW1056@2:13");
  EXPECT_EQ(errorsOfCase("{**a, 'b': 1}"), "TW1056@2:12");
  EXPECT_EQ(errorsOfCase("{a: 1}"), "TW1056@2:7");
  EXPECT_EQ(errorsOfCase("{**_}"), "TW1056@2:9");
  EXPECT_EQ(errorsOfCase("a | "), "TW1056@2:10");
}

TEST(Error, SeveralInOneFile) {
  check({{"import os\n"
          "def f(a, b=1, c):\n"
          "    x = a +\n"
          "    if x = 1:\n"
          "        y = $\n"
          "    else:\n"
          "        z = [1, 2\n"
          "    return 'abc\n"
          "print 1\n"
          "class A:\n"
          "pass\n",
          "TW1048@2:14 TW1020@3:11 TW1044@4:9 TW1003@5:12 TW1014@7:12 "
          "TW1004@8:11 TW1030@9:6 TW1013@11:0"}});
}

TEST(Error, ClausesOfBrokenStatementsAreChecked) {
  check({{"if a = 1:\n  b\nelif c\n  d = = 1\nelse if e:\n  f\n"
          "else:\n  g\nx = = 1\n",
          "TW1044@1:5 TW1021@3:6 TW1020@4:6 TW1021@5:5 TW1020@9:4"},
         {"for x y:\n  a\nelse\n  b\n", "TW1022@1:6 TW1021@3:4"},
         {"try\n  a\nexcept A, B:\n  b\nfinally:\n  c +\n",
          "TW1021@1:3 TW1029@3:8 TW1020@6:5"}});
}

TEST(Error, RepeatsAreBounded) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "a b\n";
  Parsed parsed(text);
  EXPECT_EQ(parsed.sink.errorCount(), 101u);
  EXPECT_EQ(parsed.sink.diagnostics().back().code, 1018u);
}
