//===- TreeTest.cpp - Tests of trees and positions --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the comparison with CPython does not see: ranges inside f-strings and
// of nodes without attributes, source text, soft keywords, casting.
//===----------------------------------------------------------------------===//

#include "SyntaxTest.h"
#include "llvm/Support/Casting.h"

using namespace tilewright;
using namespace tilewright::ast;
using namespace tilewright::syntax;

TEST(Tree, WorksWithCasting) {
  Parsed parsed("def f(): return 1\n");
  const Stmt *stmt = parsed.module->body[0];
  EXPECT_TRUE(llvm::isa<FunctionDef>(stmt));
  EXPECT_FALSE(llvm::isa<AsyncFunctionDef>(stmt));
  EXPECT_FALSE(llvm::isa<Expr>(static_cast<const Node *>(stmt)));
  auto *function = llvm::cast<FunctionDef>(stmt);
  EXPECT_TRUE(llvm::isa<Return>(function->body[0]));
  EXPECT_EQ(llvm::dyn_cast<Pass>(function->body[0]), nullptr);
}

TEST(Tree, KnowsSourceText) {
  Parsed parsed("import a\n@jit\n@b(1)\ndef f(x):\n  return x + 1\ny = 2\n");
  const Module &module = *parsed.module;
  const Stmt *function = module.body[1];
  EXPECT_EQ(module.textOf(function->range), "def f(x):\n  return x + 1");
  EXPECT_EQ(module.textOf(decoratedRange(function)),
            "@jit\n@b(1)\ndef f(x):\n  return x + 1");
  EXPECT_EQ(module.textOf(module.body[2]->range), "y = 2");
  EXPECT_EQ(module.textOf(decoratedRange(module.body[2])), "y = 2");
  EXPECT_EQ(module.textOf({9, 0, 9, 1}), "");
  EXPECT_EQ(module.fileName, "test.py");
}

TEST(Tree, RangesInFStringsAreExact) {
  std::string_view text = "x = 'a' \\\n  f'''{ a +\n bc!r:{w}}'''\n";
  Parsed parsed(text);
  auto *joined = llvm::cast<JoinedStr>(parsed.value());
  ASSERT_EQ(joined->values.size(), 2u);
  auto *part = llvm::cast<FormattedValue>(joined->values[1]);
  EXPECT_EQ(parsed.module->textOf(part->value->range), "a +\n bc");
  auto *spec = llvm::cast<JoinedStr>(part->formatSpec);
  auto *width = llvm::cast<FormattedValue>(spec->values[0]);
  EXPECT_EQ(parsed.module->textOf(width->value->range), "w");
  EXPECT_EQ(width->value->range, (SourceRange{3, 7, 3, 8}));
  EXPECT_EQ(part->conversion, 'r');
}

TEST(Tree, HelperNodesHaveRanges) {
  Parsed parsed("def f(a, *, b=1): pass\nwith (c as d): pass\n"
                "[e for e in g if h]\n");
  const Module &module = *parsed.module;
  auto *function = llvm::cast<FunctionDef>(module.body[0]);
  EXPECT_EQ(module.textOf(function->args->range), "a, *, b=1");
  auto *with = llvm::cast<With>(module.body[1]);
  EXPECT_EQ(module.textOf(with->items[0]->range), "c as d");
  auto *list =
      llvm::cast<ListComp>(llvm::cast<ExprStmt>(module.body[2])->value);
  EXPECT_EQ(module.textOf(list->generators[0]->range), "for e in g if h");
}

TEST(Tree, SoftKeywordsStayNames) {
  for (std::string_view text :
       {"match = 1", "match(x)", "match[x]: int", "match.case", "match, case",
        "match - 1", "match * case", "match not in x", "case = _ = match",
        "print(match)", "match: int = 1", "match(x).y[0] = 1"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.errors(), "") << text;
    ASSERT_EQ(parsed.module->body.size(), 1u) << text;
    EXPECT_FALSE(llvm::isa<Match>(parsed.module->body[0])) << text;
  }
  for (std::string_view text :
       {"match (x):\n case 1: pass", "match -x:\n case _: pass",
        "match [x]:\n case _: pass", "match *a, b:\n case _: pass",
        "match not x:\n case _: pass", "match match:\n case case: pass",
        "match x,:\n case 1, *_: pass"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.errors(), "") << text;
    ASSERT_EQ(parsed.module->body.size(), 1u) << text;
    EXPECT_TRUE(llvm::isa<Match>(parsed.module->body[0])) << text;
  }
}

TEST(Tree, BrokenStatementsAreMissing) {
  Parsed parsed("a = 1\nb = = 2\nc = 3\ndef f():\n  x\n  y +\n  z\n");
  EXPECT_EQ(parsed.errors(), "TW1020@2:4 TW1020@6:5");
  ASSERT_EQ(parsed.module->body.size(), 3u);
  auto *function = llvm::cast<FunctionDef>(parsed.module->body[2]);
  EXPECT_EQ(function->body.size(), 2u);
}

TEST(Tree, HeightCountsLevels) {
  EXPECT_EQ(Parsed("a").value()->height, 1u);
  EXPECT_EQ(Parsed("a + b.c").value()->height, 3u);
  EXPECT_EQ(Parsed("f(a, [b, (c, d)])").value()->height, 4u);
}

TEST(Tree, DumpsLikeCPython) {
  EXPECT_EQ(dumpAST(*Parsed("").module), "Module(body=[], type_ignores=[])");
  EXPECT_EQ(dumpAST(*Parsed("f(x)\n").module),
            "Module(\n"
            "  body=[\n"
            "    Expr(\n"
            "      value=Call(\n"
            "        func=Name(id='f', ctx=Load()),\n"
            "        args=[\n"
            "          Name(id='x', ctx=Load())],\n"
            "        keywords=[]))],\n"
            "  type_ignores=[])");
  DumpOptions options;
  options.attributes = true;
  EXPECT_EQ(dumpAST(*Parsed("x").value(), options), "Name(\n"
                                                    "  id='x',\n"
                                                    "  ctx=Load(),\n"
                                                    "  lineno=1,\n"
                                                    "  col_offset=0,\n"
                                                    "  end_lineno=1,\n"
                                                    "  end_col_offset=1)");
}
