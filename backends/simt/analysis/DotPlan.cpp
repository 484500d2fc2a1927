//===- DotPlan.cpp - Operands of a product in shared memory -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The widest window of K whose operands fit the scratch limit.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/DotPlan.h"

using namespace mlir;

namespace tilewright::simt {

DotPlan planOf(DotOp op, const ScratchRules &rules) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  unsigned rank = result.getRank();
  auto bits = [](int64_t extent) { return llvm::Log2_64_Ceil(extent); };
  DotPlan plan;
  plan.isStated = op.getIsStated();
  plan.elementBytes = result.getElementType().getIntOrFloatBitWidth() / 8;
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    plan.batchBits += bits(result.getDimSize(dim));
  plan.mBits = bits(result.getDimSize(rank - 2));
  plan.nBits = bits(result.getDimSize(rank - 1));
  plan.kBits = plan.windowBits = bits(lhs.getDimSize(rank - 1));
  // The stated order takes two products at a time.
  unsigned least = plan.isStated ? std::min(plan.kBits, 1u) : 0;
  while (plan.windowBits > least && plan.scratchBytes() > rules.limitBytes)
    --plan.windowBits;
  return plan;
}

} // namespace tilewright::simt
