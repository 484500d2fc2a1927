//===- TargetTest.cpp - Target strings of the CPU compiler ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolution, generations, nearest names and refusals.
//===----------------------------------------------------------------------===//
#include "backends/cpu/Target.h"

#include <gtest/gtest.h>

namespace tilewright::cpu {
namespace {

Target resolved(const char *text) {
  Problem problem;
  std::optional<Target> target = resolveTarget(text, problem);
  EXPECT_TRUE(target) << text << ": " << problem.message;
  return target.value_or(Target());
}

Problem refused(const char *text) {
  Problem problem;
  EXPECT_FALSE(resolveTarget(text, problem)) << text;
  return problem;
}

TEST(Target, GenerationsHaveTheirVectors) {
  EXPECT_EQ(resolved("cpu:x86-64").vector.registerBits, 128u);
  EXPECT_FALSE(resolved("cpu:x86-64").vector.hasFma);
  EXPECT_FALSE(resolved("cpu:x86-64").vector.hasRounding);
  EXPECT_TRUE(resolved("cpu:x86-64-v2").vector.hasRounding);
  EXPECT_EQ(resolved("cpu:x86-64-v3").vector.registerBits, 256u);
  EXPECT_TRUE(resolved("cpu:x86-64-v3").vector.hasFma);
  EXPECT_FALSE(resolved("cpu:x86-64-v3").vector.hasMaskRegisters);
  Target wide = resolved("cpu:x86-64-v4");
  EXPECT_EQ(wide.vector.registerBits, 512u);
  EXPECT_EQ(wide.vector.registerCount, 32u);
  EXPECT_TRUE(wide.vector.hasMaskRegisters);
}

TEST(Target, DashJoinsNamesAndRemovesFeatures) {
  EXPECT_EQ(resolved("cpu:skylake-avx512").processor, "skylake-avx512");
  Target narrow = resolved("cpu:znver4-avx512f");
  EXPECT_EQ(narrow.processor, "znver4");
  EXPECT_EQ(narrow.features, "-avx512f");
  EXPECT_EQ(narrow.vector.registerBits, 256u);
  Target old = resolved("cpu:haswell+avx512f-fma");
  EXPECT_EQ(old.features, "+avx512f,-fma");
}

TEST(Target, ResolvedNamesAreFixpoints) {
  for (const char *text : {"cpu", "cpu:host", "cpu:x86-64-v3+avx512f",
                           "cpu:znver4-sse4a", "cpu:generic", "cpu:aarch64"}) {
    std::string name = resolved(text).name;
    EXPECT_EQ(resolved(name.c_str()).name, name);
    EXPECT_EQ(resolved(name.c_str()).compat, resolved(text).compat);
  }
}

TEST(Target, CompatListsWhatTheDriverChecks) {
  EXPECT_EQ(resolved("cpu:x86-64").compat, "x86_64;");
  std::string compat = resolved("cpu:x86-64-v3").compat;
  EXPECT_NE(compat.find("avx2"), std::string::npos) << compat;
  EXPECT_EQ(compat.find("avx512f"), std::string::npos) << compat;
  EXPECT_EQ(resolved("cpu:x86-64+fma-fma").compat.find("fma"),
            std::string::npos);
}

TEST(Target, OtherArchitecture) {
  Target arm = resolved("cpu:neoverse-n1");
  EXPECT_EQ(arm.triple, "aarch64-unknown-linux-gnu");
  EXPECT_EQ(arm.vector.registerCount, 32u);
  EXPECT_EQ(arm.compat, "aarch64;");
}

TEST(Target, UnknownNamesGetTheNearestOne) {
  Problem processor = refused("cpu:znver44");
  EXPECT_EQ(processor.code, 4102u);
  EXPECT_EQ(processor.hint, "did you mean 'cpu:znver4'?");
  Problem feature = refused("cpu:znver4+avx51f");
  EXPECT_EQ(feature.code, 4103u);
  EXPECT_EQ(feature.hint, "did you mean 'avx512f'?");
  EXPECT_EQ(refused("cpu:i686").code, 4102u) << "no 64-bit mode";
  EXPECT_EQ(refused("cpu:").code, 4102u);
}

TEST(Target, MalformedTexts) {
  EXPECT_EQ(refused("nvidia:sm_90a").code, 4101u);
  EXPECT_EQ(refused("").code, 4101u);
  EXPECT_EQ(refused("cpux").code, 4101u);
  EXPECT_EQ(refused("cpu:znver4+").code, 4103u);
  EXPECT_EQ(refused("cpu@1").code, 4101u);
  EXPECT_EQ(refused("cpu@").code, 4101u);
  EXPECT_EQ(resolved("cpu:znver4@0").processor, "znver4");
}

} // namespace
} // namespace tilewright::cpu
