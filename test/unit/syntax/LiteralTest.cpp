//===- LiteralTest.cpp - Tests of literal values ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, strings, bytes, encodings; expected values are those of Python.
//===----------------------------------------------------------------------===//

#include "SyntaxTest.h"
#include "frontend/syntax/lex/Unicode.h"

using namespace tilewright;
using namespace tilewright::syntax;

static std::string constantOf(std::string_view text) {
  return Parsed(text).constant();
}

TEST(Literal, Integers) {
  EXPECT_EQ(constantOf("0"), "0");
  EXPECT_EQ(constantOf("00_0"), "0");
  EXPECT_EQ(constantOf("1_000_000"), "1000000");
  EXPECT_EQ(constantOf("0xDEAD_beef"), "3735928559");
  EXPECT_EQ(constantOf("0o777"), "511");
  EXPECT_EQ(constantOf("0b1010"), "10");
  EXPECT_EQ(constantOf("0x10000000000000000"), "18446744073709551616");
  EXPECT_EQ(constantOf("0xffffffffffffffffffffffffffffffff"),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(constantOf("1000000000000000000000000000000"),
            "1000000000000000000000000000000");
  EXPECT_EQ(constantOf(std::string(4300, '9')), std::string(4300, '9'));
}

TEST(Literal, IntegerConversions) {
  auto valueOf = [](std::string_view text) {
    Parsed parsed(text);
    auto value = ast::asNode<ast::Constant>(parsed.value())->value;
    return std::make_pair(value.asInt64(), value.asUInt64());
  };
  EXPECT_EQ(valueOf("9223372036854775807").first, INT64_MAX);
  EXPECT_EQ(valueOf("9223372036854775808").first, std::nullopt);
  EXPECT_EQ(valueOf("0xffffffffffffffff").second, UINT64_MAX);
  EXPECT_EQ(valueOf("0x1_0000000000000000").second, std::nullopt);
}

TEST(Literal, Floats) {
  EXPECT_EQ(constantOf("1.0"), "1.0");
  EXPECT_EQ(constantOf("1e16"), "1e+16");
  EXPECT_EQ(constantOf("1e15"), "1000000000000000.0");
  EXPECT_EQ(constantOf("123456789012345678.0"), "1.2345678901234568e+17");
  EXPECT_EQ(constantOf("0.0001"), "0.0001");
  EXPECT_EQ(constantOf("0.00001"), "1e-05");
  EXPECT_EQ(constantOf("1.5e-7"), "1.5e-07");
  EXPECT_EQ(constantOf("0.1"), "0.1");
  EXPECT_EQ(constantOf("5e-324"), "5e-324");
  EXPECT_EQ(constantOf("1e400"), "inf");
  EXPECT_EQ(constantOf("1e-400"), "0.0");
  EXPECT_EQ(constantOf("0e400"), "0.0");
  EXPECT_EQ(constantOf(std::string(400, '9') + "."), "inf");
  EXPECT_EQ(constantOf("0." + std::string(400, '0') + "1"), "0.0");
  EXPECT_EQ(constantOf("." + std::string(400, '0') + "1e401"), "1.0");
  EXPECT_EQ(constantOf("1" + std::string(400, '0') + "e-400"), "1.0");
  EXPECT_EQ(constantOf("1_0.2_5e1_0"), "102500000000.0");
}

TEST(Literal, Imaginaries) {
  EXPECT_EQ(constantOf("1j"), "1j");
  EXPECT_EQ(constantOf("0j"), "0j");
  EXPECT_EQ(constantOf("1.5J"), "1.5j");
  EXPECT_EQ(constantOf("1e100j"), "1e+100j");
  EXPECT_EQ(constantOf("010j"), "10j");
  EXPECT_EQ(constantOf("1e999j"), "infj");
}

TEST(Literal, Strings) {
  EXPECT_EQ(constantOf(R"('a' "b" '''c''')"), "'abc'");
  EXPECT_EQ(constantOf(R"("it's")"), "\"it's\"");
  EXPECT_EQ(constantOf(R"('"\'')"), R"('"\'')");
  EXPECT_EQ(constantOf(R"('\a\b\f\n\r\t\v\\\0')"),
            R"('\x07\x08\x0c\n\r\t\x0b\\\x00')");
  EXPECT_EQ(constantOf(R"('\x41\101\u0042\U00000043\777')"), "'AABCǿ'");
  EXPECT_EQ(constantOf(R"('\q\8')"), R"('\\q\\8')");
  EXPECT_EQ(constantOf("'a\\\nb'"), "'ab'");
  EXPECT_EQ(constantOf(R"(r'\n' 'x')"), R"('\\nx')");
  EXPECT_EQ(constantOf(R"('\ud800\u00ad\u200b\U000e0001')"),
            R"('\ud800\xad\u200b\U000e0001')");
  EXPECT_EQ(constantOf("'é😀'"), "'é😀'");
  EXPECT_EQ(constantOf(R"('\N{BULLET}\N{latin small letter a}')"), "'•a'");
}

TEST(Literal, Bytes) {
  EXPECT_EQ(constantOf(R"(b'a\x80\377\u0041' rb'\x')"),
            R"(b'a\x80\xff\\u0041\\x')");
  EXPECT_EQ(constantOf(R"(b"'")"), R"(b"'")");
}

TEST(Literal, UnicodePrefix) {
  EXPECT_EQ(dumpAST(*Parsed("u'a'").value()), "Constant(value='a', kind='u')");
  EXPECT_EQ(dumpAST(*Parsed("U'a'").value()), "Constant(value='a')");
  EXPECT_EQ(dumpAST(*Parsed("'a' u'b'").value()), "Constant(value='ab')");
}

TEST(Literal, Encodings) {
  EXPECT_EQ(constantOf("\xEF\xBB\xBF'a'"), "'a'");
  EXPECT_EQ(constantOf("# -*- coding: latin-1 -*-\n'\xE9'"), "'é'");
  EXPECT_EQ(constantOf("#!x\n# vim: set fileencoding=iso-8859-1 :\n'\xE9'"),
            "'é'");
  EXPECT_EQ(constantOf("x\n# coding: latin-1\n'\xE9'").substr(0, 11),
            "no constant");
  EXPECT_EQ(constantOf("'''a\r\nb\rc'''"), R"('a\nb\nc')");
}

TEST(Literal, IdentifiersAreNormalized) {
  EXPECT_EQ(dumpAST(*Parsed("ﬁ").value()), "Name(id='fi', ctx=Load())");
  EXPECT_EQ(normalizeIdentifier("e\xCC\x81"), "é");
  EXPECT_EQ(normalizeIdentifier("𝔘𝔫𝔦"), "Uni");
  EXPECT_EQ(normalizeIdentifier("각"), "각");
  EXPECT_EQ(normalizeIdentifier("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"), "각");
  // A dot below sorts before an acute above and composes first.
  EXPECT_EQ(normalizeIdentifier("a\xCC\x81\xCC\xA3"), "ạ\xCC\x81");
}
