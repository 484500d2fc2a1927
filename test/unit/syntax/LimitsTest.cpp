//===- LimitsTest.cpp - Tests of hostile input ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deep and long code ends in TW1017 or in a tree of bounded height, quickly
// and without using up the stack.
//===----------------------------------------------------------------------===//

#include "SyntaxTest.h"

#include <chrono>

using namespace tilewright;
using namespace tilewright::syntax;

static std::string repeat(std::string_view piece, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += piece;
  return out;
}

/// The only error is that of nesting, and whatever tree came back can be
/// dumped.
static void expectTooDeep(const std::string &text) {
  Parsed parsed(text);
  ASSERT_EQ(parsed.sink.errorCount(), 1u) << text.substr(0, 40);
  EXPECT_EQ(parsed.sink.diagnostics()[0].code, 1017u) << text.substr(0, 40);
  EXPECT_LE(parsed.module->height, Limits::TreeHeight + 1);
  EXPECT_FALSE(dumpAST(*parsed.module).empty());
}

static void expectFine(const std::string &text) {
  Parsed parsed(text);
  EXPECT_EQ(parsed.errors(), "") << text.substr(0, 40);
  EXPECT_FALSE(dumpAST(*parsed.module).empty());
}

TEST(Limits, Brackets) {
  expectFine(repeat("(", 200) + "x" + repeat(")", 200));
  for (std::string_view open : {"(", "[", "{", "f(", "a[", "{1:", "(x,", "-("})
    expectTooDeep(repeat(open, 100000));
  expectTooDeep("with " + repeat("(", 100000));
  expectTooDeep("match x:\n case " + repeat("[", 100000));
}

TEST(Limits, NestedDictKeysTakeLinearTime) {
  auto start = std::chrono::steady_clock::now();
  expectFine(repeat("{", 190) + "1:2" + repeat("}:3", 188) + "}:4}");
  expectFine("with " + repeat("(", 190) + "x" + repeat(")", 190) + ": pass");
  expectFine("match " + repeat("(", 190) + "x" + repeat(")", 190) +
             ":\n case _: pass");
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0);
}

TEST(Limits, Indentation) {
  auto nested = [](unsigned levels) {
    std::string text;
    for (unsigned i = 0; i < levels; ++i)
      text += std::string(i, ' ') + "if x:\n";
    return text + std::string(levels, ' ') + "y\n";
  };
  expectFine(nested(99));
  expectTooDeep(nested(100));
  expectTooDeep(nested(500));
}

TEST(Limits, Operators) {
  for (std::string_view piece : {"-", "not ", "~", "lambda: ", "x ** ",
                                 "x if y else ", "await x ** -"}) {
    expectFine("x = " + repeat(piece, 50) + "z");
    expectTooDeep("x = " + repeat(piece, 100000) + "z");
  }
}

TEST(Limits, Chains) {
  for (std::string_view piece : {" + x", ".x", "()", "[0]", " @ x", " << x"}) {
    expectFine("x = z" + repeat(piece, 1500));
    expectTooDeep("x = z" + repeat(piece, 100000));
  }
  expectTooDeep("if x: y\n" + repeat("elif x: y\n", 100000));
  expectTooDeep("match x:\n case a" + repeat(".b", 100000) + ": pass");
}

TEST(Limits, LongFlatCodeIsFine) {
  expectFine("x = [" + repeat("1, ", 100000) + "]");
  expectFine("x = " + repeat("'a' ", 100000));
  expectFine("x = a" + repeat(" < a", 100000));
  expectFine("x = a" + repeat(" and a", 100000));
  expectFine(repeat("a = ", 100000) + "1");
  expectFine(repeat("x = 1\n", 100000));
  expectFine("x = f'" + repeat("{a}b", 50000) + "'");
  expectFine("def f(" + [] {
    std::string names;
    for (int i = 0; i < 20000; ++i)
      names += "a" + std::to_string(i) + ",";
    return names;
  }() + "): pass");
}

TEST(Limits, BrokenCodeTakesBoundedTime) {
  auto start = std::chrono::steady_clock::now();
  for (std::string_view piece :
       {"(\n",        "x = (\n", "'\n",          "x '''\n",   "\\\n",
        "$",          "f'{",     "if x:\n",      "@",         "  x\n",
        "match (\n",  "with (",  "f(\nreturn\n", "def f(:\n", "a b\n",
        "{\nclass\n", "1_",      "\t x\n",       ")",         "f\"{f'{"}) {
    Parsed parsed(repeat(piece, 20000));
    EXPECT_TRUE(parsed.sink.hasErrors()) << piece;
    EXPECT_LE(parsed.sink.errorCount(), Limits::Errors + 1) << piece;
  }
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 10.0);
}

TEST(Limits, ParsesAThousandLinesQuickly) {
  std::string text;
  for (int i = 0; i < 250; ++i)
    text += "def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
            "    pid = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
            "    x = tl.load(x_ptr + pid, mask=pid < n, other=0.0)\n"
            "    tl.store(y_ptr + pid, tl.exp(x) * 2 + 1, mask=pid < n)\n";
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    ast::ASTContext context;
    DiagnosticSink sink;
    auto start = std::chrono::steady_clock::now();
    parseModule(context, text, "test.py", sink);
    std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    EXPECT_FALSE(sink.hasErrors());
  }
  // The aim is 2 ms in a release build; debug and sanitizer builds are slower.
  EXPECT_LT(best, 20.0);
}
