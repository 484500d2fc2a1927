//===- ApartTest.cpp - PTX of several kernels at once -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that share nothing are generated apart, and the whole text is that of
// one module; others stay together.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/Apart.h"
#include "backends/nvidia/codegen/Assemble.h"
#include "backends/nvidia/codegen/Ptx.h"
#include "backends/simt/codegen/Split.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::StringRef;

namespace {
constexpr const char *twoKernels = R"(
@tw_shared = external addrspace(3) global [0 x i8], align 128
define ptx_kernel void @first(ptr addrspace(1) %x, i32 %n) {
  %p = getelementptr i32, ptr addrspace(3) @tw_shared, i32 %n
  store i32 %n, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) @tw_shared
  store i32 %v, ptr addrspace(1) %x
  ret void
}
define ptx_kernel void @second(ptr addrspace(1) %x, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @tw_shared, i32 %t
  store i32 %n, ptr addrspace(3) %p
  %q = getelementptr i32, ptr addrspace(3) @tw_shared, i32 %n
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %x
  ret void
}
)";

class Apart : public testing::Test {
protected:
  std::unique_ptr<llvm::Module> parse(const std::string &text) {
    llvm::SMDiagnostic error;
    auto module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    return module;
  }

  /// The PTX of a module, its kernels apart or together.
  std::string ptx(const std::string &text, bool isApart) {
    auto module = parse(text);
    Report report(nullptr);
    simt::Machine machine = createMachine(target, 3, report);
    std::optional<KernelsApart> others;
    if (isApart)
      others.emplace(*module, target, 3);
    optimiseForPtx(*module, *machine, 3);
    std::optional<std::string> written = writePtx(*module, *machine);
    EXPECT_TRUE(written);
    EXPECT_TRUE(!others || others->appendTo(*written, report));
    return written.value_or("");
  }

  llvm::LLVMContext context;
  Problem problem;
  Target target = *resolveTarget("nvidia:sm_80", problem);
};

/// Instructions and declarations, without the numbers of labels.
std::multiset<std::string> linesOf(StringRef ptx) {
  std::multiset<std::string> lines;
  llvm::SmallVector<StringRef> split;
  ptx.split(split, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : split)
    lines.insert(line.trim().str());
  return lines;
}
} // namespace

TEST_F(Apart, TextIsThatOfOneModule) {
  std::string apart = ptx(twoKernels, true);
  EXPECT_EQ(linesOf(apart), linesOf(ptx(twoKernels, false)));
  EXPECT_LT(apart.find(".entry first("), apart.find(".entry second("));
  Report report(nullptr);
  if (auto assembled = assemble(apart, target, AssemblerOptions(), report))
    EXPECT_EQ(assembled->kernels.size(), 2u);
  EXPECT_FALSE(report.hasErrors());
}

TEST_F(Apart, AllButTheFirstLeave) {
  auto module = parse(twoKernels);
  std::vector<simt::Bitcode> others = simt::splitKernels(*module);
  ASSERT_EQ(others.size(), 1u);
  EXPECT_FALSE(module->getFunction("second"));
  auto second = simt::readKernel(others[0], context);
  EXPECT_FALSE(second->getFunction("second")->isDeclaration());
  EXPECT_FALSE(second->getFunction("first"));
}

TEST_F(Apart, WhatIsSharedKeepsKernelsTogether) {
  for (const char *shared : {"@text = internal constant [2 x i8] c\"a\\00\"",
                             "define internal void @helper() {\n  ret void\n}",
                             "declare i32 @vprintf(ptr, ptr)"}) {
    auto module = parse(std::string(twoKernels) + shared + "\n");
    EXPECT_TRUE(simt::splitKernels(*module).empty());
    EXPECT_TRUE(module->getFunction("second"));
  }
}
