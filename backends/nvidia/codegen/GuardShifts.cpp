//===- GuardShifts.cpp - Shifts that LLVM selects rightly -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs behind the optimiser: it would take the masks out again.
//===----------------------------------------------------------------------===//
#include "backends/nvidia/codegen/GuardShifts.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tilewright::nvidia {

/// Bits of a shift's amount that PTX reads.
static constexpr unsigned kAmountBits = 32;

/// Masks an amount of which PTX may not see all bits. Amounts of the width or
/// more are poison, so that the mask changes no result that is used.
static void maskAmount(BinaryOperator &shift, const DataLayout &layout) {
  unsigned width = shift.getType()->getScalarSizeInBits();
  Value *amount = shift.getOperand(1);
  if (width <= kAmountBits ||
      computeKnownBits(amount, layout).countMaxActiveBits() <= kAmountBits)
    return;
  IRBuilder<> builder(&shift);
  shift.setOperand(1, builder.CreateAnd(amount, width - 1));
}

static void dropWrongFlag(BinaryOperator &shift) {
  unsigned width = shift.getType()->getScalarSizeInBits();
  if (shift.getOpcode() == Instruction::Shl &&
      match(shift.getOperand(1), m_SpecificInt(width - 1)))
    shift.setHasNoSignedWrap(false);
}

void guardShifts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *shift = dyn_cast<BinaryOperator>(&instruction);
      if (!shift || !shift->isShift())
        continue;
      maskAmount(*shift, module.getDataLayout());
      dropWrongFlag(*shift);
    }
}

} // namespace tilewright::nvidia
