//===- TargetTest.cpp - Spellings of AMD targets ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What resolves to what, and what is refused with which advice.
//===----------------------------------------------------------------------===//
#include "backends/amd/Target.h"

#include <gtest/gtest.h>

using namespace tilewright::amd;

static std::string resolved(const std::string &text) {
  Problem problem;
  std::optional<Target> target = resolveTarget(text, problem);
  return target ? target->name : "refused: " + problem.message;
}

TEST(AmdTarget, BareVendorIsTheDocumentedDefault) {
  EXPECT_EQ(resolved("amd"), "amd:gfx942");
  EXPECT_EQ(resolved("amd@1"), "amd:gfx942");
  EXPECT_EQ(resolved("amd:gfx1100@0"), "amd:gfx1100");
}

TEST(AmdTarget, ResolvedNamesResolveToThemselves) {
  for (const std::string &name : knownArchitectures())
    EXPECT_EQ(resolved("amd:" + name), "amd:" + name);
  EXPECT_EQ(resolved("amd:gfx90a+sramecc-xnack"), "amd:gfx90a+sramecc-xnack");
}

TEST(AmdTarget, FeaturesAreWrittenAsLLVMAndTheObjectDo) {
  Problem problem;
  Target target = *resolveTarget("amd:gfx90a+sramecc-xnack", problem);
  EXPECT_EQ(target.features, "+sramecc,-xnack");
  EXPECT_EQ(target.targetId, "gfx90a:sramecc+:xnack-");
}

TEST(AmdTarget, RefusesWhatCodeGenerationDoesNotKnow) {
  EXPECT_EQ(resolved("amd:gfx941"),
            "refused: expected an AMD architecture, got 'gfx941'");
  EXPECT_EQ(resolved("amd:gfx942+wave32"),
            "refused: expected a feature of gfx942, got 'wave32'");
  EXPECT_EQ(resolved("amd:gfx1100+xnack"),
            "refused: expected a feature of gfx1100, got 'xnack'");
  EXPECT_EQ(resolved("amdgpu"),
            "refused: expected a target of vendor amd, got 'amdgpu'");
}

TEST(AmdTarget, WavesAndMemoryAreTheFamilys) {
  Problem problem;
  EXPECT_EQ(resolveTarget("amd:gfx942", problem)->lanes, 64u);
  EXPECT_EQ(resolveTarget("amd:gfx1201", problem)->lanes, 32u);
  EXPECT_EQ(resolveTarget("amd:gfx950", problem)->ldsBytes, 160u << 10);
  EXPECT_EQ(resolveTarget("amd:gfx9-4-generic", problem)->codeObject, 6u);
}
