//===- AssembleTest.cpp - Assemblers and what they say ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbose log is read as ptxas and libnvJitLink write it.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Assemble.h"

#include <gtest/gtest.h>

using namespace tilewright::nvidia;

TEST(Assemble, ReadsRegistersSpillsAndSharedMemory) {
  Assembled assembled;
  readResources("ptxas info    : 0 bytes gmem\n"
                "ptxas info    : Compiling entry function 'one' for 'sm_80'\n"
                "ptxas info    : Function properties for one\n"
                "    16 bytes stack frame, 24 bytes spill stores, 32 bytes "
                "spill loads\n"
                "ptxas info    : Used 255 registers, used 1 barriers, 16 bytes "
                "cumulative stack size, 4096 bytes smem\n"
                "ptxas info    : Compiling entry function 'two' for 'sm_80'\n"
                "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                "loads\n"
                "ptxas info    : Used 12 registers, used 0 barriers\n",
                assembled);
  EXPECT_EQ(assembled.kernels["one"].registers, 255u);
  EXPECT_EQ(assembled.kernels["one"].spillBytes, 24u);
  EXPECT_EQ(assembled.kernels["one"].staticSharedBytes, 4096u);
  EXPECT_EQ(assembled.kernels["two"].registers, 12u);
  EXPECT_EQ(assembled.kernels["two"].spillBytes, 0u);
}

static const char *kText = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k()\n{\n  ret;\n}\n";

TEST(Assemble, EachAssemblerMakesACubin) {
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
  for (const char *choice : {"ptxas", "nvjitlink"}) {
    AssemblerOptions options;
    options.choice = choice;
    Report report(nullptr);
    std::optional<Assembled> assembled =
        assemble(kText, target, options, report);
    if (!assembled) {
      // Not an error of ours: this machine has no such assembler.
      EXPECT_TRUE(report.hasErrors());
      GTEST_LOG_(INFO) << "no " << choice << " here";
      continue;
    }
    EXPECT_EQ(assembled->cubin.compare(1, 3, "ELF"), 0) << choice;
    EXPECT_EQ(assembled->kernels.count("k"), 1u) << assembled->log;
  }
}

TEST(Assemble, RefusalsCarryTheAssemblersWords) {
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
  AssemblerOptions options;
  if (assemblerName(options) == "none")
    GTEST_SKIP() << "this machine has no assembler";
  std::string messages;
  tw_sink sink = {sizeof(tw_sink), 0, &messages,
                  [](void *ctx, const tw_diagnostic *diagnostic) {
                    static_cast<std::string *>(ctx)->append(
                        diagnostic->message.data, diagnostic->message.size);
                  }};
  Report report(&sink);
  EXPECT_FALSE(assemble("nonsense", target, options, report).has_value());
  EXPECT_TRUE(report.hasErrors());
  EXPECT_NE(messages.find("refuses the code"), std::string::npos) << messages;
}

TEST(Assemble, NoneKeepsPtx) {
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
  AssemblerOptions options;
  options.choice = "none";
  Report report(nullptr);
  EXPECT_FALSE(assemble(kText, target, options, report).has_value());
  EXPECT_FALSE(report.hasErrors());
}
