//===- PtxTest.cpp - What is changed in LLVM's PTX --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that an assembler computes wrongly are spelled in another way.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Ptx.h"
#include "backends/nvidia/codegen/Assemble.h"

#include <gtest/gtest.h>

using namespace tilewright::nvidia;

TEST(Ptx, SignedHalvesWrap) {
  EXPECT_EQ(withWrappingHalves("\tneg.s16 \t%rs2, %rs1;\n"),
            "\tsub.u16 \t%rs2, 0, %rs1;\n");
  EXPECT_EQ(withWrappingHalves("\tsub.s16 \t%rs3, %rs2, %rs1;\n\tret;\n"),
            "\tsub.u16 \t%rs3, %rs2, %rs1;\n\tret;\n");
  EXPECT_EQ(withWrappingHalves("\tabs.s16 \t%rs2, %rs1;"),
            "\t{ .reg .b32 %wide; cvt.s32.s16 %wide, %rs1; abs.s32 %wide, "
            "%wide; cvt.u16.u32 %rs2, %wide; }");
}

TEST(Ptx, OtherTextStays) {
  for (const char *text :
       {"", "\n", "// neg.s16 in a comment\n", "\tneg.s32 \t%r2, %r1;\n\n",
        "\tadd.s16 \t%rs2, %rs1, 5;", "\tsub.s16x2 \t%r2, %r1, %r0\n"})
    EXPECT_EQ(withWrappingHalves(text), text);
}

TEST(Ptx, AssemblersTakeTheText) {
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
  AssemblerOptions options;
  if (assemblerName(options) == "none")
    GTEST_SKIP() << "this machine has no assembler";
  std::string text = withWrappingHalves(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b16 %rs<4>;\n"
      ".reg .b64 %rd<2>;\nld.param.b64 %rd1, [p];\n"
      "ld.global.b16 %rs1, [%rd1];\nneg.s16 %rs2, %rs1;\n"
      "abs.s16 %rs3, %rs2;\nabs.s16 %rs3, %rs3;\n"
      "st.global.b16 [%rd1], %rs3;\nret;\n}\n");
  Report report(nullptr);
  EXPECT_TRUE(assemble(text, target, options, report).has_value());
}
