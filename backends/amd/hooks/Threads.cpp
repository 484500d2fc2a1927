//===- Threads.cpp - Barriers, scopes, shuffles -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes exchange values in the vector unit where there is a way (DPP and
// permutations), else through the LDS unit, which needs no memory for it.
//===----------------------------------------------------------------------===//
#include "backends/amd/hooks/AmdHooks.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace tilewright::amd {

/// Fences around it order the accesses of the work-group; those that name the
/// LDS alone need not wait for global memory. With direct copies they would
/// wait for all that are under way: a wave then waits for its accesses of the
/// LDS itself, and the fences only keep LLVM from moving accesses.
void AmdHooks::barrier(Builder &b, simt::Spaces spaces) {
  LLVMContext &context = b.getContext();
  bool waitsItself = options.copiesDirectly && spaces == simt::Spaces::Shared;
  SyncScope::ID scope = waitsItself
                            ? context.getOrInsertSyncScopeID("wavefront")
                            : syncScope(context, kernel::MemoryScope::Block);
  auto fence = [&](AtomicOrdering ordering) {
    FenceInst *made = b.CreateFence(ordering, scope);
    if (spaces == simt::Spaces::Shared)
      made->setMetadata(
          LLVMContext::MD_mmra,
          MMRAMetadata::getTagMD(context, "amdgpu-synchronize-as", "local"));
  };
  fence(AtomicOrdering::Release);
  if (waitsItself)
    waitCounts(b, kMostVector, /*lds=*/0);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  fence(AtomicOrdering::Acquire);
}

SyncScope::ID AmdHooks::syncScope(LLVMContext &context,
                                  kernel::MemoryScope scope) const {
  switch (scope) {
  case kernel::MemoryScope::Block:
    return context.getOrInsertSyncScopeID("workgroup");
  case kernel::MemoryScope::Device:
    return context.getOrInsertSyncScopeID("agent");
  case kernel::MemoryScope::System:
    return SyncScope::System;
  }
  llvm_unreachable("unknown scope");
}

//===--- Shuffles ---------------------------------------------------------===//

/// Controls of DPP ("AMD CDNA 3 ISA", table of DPP controls).
static constexpr unsigned kRowMirror = 0x140, kRowHalfMirror = 0x141,
                          kRowRotate = 0x120, kRowXor = 0x160;

static Value *moveByDpp(IRBuilderBase &b, Value *word, unsigned control) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_mov_dpp, {b.getInt32Ty()},
                           {word, b.getInt32(control), b.getInt32(0xf),
                            b.getInt32(0xf), b.getTrue()});
}

/// Lane i of a quad gets the value of lane i ^ mask.
static unsigned quadXor(unsigned mask) {
  unsigned control = 0;
  for (unsigned lane = 0; lane < 4; ++lane)
    control |= (lane ^ mask) << (2 * lane);
  return control;
}

/// Exclusive or with `mask` inside of 32 lanes, by ds_swizzle.
static Value *swizzle(IRBuilderBase &b, Value *word, unsigned mask) {
  constexpr unsigned andMask = 0x1f;
  return b.CreateIntrinsic(Intrinsic::amdgcn_ds_swizzle, {},
                           {word, b.getInt32(mask << 10 | andMask)});
}

/// v_permlanex16: each lane takes the lane of its number in the other half of
/// 32, so an exclusive or with 16.
static Value *exchangeRows(IRBuilderBase &b, Value *word) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_permlanex16, {b.getInt32Ty()},
                           {word, word, b.getInt32(0x76543210),
                            b.getInt32(int(0xfedcba98)), b.getFalse(),
                            b.getFalse()});
}

/// v_permlane16_swap and v_permlane32_swap of a register with a copy of it:
/// the odd rows of the first and the even ones of the second change places.
static Value *swapRows(IRBuilderBase &b, Value *word, Value *lane,
                       unsigned mask) {
  Intrinsic::ID id = mask == 16 ? Intrinsic::amdgcn_permlane16_swap
                                : Intrinsic::amdgcn_permlane32_swap;
  Value *pair =
      b.CreateIntrinsic(id, {}, {word, word, b.getFalse(), b.getFalse()});
  Value *isUpper =
      b.CreateICmpNE(b.CreateAnd(lane, b.getInt32(mask)), b.getInt32(0));
  return b.CreateSelect(isUpper, b.CreateExtractValue(pair, 0),
                        b.CreateExtractValue(pair, 1));
}

/// One word of a shuffleXor.
Value *AmdHooks::exchangeWord(Builder &b, Value *word, unsigned mask) {
  if (mask < 4)
    return moveByDpp(b, word, quadXor(mask));
  if (!chip.isCDNA() && mask < 16)
    return moveByDpp(b, word, kRowXor | mask);
  switch (mask) {
  case 7:
    return moveByDpp(b, word, kRowHalfMirror);
  case 8:
    return moveByDpp(b, word, kRowRotate | 8);
  case 15:
    return moveByDpp(b, word, kRowMirror);
  case 16:
  case 32:
    if (!chip.isCDNA())
      return exchangeRows(b, word);
    if (chip.family == Family::CDNA4)
      return swapRows(b, word, laneId(b), mask);
    break;
  }
  if (mask < 32)
    return swizzle(b, word, mask);
  Value *lane = b.CreateXor(laneId(b), b.getInt32(mask));
  return b.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                           {b.CreateShl(lane, 2), word});
}

Value *AmdHooks::shuffleXor(Builder &b, Value *value, unsigned mask) {
  if (mask == 0)
    return value;
  return byWords(b, value,
                 [&](Value *word) { return exchangeWord(b, word, mask); });
}

Value *AmdHooks::shuffleIndex(Builder &b, Value *value, Value *lane) {
  Value *address = b.CreateShl(lane, 2);
  return byWords(b, value, [&](Value *word) {
    return b.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                             {address, word});
  });
}

Value *AmdHooks::ballot(Builder &b, Value *predicate) {
  return b.CreateIntrinsic(Intrinsic::amdgcn_ballot, {b.getIntNTy(chip.lanes)},
                           {predicate});
}

} // namespace tilewright::amd
