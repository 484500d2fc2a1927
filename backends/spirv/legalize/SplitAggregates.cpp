//===- SplitAggregates.cpp - Choices between aggregates ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %p = phi {i32, i1} [%a, %x], [%b, %y]
// becomes one phi a leaf, built from extractvalue where the operand is defined,
// and an insertvalue chain that the uses' extractvalues look through.
//===----------------------------------------------------------------------===//
#include "backends/spirv/legalize/Legalize.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using llvm::Value;

namespace tilewright::spirv {

using Path = llvm::SmallVector<unsigned>;

static void collectLeaves(llvm::Type *type, Path &path,
                          llvm::SmallVectorImpl<Path> &leaves) {
  unsigned count = 0;
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    count = structure->getNumElements();
  else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    count = array->getNumElements();
  else
    return leaves.push_back(path);
  for (unsigned i = 0; i < count; ++i) {
    path.push_back(i);
    collectLeaves(llvm::ExtractValueInst::getIndexedType(type, i), path,
                  leaves);
    path.pop_back();
  }
}

/// Puts leaves together at the builder's place.
static Value *join(llvm::IRBuilder<> &b, llvm::Type *type,
                   llvm::ArrayRef<Path> leaves, llvm::ArrayRef<Value *> parts) {
  Value *whole = llvm::PoisonValue::get(type);
  for (auto [path, part] : llvm::zip_equal(leaves, parts))
    whole = b.CreateInsertValue(whole, part, path);
  return whole;
}

static void splitPhi(llvm::PHINode &phi) {
  Path path;
  llvm::SmallVector<Path> leaves;
  collectLeaves(phi.getType(), path, leaves);
  llvm::SmallVector<Value *> parts;
  llvm::SmallVector<llvm::PHINode *> made;
  for (const Path &leaf : leaves) {
    llvm::IRBuilder<> b(&phi);
    llvm::Type *type =
        llvm::ExtractValueInst::getIndexedType(phi.getType(), leaf);
    made.push_back(b.CreatePHI(type, phi.getNumIncomingValues()));
    parts.push_back(made.back());
  }
  llvm::IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value *whole = join(b, phi.getType(), leaves, parts);
  phi.replaceAllUsesWith(whole);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::IRBuilder<> end(phi.getIncomingBlock(i)->getTerminator());
    for (auto [leaf, part] : llvm::zip_equal(leaves, made))
      part->addIncoming(end.CreateExtractValue(phi.getIncomingValue(i), leaf),
                        phi.getIncomingBlock(i));
  }
  phi.eraseFromParent();
}

static void splitSelect(llvm::SelectInst &select) {
  Path path;
  llvm::SmallVector<Path> leaves;
  collectLeaves(select.getType(), path, leaves);
  llvm::IRBuilder<> b(&select);
  llvm::SmallVector<Value *> parts;
  for (const Path &leaf : leaves)
    parts.push_back(
        b.CreateSelect(select.getCondition(),
                       b.CreateExtractValue(select.getTrueValue(), leaf),
                       b.CreateExtractValue(select.getFalseValue(), leaf)));
  select.replaceAllUsesWith(join(b, select.getType(), leaves, parts));
  select.eraseFromParent();
}

/// Loads and stores of whole aggregates, leaf by leaf.
static void splitAccess(llvm::Instruction &access,
                        const llvm::DataLayout &data) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&access);
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  llvm::Type *type =
      load ? load->getType() : store->getValueOperand()->getType();
  Path path;
  llvm::SmallVector<Path> leaves;
  collectLeaves(type, path, leaves);
  llvm::IRBuilder<> b(&access);
  llvm::SmallVector<Value *> parts;
  for (const Path &leaf : leaves) {
    llvm::SmallVector<Value *> indices = {b.getInt32(0)};
    for (unsigned index : leaf)
      indices.push_back(b.getInt32(index));
    llvm::Type *part = llvm::ExtractValueInst::getIndexedType(type, leaf);
    int64_t offset = data.getIndexedOffsetInType(type, indices);
    Value *address = b.CreateConstGEP1_64(
        b.getInt8Ty(), llvm::getLoadStorePointerOperand(&access), offset);
    llvm::Align align =
        llvm::commonAlignment(llvm::getLoadStoreAlignment(&access), offset);
    if (load)
      parts.push_back(
          b.CreateAlignedLoad(part, address, align, load->isVolatile()));
    else
      b.CreateAlignedStore(b.CreateExtractValue(store->getValueOperand(), leaf),
                           address, align, store->isVolatile());
  }
  if (load)
    load->replaceAllUsesWith(join(b, type, leaves, parts));
  access.eraseFromParent();
}

/// Looks through the chains that splitting left.
static void foldExtracts(llvm::Function &function) {
  const llvm::DataLayout &data = function.getParent()->getDataLayout();
  llvm::SmallVector<llvm::WeakTrackingVH> chains;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (llvm::isa<llvm::InsertValueInst>(instruction))
      chains.push_back(&instruction);
    auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
    if (!extract)
      continue;
    if (Value *value = llvm::simplifyInstruction(extract, {data, extract})) {
      extract->replaceAllUsesWith(value);
      extract->eraseFromParent();
    }
  }
  for (llvm::WeakTrackingVH &chain : llvm::reverse(chains))
    if (chain)
      llvm::RecursivelyDeleteTriviallyDeadInstructions(chain);
}

static bool isAccessOfAggregate(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getType()->isAggregateType();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand()->getType()->isAggregateType();
  return false;
}

void splitAggregates(llvm::Function &function) {
  const llvm::DataLayout &data = function.getParent()->getDataLayout();
  bool changed = false;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    bool isAggregate = instruction.getType()->isAggregateType();
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (phi && isAggregate)
      splitPhi(*phi);
    else if (select && isAggregate)
      splitSelect(*select);
    else if (isAccessOfAggregate(instruction))
      splitAccess(instruction, data);
    else
      continue;
    changed = true;
  }
  if (changed)
    foldExtracts(function);
}

} // namespace tilewright::spirv
