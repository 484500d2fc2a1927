//===- WithoutPasses.h - Less of LLVM's code generator ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a target's code generator does for processors, and is not worth its time
// for kernels.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_WITHOUTPASSES_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_WITHOUTPASSES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"

namespace tilewright::simt {

/// While it lives, code generation in a context skips passes, named by their
/// arguments ("slsr"). LLVM asks only for those that code is right without.
class WithoutPasses : public llvm::OptPassGate {
public:
  WithoutPasses(llvm::LLVMContext &context,
                llvm::ArrayRef<llvm::StringRef> names)
      : names(names), context(context), before(context.getOptPassGate()) {
    context.setOptPassGate(*this);
  }
  WithoutPasses(const WithoutPasses &) = delete;
  ~WithoutPasses() override { context.setOptPassGate(before); }
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return !llvm::is_contained(names, pass);
  }

private:
  llvm::SmallVector<llvm::StringRef> names;
  llvm::LLVMContext &context;
  llvm::OptPassGate &before;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_WITHOUTPASSES_H
