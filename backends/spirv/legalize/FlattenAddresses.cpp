//===- FlattenAddresses.cpp - Addresses in bytes ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V's pointers have element types, which LLVM's target guesses from uses:
// where an address of floats is the base of one in bytes (as hoisting out of
// loops makes them), it counts the floats in bytes. All in bytes leaves nothing
// to guess.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace tilewright::spirv {

void flattenAddresses(llvm::Function &function) {
  const llvm::DataLayout &data = function.getParent()->getDataLayout();
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || address->getType()->isVectorTy() ||
        address->getSourceElementType()->isIntegerTy(8))
      continue;
    llvm::IRBuilder<> b(address);
    llvm::Value *offset = llvm::emitGEPOffset(&b, data, address);
    address->replaceAllUsesWith(b.CreatePtrAdd(
        address->getPointerOperand(), offset, "", address->getNoWrapFlags()));
    address->eraseFromParent();
  }
}

} // namespace tilewright::spirv
