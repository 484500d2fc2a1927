//===- TargetTest.cpp - Names of SPIR-V targets -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spelling, defaults and refusals; nothing here needs a device.
//===----------------------------------------------------------------------===//
#include "backends/spirv/Target.h"
#include "backends/spirv/codegen/Words.h"

#include <gtest/gtest.h>

namespace tilewright::spirv {
namespace {

std::string resolved(const std::string &name) {
  Problem problem;
  std::optional<Target> target = resolveTarget(name, problem);
  return target ? target->name : "TW" + std::to_string(problem.code);
}

TEST(Target, IsMadeExplicit) {
  EXPECT_EQ(resolved("spirv:opencl1.2"),
            "spirv:opencl1.2+spv1.0+local32768+threads256");
  EXPECT_EQ(resolved("spirv:opencl2.0"),
            "spirv:opencl2.0+spv1.0+svm+local32768+threads256");
  EXPECT_EQ(resolved("spirv:opencl3.0+spv1.4+svm+fp64+sg16+threads64+local0"),
            "spirv:opencl3.0+spv1.4+fp64+svm+sg16+threads64");
  EXPECT_EQ(resolved("spirv:opencl2.2+fp16-svm"),
            "spirv:opencl2.2+spv1.2+fp16+local32768+threads256");
}

TEST(Target, ResolvedNamesStay) {
  for (const char *name :
       {"spirv:opencl1.2", "spirv:opencl2.2+fp16+int64_atomics",
        "spirv:opencl3.0+spv1.3+sg32+float_atomics"}) {
    std::string once = resolved(name);
    EXPECT_EQ(resolved(once), once);
  }
}

TEST(Target, RefusalsNameWhatIsWrong) {
  EXPECT_EQ(resolved("cpu"), "TW4101");
  EXPECT_EQ(resolved("spirv:opencl2.0@99"), resolved("spirv:opencl2.0"))
      << "a named version needs no device";
  EXPECT_EQ(resolved("spirv:opencl9.9"), "TW4102");
  EXPECT_EQ(resolved("spirv:opencl2.0+fp15"), "TW4103");
  EXPECT_EQ(resolved("spirv:opencl2.0+local"), "TW4103");
  EXPECT_EQ(resolved("spirv:opencl2.0+spv2.0"), "TW4103");
  EXPECT_EQ(resolved("spirv:opencl2.0+sg16"), "TW4103") << "needs SPIR-V 1.3";
  EXPECT_EQ(resolved("spirv:opencl3.0+spv1.3+sg12"), "TW4103");
  EXPECT_EQ(resolved("spirv:opencl2.0@x"), "TW4101");
}

TEST(Words, ZerosBecomeConstants) {
  // A module header, i32, i64, bool, float and struct types, a zero of each.
  Words words = {0x07230203, 0x10000, 0, 20, 0};
  auto add = [&](std::initializer_list<uint32_t> instruction) {
    words.push_back(uint32_t(instruction.size() + 1) << 16);
    size_t at = words.size() - 1;
    auto op = *instruction.begin();
    words[at] = uint32_t(instruction.size()) << 16 | op;
    words.insert(words.end(), instruction.begin() + 1, instruction.end());
  };
  add({21, 1, 32, 0});
  add({21, 2, 64, 0});
  add({20, 3});
  add({22, 4, 32});
  add({30, 5, 1, 4});
  for (uint32_t type = 1; type <= 5; ++type)
    add({46, type, 10 + type});
  rewriteScalarNulls(words);
  std::vector<std::vector<uint32_t>> constants;
  forEachInstruction(words, [&](size_t at, uint32_t op, size_t length) {
    if (op >= 42 && op <= 46) {
      constants.emplace_back(words.begin() + at + 1,
                             words.begin() + at + length);
      constants.back().insert(constants.back().begin(), op);
    }
  });
  std::vector<std::vector<uint32_t>> expected = {{43, 1, 11, 0},
                                                 {43, 2, 12, 0, 0},
                                                 {42, 3, 13},
                                                 {43, 4, 14, 0},
                                                 {46, 5, 15}};
  EXPECT_EQ(constants, expected);
}

TEST(Words, DamagedModulesAreNone) {
  EXPECT_TRUE(readWords("abc").empty());
  EXPECT_TRUE(readWords(std::string(20, '\0')).empty());
  Words words = {0x07230203, 0x10000, 0, 1, 0, 9 << 16 | 17, 4};
  EXPECT_TRUE(readWords(writeWords(words)).empty()) << "cut short";
}

} // namespace
} // namespace tilewright::spirv
