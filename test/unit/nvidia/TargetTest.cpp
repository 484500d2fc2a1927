//===- TargetTest.cpp - Spellings of NVIDIA targets -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What resolves to what, and what is refused with which advice.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/Target.h"

#include <gtest/gtest.h>

using namespace tilewright::nvidia;

static std::string resolved(const char *text) {
  Problem problem;
  std::optional<Target> target = resolveTarget(text, problem);
  return target ? target->name : "refused: " + problem.message;
}

TEST(Target, BareVendorIsTheDocumentedDefault) {
  EXPECT_EQ(resolved("nvidia"), "nvidia:sm_90a");
  EXPECT_EQ(resolved("nvidia@1"), "nvidia:sm_90a");
}

TEST(Target, ResolvedNamesResolveToThemselves) {
  for (const std::string &name : knownArchitectures()) {
    std::string text = "nvidia:" + name;
    EXPECT_EQ(resolved(text.c_str()), text);
  }
  EXPECT_EQ(resolved("nvidia:sm_90a+ptx86"), "nvidia:sm_90a+ptx86");
}

TEST(Target, RefusesWhatCodeGenerationDoesNotKnow) {
  EXPECT_EQ(resolved("nvidia:sm_91"),
            "refused: unknown NVIDIA architecture 'sm_91'");
  EXPECT_EQ(resolved("nvidia:sm_90a+fp16"),
            "refused: unknown feature '+fp16' of an NVIDIA target");
  EXPECT_EQ(resolved("nvidia:sm_90a-ptx80"),
            "refused: unknown feature '-ptx80' of an NVIDIA target");
}

TEST(Target, RefusesPtxVersionsThatDoNotKnowTheArchitecture) {
  EXPECT_EQ(resolved("nvidia:sm_100a+ptx80"),
            "refused: expected PTX version 86 to 90 for sm_100a, got 80");
  EXPECT_EQ(resolved("nvidia:sm_80+ptx91"),
            "refused: expected PTX version 70 to 90 for sm_80, got 91");
}
