//===- KernelEffects.cpp - Memory effects of Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of the kernel dialect read, write or stay in place.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/rules/AccessEffects.h"

using namespace mlir;
using namespace tilewright::kernel;

void LoadOp::getEffects(EffectList &effects) {
  addRead(effects);
  if (getIsVolatile())
    addWrite(effects);
}

void GatherOp::getEffects(EffectList &effects) {
  addRead(effects);
  if (getIsVolatile())
    addWrite(effects);
}

void StoreOp::getEffects(EffectList &effects) { addWrite(effects); }

void ScatterOp::getEffects(EffectList &effects) { addWrite(effects); }

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
