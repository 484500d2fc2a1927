//===- MaskedStores.cpp - Masked stores of one element ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after the optimiser, which is what makes masks constant.
//===----------------------------------------------------------------------===//
#include "backends/cpu/codegen/MaskedStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace tilewright::cpu {

/// The only element that a constant mask has; none for other masks.
static std::optional<unsigned> onlyElement(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  std::optional<unsigned> found;
  for (unsigned i = 0; constant && type && i < type->getNumElements(); ++i) {
    llvm::Constant *element = constant->getAggregateElement(i);
    if (!element || !llvm::isa<llvm::ConstantInt>(element))
      return std::nullopt;
    if (element->isZeroValue())
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

void narrowMaskedStores(llvm::Module &module) {
  llvm::SmallVector<std::pair<llvm::IntrinsicInst *, unsigned>> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
        if (auto element = onlyElement(call->getArgOperand(2)))
          found.emplace_back(call, *element);
    }
  for (auto [call, element] : found) {
    llvm::IRBuilder<> b(call);
    llvm::Value *value =
        b.CreateExtractElement(call->getArgOperand(0), uint64_t(element));
    llvm::Value *pointer = b.CreateConstInBoundsGEP1_64(
        value->getType(), call->getArgOperand(1), element);
    b.CreateAlignedStore(value, pointer, llvm::Align(1))
        ->setAAMetadata(call->getAAMetadata());
    call->eraseFromParent();
  }
}

} // namespace tilewright::cpu
