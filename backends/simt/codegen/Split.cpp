//===- Split.cpp - The kernels of a module apart ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads need contexts of their own, which values cannot change: kernels go
// from one to another as bitcode.
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/Split.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tilewright::simt {

/// Whether a function is defined to be called from outside of its module alone.
static bool isKernel(const Function &function) {
  return !function.isDeclaration() && function.hasExternalLinkage() &&
         function.use_empty();
}

/// The functions if all are kernels that share no definition; else none.
static SmallVector<Function *> separateKernels(Module &module) {
  SmallVector<Function *> kernels;
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (!isKernel(function))
      return {};
    kernels.push_back(&function);
  }
  bool definesData = any_of(module.globals(), [](const GlobalVariable &global) {
    return !global.isDeclaration();
  });
  if (definesData || !module.alias_empty() || !module.ifunc_empty())
    return {};
  return kernels;
}

/// Uses keep their order, which passes go by.
static Bitcode writeAlone(const Module &module, const Function *kernel) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> copy = CloneModule(
      module, map, [&](const GlobalValue *value) { return value == kernel; });
  for (Function &function : make_early_inc_range(*copy))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  Bitcode bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*copy, stream, /*ShouldPreserveUseListOrder=*/true);
  return bitcode;
}

std::vector<Bitcode> splitKernels(Module &module) {
  SmallVector<Function *> kernels = separateKernels(module);
  std::vector<Bitcode> others;
  for (Function *kernel : drop_begin(kernels, kernels.empty() ? 0 : 1)) {
    others.push_back(writeAlone(module, kernel));
    kernel->eraseFromParent();
  }
  return others;
}

std::unique_ptr<Module> readKernel(const Bitcode &bitcode,
                                   LLVMContext &context) {
  MemoryBufferRef buffer(StringRef(bitcode.data(), bitcode.size()), "kernel");
  return cantFail(parseBitcodeFile(buffer, context));
}

} // namespace tilewright::simt
