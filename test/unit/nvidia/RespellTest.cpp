//===- RespellTest.cpp - What is changed in LLVM's PTX ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that an assembler computes wrongly are spelled in another way.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Respell.h"
#include "backends/nvidia/codegen/Assemble.h"

#include <gtest/gtest.h>

using namespace tilewright::nvidia;

TEST(Respell, NegationOf16BitsWraps) {
  EXPECT_EQ(respelled("\tneg.s16 \t%rs2, %rs1;\n"),
            "\tsub.u16 \t%rs2, 0, %rs1;\n");
  EXPECT_EQ(respelled("\tsub.s16 \t%rs3, %rs2, %rs1;\n\tret;\n"),
            "\tsub.u16 \t%rs3, %rs2, %rs1;\n\tret;\n");
  EXPECT_EQ(respelled("\tabs.s16 \t%rs2, %rs1;"),
            "\t{ .reg .b32 %wide; cvt.s32.s16 %wide, %rs1; abs.s32 %wide, "
            "%wide; cvt.u16.u32 %rs2, %wide; }");
}

TEST(Respell, StoresOfLowBitsCutTheRegister) {
  EXPECT_EQ(respelled("\tst.global.b8 \t[%rd1+4], %rd8;\n"),
            "\t{ .reg .b16 %n0; cvt.u16.u64 %n0, %rd8; st.global.b8 [%rd1+4], "
            "%n0; }\n");
  EXPECT_EQ(respelled("\tst.shared.b32 \t[%r1], %rd8;"),
            "\t{ .reg .b32 %n0; cvt.u32.u64 %n0, %rd8; st.shared.b32 [%r1], "
            "%n0; }");
  EXPECT_EQ(respelled("\tst.global.v2.b16 \t[%rd1], {%r5, %rs6};"),
            "\t{ .reg .b16 %n0; cvt.u16.u32 %n0, %r5; st.global.v2.b16 "
            "[%rd1], {%n0, %rs6}; }");
  // A byte of a half: only where halves are floats.
  std::string byte = "\tst.global.b8 \t[%rd1], %rs2;";
  EXPECT_EQ(respelled(byte), byte);
  EXPECT_EQ(respelled("\tadd.rn.f16 \t%rs2, %rs1, %rs1;\n" + byte),
            "\tadd.rn.f16 \t%rs2, %rs1, %rs1;\n\t{ .reg .b16 %n0; and.b16 "
            "%n0, %rs2, 255; st.global.b8 [%rd1], %n0; }");
}

TEST(Respell, CallsLoseTheNumbersOfTheProcess) {
  EXPECT_EQ(respelled("\t{ // callseq 6, 0\n\tcall.uni f;\n\t} // callseq 6\n"),
            "\t{\n\tcall.uni f;\n\t}\n");
}

TEST(Respell, OtherTextStays) {
  for (const char *text :
       {"", "\n", "a\n\nb", "// neg.s16 in a comment\n", "\t// callseq 6\n",
        "\tneg.s32 \t%r2, %r1;", "\tadd.s16 \t%rs2, %rs1, 5;",
        "\tsub.s16x2 \t%r2, %r1, %r0;\n", "\tst.global.b32 \t[%rd1], %r5;\n",
        "\tst.global.b64 \t[%rd1], %rd5;",
        "\tst.global.v4.b32 \t[%rd1], {%r1, %r2, %r3, %r4};",
        "\tst.global.b8 \t[%rd1], 1;", "\tst.param.b64 \t[func_retval0], %rd1;",
        "\tst.global.v2.b64 \t[%rd1], {%rd5, %rd6};\n"})
    EXPECT_EQ(respelled(text), text);
}

/// The machine code of the store itself cannot be asked here; that ptxas takes
/// the text can.
TEST(Respell, AssemblersTakeTheText) {
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
  AssemblerOptions options;
  if (assemblerName(options) == "none")
    GTEST_SKIP() << "this machine has no assembler";
  std::string text = respelled(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b16 %rs<4>;\n"
      ".reg .b64 %rd<4>;\n.reg .b32 %r<4>;\nld.param.b64 %rd1, [p];\n"
      "ld.global.b16 %rs1, [%rd1];\nneg.s16 %rs2, %rs1;\n"
      "abs.s16 %rs3, %rs2;\nabs.s16 %rs3, %rs3;\n"
      "st.global.b16 [%rd1], %rs3;\nld.global.b64 %rd2, [%rd1];\n"
      "add.rn.f64 %rd3, %rd2, %rd2;\nst.global.b8 [%rd1], %rd3;\n"
      "st.global.v2.b16 [%rd1], {%rd3, %rs1};\nadd.rn.f16 %rs1, %rs2, %rs3;\n"
      "st.global.b8 [%rd1], %rs1;\nst.global.b32 [%rd1], %rd3;\nret;\n}\n");
  Report report(nullptr);
  EXPECT_TRUE(assemble(text, target, options, report).has_value());
}
