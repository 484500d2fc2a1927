//===- PtxForms.cpp - The instructions of PTX that are known ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table: names, number of operands, types, and the modifiers that are
// implemented. An instruction outside of it is refused, never approximated.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/ptx/PtxEvaluator.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

namespace {
/// Words separated by blanks.
struct PtxForm {
  StringRef names;
  unsigned operands;
  StringRef types;
  StringRef modifiers;
};
} // namespace

// clang-format off
static const PtxForm forms[] = {
    {"add sub", 3, "u16 s16 u32 s32 u64 s64 bf16 bf16x2", ""},
    {"add sub mul", 3, "f32 f16 f16x2", "rn ftz sat"},
    {"add sub mul div", 3, "f64", "rn"},
    {"add sub mul", 3, "bf16 bf16x2", "rn"},
    {"mul", 3, "u16 s16 u32 s32", "lo hi wide"},
    {"mul", 3, "u64 s64", "lo"},
    {"mad", 4, "u16 s16 u32 s32", "lo hi wide"},
    {"mad", 4, "u64 s64", "lo"},
    {"mad fma", 4, "f32", "rn ftz sat"},
    {"mad fma", 4, "f64", "rn"},
    {"fma", 4, "f16 f16x2", "rn ftz sat"},
    {"fma", 4, "f16 f16x2", "rn ftz relu"},
    {"fma", 4, "bf16 bf16x2", "rn relu"},
    {"div rem", 3, "u16 s16 u32 s32 u64 s64", ""},
    {"div", 3, "f32", "approx full rn ftz"},
    {"min max", 3, "u16 s16 u32 s32 u64 s64 f64", ""},
    {"min max", 3, "s32", "relu"},
    {"min max", 3, "f32 f16 f16x2", "ftz NaN"},
    {"min max", 3, "bf16 bf16x2", "NaN"},
    {"neg abs", 2, "s16 s32 s64 f64 bf16 bf16x2", ""},
    {"neg abs", 2, "f32 f16 f16x2", "ftz"},
    {"ex2", 2, "f32 f16 f16x2 bf16 bf16x2", "approx ftz"},
    {"lg2 sin cos", 2, "f32", "approx ftz"},
    {"sqrt rcp", 2, "f32", "approx rn ftz"},
    {"sqrt rcp", 2, "f64", "rn"},
    {"rsqrt", 2, "f32", "approx ftz"},
    {"rsqrt rcp", 2, "f64", "approx ftz"},
    {"tanh", 2, "f32 f16 f16x2 bf16 bf16x2", "approx"},
    {"and or xor", 3, "b16 b32 b64 pred", ""},
    {"not", 2, "b16 b32 b64 pred", ""},
    {"shl", 3, "b16 b32 b64", ""},
    {"shr", 3, "b16 b32 b64 u16 s16 u32 s32 u64 s64", ""},
    {"popc clz", 2, "b32 b64", ""},
    {"bfe", 4, "u32 s32", ""},
    {"bfi lop3", 5, "b32", ""},
    {"prmt", 4, "b32", ""},
    {"mov", 2, "b16 b32 b64 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64 pred", ""},
    {"selp", 4, "b16 b32 b64 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64", ""},
    {"setp", 3, "b16 b32 b64", "eq ne"},
    {"setp", 3, "s16 s32 s64", "eq ne lt le gt ge"},
    {"setp", 3, "u16 u32 u64", "eq ne lt le gt ge lo ls hi hs"},
    {"setp", 3, "f32 f64 f16 bf16",
     "eq ne lt le gt ge equ neu ltu leu gtu geu num nan ftz"},
};
// clang-format on

static bool hasWord(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

bool PtxInstruction::hasOnly(unsigned types, StringRef allowed) const {
  return llvm::all_of(llvm::ArrayRef(suffixes).drop_back(types),
                      [&](StringRef word) { return hasWord(allowed, word); });
}

bool sema::isKnownPtx(const PtxInstruction &instruction) {
  if (instruction.name == "cvt")
    return true;
  return llvm::any_of(forms, [&](const PtxForm &form) {
    return hasWord(form.names, instruction.name) &&
           instruction.operands.size() == form.operands &&
           hasWord(form.types, instruction.suffixes.back()) &&
           instruction.hasOnly(1, form.modifiers);
  });
}
