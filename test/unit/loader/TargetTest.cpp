//===- TargetTest.cpp - Target strings --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar, round trips, and what it refuses.
//===----------------------------------------------------------------------===//
#include "plugins/loader/Target.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plugins;

TEST(Target, SplitsIntoItsParts) {
  Problem problem;
  auto target = parseTarget("spirv:opencl1.2+fp16-fp64@1", problem);
  ASSERT_TRUE(target) << problem.str();
  EXPECT_EQ(target->vendor, "spirv");
  EXPECT_EQ(target->arch, "opencl1.2");
  ASSERT_EQ(target->features.size(), 2u);
  EXPECT_EQ(target->features[0].name, "fp16");
  EXPECT_TRUE(target->features[0].enabled);
  EXPECT_EQ(target->features[1].name, "fp64");
  EXPECT_FALSE(target->features[1].enabled);
  EXPECT_EQ(target->device, 1u);
}

TEST(Target, DashJoinsArchNamesButRemovesFeatures) {
  struct Row {
    const char *text;
    const char *arch;
    size_t features;
  };
  for (Row row : {Row{"cpu:x86-64-v4", "x86-64-v4", 0},
                  Row{"cpu:skylake-avx512", "skylake-avx512", 0},
                  Row{"cpu:neoverse-n1+sve", "neoverse-n1", 1},
                  Row{"cpu:znver4-avx512f", "znver4", 1},
                  Row{"amd:gfx9-4-generic", "gfx9-4-generic", 0},
                  Row{"amd:gfx90a-xnack", "gfx90a", 1}}) {
    Problem problem;
    auto target = parseTarget(row.text, problem);
    ASSERT_TRUE(target) << row.text << ": " << problem.str();
    EXPECT_EQ(target->arch, row.arch) << row.text;
    EXPECT_EQ(target->features.size(), row.features) << row.text;
  }
}

TEST(Target, PrintsWhatItParsed) {
  for (const char *text :
       {"cpu", "cpu@0", "nvidia:sm_90a", "spirv@1", "cpu:znver4-sse4a+avx2@3",
        "cpu:x86-64-v3", "amd:gfx942+xnack"}) {
    Problem problem;
    auto target = parseTarget(text, problem);
    ASSERT_TRUE(target) << problem.str();
    EXPECT_EQ(target->str(), text);
  }
}

TEST(Target, RefusesEverythingElse) {
  for (const char *text :
       {"", ":sm_90a", "9cpu", "cpu:", "cpu:+avx2", "cpu+", "cpu:znver4-",
        "cpu@", "cpu@x", "cpu@1x", "cpu@999999", "cpu@-1", "cpu avx",
        "cpu,nvidia", "cpu:znver4:x", "cpu@1+avx2"}) {
    Problem problem;
    EXPECT_FALSE(parseTarget(text, problem)) << text;
    EXPECT_EQ(problem.code, 5010u) << text;
    EXPECT_FALSE(problem.hint.empty());
  }
}
