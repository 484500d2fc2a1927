//===- CoverageTest.cpp - Every legal operation has a meaning -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of legal operations against the interpreter's.
//===----------------------------------------------------------------------===//
#include "test/unit/reference/Harness.h"

#include <set>

namespace tilewright::reference::test {
namespace {

TEST(Coverage, EveryLegalOperationIsExecutedOrRefused) {
  // Structure is walked by its parent; two escapes are for one vendor.
  const std::set<std::string> others = {
      "builtin.module",    "func.func",         "func.return",
      "scf.condition",     "scf.yield",         "kernel.yield",
      "kernel.inline_asm", "kernel.extern_call"};
  size_t rows = 0;
#define KERNEL_OP(name, form, operands, results)                               \
  ++rows;                                                                      \
  EXPECT_NE(Semantics::get().knows(name), others.count(name) == 1) << name;
#include "dialects/kernel/verify/KernelIRTable.def"
  EXPECT_GT(rows, 100u);
}

} // namespace
} // namespace tilewright::reference::test
