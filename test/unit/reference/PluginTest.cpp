//===- PluginTest.cpp - What the reference plugin answers -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests through the C table, as a host makes them.
//===----------------------------------------------------------------------===//
#include "test/unit/cpu/Harness.h"
#include "test/unit/cpu/Kernels.h"

#include <gtest/gtest.h>

namespace tilewright::reference::test {
namespace {

using namespace tilewright::cpu::test;

Request makeRequest(const std::string &text) {
  Request request;
  request.target = "reference";
  request.bytes = toBytes(text);
  return request;
}

/// A kernel whose second line is `operation`, on `%x`.
std::string around(const std::string &operation) {
  return "func.func @k(%x: i32 {tw.name = \"x\", tw.dtype = \"i32\", tw.index "
         "= 0 : i32}) attributes {tw.kernel} {\n" +
         operation + " loc(\"k.py\":4:9)\nreturn\n}\n";
}

TEST(Plugin, TargetsResolveToOneName) {
  EXPECT_EQ(plugin().resolve("reference"), "reference:kernel-ir");
  EXPECT_EQ(plugin().resolve("reference:kernel-ir"), "reference:kernel-ir");
  EXPECT_EQ(plugin().getAnswer().profiles,
            TW_PROFILE_COMPILE | TW_PROFILE_RUNTIME | TW_PROFILE_LAUNCH);
  Request request = makeRequest(addKernel());
  request.target = "reference:znver4";
  EXPECT_TRUE(Compiled(request).hasCode(4101));
}

TEST(Plugin, ThePayloadIsKernelIRAndEqualForEqualRequests) {
  Compiled first(makeRequest(addKernel(", tw.divisibility = 16 : i64")));
  Compiled second(makeRequest(addKernel(", tw.divisibility = 16 : i64")));
  ASSERT_EQ(first.status, TW_OK) << first.text();
  EXPECT_EQ(std::string(first.response.format.data, first.response.format.size),
            "kernel-ir");
  EXPECT_EQ(first.payload.substr(0, 4), "TWKI");
  EXPECT_EQ(first.payload, second.payload);
  const tw_kernel_record &record = first.record();
  ASSERT_EQ(record.parameter_count, 4u);
  EXPECT_EQ(record.parameters[3].dtype, uint32_t(TW_DTYPE_I32));
  EXPECT_EQ(record.user_block_bytes, 28u);
  ASSERT_EQ(record.fact_count, 1u);
  EXPECT_EQ(record.facts[0].kind, uint32_t(TW_FACT_DIVISIBLE));
}

TEST(Plugin, EscapesOfOtherVendorsAreRefusedAtTheirPlace) {
  Compiled assembly(makeRequest(
      around("%0 = kernel.inline_asm \"nvidia\" \"mov.b32 $0, $1;\" "
             "constraints \"=r,r\" pack 1 (%x) : (i32) -> i32")));
  EXPECT_EQ(assembly.status, TW_E_DIAGNOSED);
  ASSERT_TRUE(assembly.hasCode(4127)) << assembly.text();
  EXPECT_EQ(assembly.diagnostics[0].file, "k.py");
  EXPECT_EQ(assembly.diagnostics[0].line, 4u);
  Compiled call(makeRequest(around("%0 = kernel.extern_call \"lib\" \"f\" (%x) "
                                   ": (i32) -> i32")));
  EXPECT_TRUE(call.hasCode(4128)) << call.text();
}

TEST(Plugin, OptionsAreChecked) {
  Request wrong = makeRequest(addKernel());
  wrong.setOption("check", "everything");
  EXPECT_TRUE(Compiled(wrong).hasCode(4106));
  Request number = makeRequest(addKernel());
  number.setOption("check", int64_t(1));
  EXPECT_TRUE(Compiled(number).hasCode(4106));
  Request unknown = makeRequest(addKernel());
  unknown.setOption("opt_level", 2, TW_OPTION_MUST_UNDERSTAND);
  EXPECT_EQ(Compiled(unknown).status, TW_E_UNKNOWN_OPTION);
  Request fine = makeRequest(addKernel());
  fine.setOption("check", "bounds", TW_OPTION_MUST_UNDERSTAND);
  fine.setOption("num_warps", 4, TW_OPTION_MUST_UNDERSTAND);
  EXPECT_EQ(Compiled(fine).status, TW_OK);
}

TEST(Plugin, DamagedAndForeignBytesAreRefused) {
  Request damaged = makeRequest(addKernel());
  damaged.bytes[damaged.bytes.size() / 2] ^= 1;
  Compiled broken(damaged);
  EXPECT_EQ(broken.status, TW_E_DIAGNOSED);
  EXPECT_FALSE(broken.diagnostics.empty());
  Request foreign = makeRequest(addKernel());
  foreign.format = "org.example.ir";
  EXPECT_TRUE(Compiled(foreign).hasCode(4104));
  foreign.format = "tw.portable"; // of version 0, which nobody reads
  EXPECT_TRUE(Compiled(foreign).hasCode(4104));
  Request missing = makeRequest(addKernel());
  missing.entries = {"subtract"};
  EXPECT_TRUE(Compiled(missing).hasCode(4108));
}

} // namespace
} // namespace tilewright::reference::test
