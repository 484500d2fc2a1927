//===- TileEffects.cpp - Memory effects of the tile dialect ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of the tile dialect read, write or stay in place.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/AccessEffects.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright::tile;
using tilewright::kernel::addAssumption;
using tilewright::kernel::addRead;
using tilewright::kernel::addReadWrite;
using tilewright::kernel::addWrite;
using tilewright::kernel::EffectList;

void DescriptorLoadOp::getEffects(EffectList &effects) { addRead(effects); }

void DescriptorGatherOp::getEffects(EffectList &effects) { addRead(effects); }

void LoadOp::getEffects(EffectList &effects) {
  addRead(effects);
  if (getIsVolatile())
    addWrite(effects);
}

void StoreOp::getEffects(EffectList &effects) { addWrite(effects); }

void DescriptorScatterOp::getEffects(EffectList &effects) { addWrite(effects); }

void AtomicRMWOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void AtomicCASOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void BarrierOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void PrintOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void AssertOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void TrapOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void ClockOp::getEffects(EffectList &effects) { addReadWrite(effects); }

void AssumeOp::getEffects(EffectList &effects) { addAssumption(effects); }

void InlineAsmOp::getEffects(EffectList &effects) {
  if (!getPure())
    addReadWrite(effects);
}

void ExternCallOp::getEffects(EffectList &effects) {
  if (!getPure())
    addReadWrite(effects);
}

/// A descriptor store with a `kind` also reads what it combines with.
void DescriptorStoreOp::getEffects(EffectList &effects) {
  if (getKind())
    addRead(effects);
  addWrite(effects);
}
