//===- Threads.cpp - Barriers, fences, shuffles -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a block do together.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/hooks/NvidiaHooks.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace tilewright::nvidia {

static constexpr uint32_t kAllLanes = 0xffffffff;

/// bar.sync orders shared and global accesses of the block; one warp needs no
/// more than bar.warp.sync, which does the same for it.
void NvidiaHooks::barrier(Builder &b, simt::Spaces) {
  if (threads <= 32)
    b.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {},
                      {b.getInt32(kAllLanes)});
  else
    b.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {},
                      {b.getInt32(0)});
}

static const char *scopeText(kernel::MemoryScope scope) {
  switch (scope) {
  case kernel::MemoryScope::Block:
    return "cta";
  case kernel::MemoryScope::Device:
    return "gpu";
  case kernel::MemoryScope::System:
    return "sys";
  }
  llvm_unreachable("unknown scope");
}

void NvidiaHooks::fence(Builder &b, kernel::MemorySemantics semantics,
                        kernel::MemoryScope scope) {
  if (semantics == kernel::MemorySemantics::Relaxed)
    return;
  callPtx(b, b.getVoidTy(),
          (Twine("fence.acq_rel.") + scopeText(scope) + ";").str(), "~{memory}",
          {});
}

Value *NvidiaHooks::shuffle(Builder &b, Intrinsic::ID id, Value *value,
                            Value *selector, uint32_t clamp) {
  return byWords(b, value, [&](Value *word) {
    return b.CreateIntrinsic(
        id, {}, {b.getInt32(kAllLanes), word, selector, b.getInt32(clamp)});
  });
}

Value *NvidiaHooks::shuffleIndex(Builder &b, Value *value, Value *lane) {
  return shuffle(b, Intrinsic::nvvm_shfl_sync_idx_i32, value, lane, 31);
}

Value *NvidiaHooks::shuffleXor(Builder &b, Value *value, unsigned mask) {
  return shuffle(b, Intrinsic::nvvm_shfl_sync_bfly_i32, value, b.getInt32(mask),
                 31);
}

Value *NvidiaHooks::shuffleUp(Builder &b, Value *value, unsigned delta) {
  return shuffle(b, Intrinsic::nvvm_shfl_sync_up_i32, value, b.getInt32(delta),
                 0);
}

Value *NvidiaHooks::ballot(Builder &b, Value *predicate) {
  return b.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {},
                           {b.getInt32(kAllLanes), predicate});
}

} // namespace tilewright::nvidia
