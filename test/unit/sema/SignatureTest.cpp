//===- SignatureTest.cpp - The signature grammar ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form of the grammar, and where errors point.
//===----------------------------------------------------------------------===//

#include "frontend/sema/kernel/Signature.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::sema;

static std::vector<SignatureArg> parse(const char *text) {
  syntax::DiagnosticSink sink;
  auto result = parseSignature(text, sink);
  EXPECT_TRUE(result) << syntax::renderText(sink);
  return result.value_or(std::vector<SignatureArg>());
}

TEST(Signature, Types) {
  auto args = parse("x:*fp16[:16], n : i32[:8], one:i64[1], k:*ku8, "
                    "t:(i32, *fp32,), d:tensordesc<bf16[64, 32]>,");
  ASSERT_EQ(args.size(), 6u);
  EXPECT_EQ(args[0].type.str(), "*fp16[:16]");
  EXPECT_EQ(args[1].type.divisibility, 8);
  EXPECT_EQ(args[2].type.value, 1);
  EXPECT_TRUE(args[3].type.type.readOnly);
  EXPECT_EQ(args[3].type.str(), "*ku8");
  EXPECT_EQ(args[4].type.str(), "(i32, *fp32)");
  EXPECT_EQ(args[5].type.str(), "tensordesc<bf16[64,32]>");
}

TEST(Signature, Facts) {
  auto args = parse("a:*fp32[disjoint], b:*i8[:16, disjoint], n:i32[:4]");
  ASSERT_EQ(args.size(), 3u);
  EXPECT_TRUE(args[0].type.isDisjoint);
  EXPECT_EQ(args[0].type.str(), "*fp32[disjoint]");
  EXPECT_EQ(args[1].type.divisibility, 16);
  EXPECT_EQ(args[1].type.str(), "*i8[:16,disjoint]");
  EXPECT_FALSE(args[2].type.isDisjoint);
}

TEST(Signature, Constants) {
  auto args = parse("a=-3,b=1e-5,c='re\\'lu',d=True,e=None,f=(1,(2,)),g=fp16,"
                    "h=0xffffffffffffffff,i=[4],j=tl.float32,k=-inf,"
                    "l=relu,m=helpers.act:gelu,n=a.b:");
  ASSERT_EQ(args.size(), 14u);
  EXPECT_EQ(args[0].constant.integer, BigInt(-3));
  EXPECT_EQ(args[1].constant.number, 1e-5);
  EXPECT_EQ(args[2].constant.text, "re'lu");
  EXPECT_TRUE(args[3].constant.boolean);
  EXPECT_EQ(args[4].constant.kind, Constant::Kind::None);
  ASSERT_EQ(args[5].constant.elements.size(), 2u);
  EXPECT_EQ(args[5].constant.elements[1].elements.size(), 1u);
  EXPECT_EQ(args[6].constant.type, DType(Scalar::FP16));
  EXPECT_EQ(args[7].constant.integer.str(), "18446744073709551615");
  EXPECT_EQ(args[8].constant.kind, Constant::Kind::Tuple);
  EXPECT_EQ(args[9].constant.type, DType(Scalar::FP32));
  EXPECT_EQ(args[10].constant.number, -HUGE_VAL);
  EXPECT_EQ(args[11].constant.kind, Constant::Kind::Function);
  EXPECT_EQ(args[12].constant.module, "helpers.act");
  EXPECT_EQ(args[13].constant.kind, Constant::Kind::Module);
}

TEST(Signature, ErrorsPointIntoTheText) {
  struct Row {
    const char *text;
    uint32_t column;
  };
  for (Row row :
       {Row{"x:fp17", 2}, Row{"x", 1}, Row{"x:i32 y:i32", 6},
        Row{"x:i32,x:i32", 6}, Row{"a=", 2}, Row{"x:*fp32[16]", 8},
        Row{"x:i32[:0]", 6}, Row{"n:i32[disjoint]", 6}, Row{"a=1.2.3", 2},
        Row{"=3", 0}, Row{"a='b", 2}, Row{"x:(i32", 6}}) {
    syntax::DiagnosticSink sink;
    EXPECT_FALSE(parseSignature(row.text, sink)) << row.text;
    ASSERT_EQ(sink.errorCount(), 1u) << row.text;
    EXPECT_EQ(sink.diagnostics()[0].code, 2001u);
    EXPECT_EQ(sink.diagnostics()[0].range.column, row.column) << row.text;
  }
}
