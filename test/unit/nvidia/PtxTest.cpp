//===- PtxTest.cpp - How an LLVM module becomes PTX -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left to ptxas.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Ptx.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

TEST(Ptx, SumsOfMultiplesStayApart) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(R"(
define ptx_kernel void @kernel(ptr addrspace(1) %x, i32 %b, i32 %s) {
  %s2 = mul nsw i32 %s, 2
  %s3 = mul nsw i32 %s, 3
  %v1 = add nsw i32 %b, %s2
  %v2 = add nsw i32 %b, %s3
  store volatile i32 %v1, ptr addrspace(1) %x
  store volatile i32 %v2, ptr addrspace(1) %x
  ret void
})",
                                          error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  Problem problem;
  Report report(nullptr);
  llvm::OptPassGate *before = &context.getOptPassGate();
  simt::Machine machine =
      createMachine(*resolveTarget("nvidia:sm_80", problem), 3, report);
  optimiseForPtx(*module, *machine, 3);
  std::optional<std::string> ptx = writePtx(*module, *machine);
  ASSERT_TRUE(ptx);
  EXPECT_NE(ptx->find("mad.lo.s32"), std::string::npos) << *ptx;
  EXPECT_EQ(&context.getOptPassGate(), before);
}
