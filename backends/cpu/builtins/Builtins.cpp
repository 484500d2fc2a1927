//===- Builtins.cpp - The embedded objects ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build generates BuiltinsObjects.inc: the arrays and their table.
//===----------------------------------------------------------------------===//
#include "backends/cpu/builtins/Builtins.h"

namespace tilewright::cpu {

#include "BuiltinsObjects.inc"

llvm::ArrayRef<BuiltinsObject> builtinsObjects() { return objects; }

llvm::ArrayRef<llvm::StringLiteral> builtinNames() {
  static constexpr llvm::StringLiteral names[] = {
      "__extendhfsf2", "__truncdfbf2", "__truncdfhf2", "__truncsfbf2",
      "__truncsfhf2",  "ceil",         "ceilf",        "floor",
      "floorf",        "fma",          "fmaf",         "fmod",
      "fmodf",         "memcmp",       "memcpy",       "memmove",
      "memset",        "nearbyint",    "nearbyintf",   "rint",
      "rintf",         "round",        "roundeven",    "roundevenf",
      "roundf",        "trunc",        "truncf"};
  return names;
}

} // namespace tilewright::cpu
