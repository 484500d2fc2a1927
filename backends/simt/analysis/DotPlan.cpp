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

LinearLayout DotPlan::places(const LinearLayout &operand, bool isRhs) const {
  unsigned rows = rowBits(isRhs);
  std::vector<uint64_t> columns; // of the operand's dimensions, the last first
  auto addDepth = [&] {
    for (unsigned bit = 0; bit < kBits; ++bit) {
      unsigned place = isStated ? kBits - 1 - bit : bit;
      columns.push_back(uint64_t(1) << (rows + batchBits + place));
    }
  };
  if (!isRhs)
    addDepth();
  for (unsigned bit = 0; bit < rows; ++bit)
    columns.push_back(uint64_t(1) << bit);
  if (isRhs)
    addDepth();
  for (unsigned bit = 0; bit < batchBits; ++bit)
    columns.push_back(uint64_t(1) << (rows + bit));
  LayoutDims outputs = {{offsetDim, rows + batchBits + kBits}};
  return operand.compose(LinearLayout(operand.outputs(), outputs, columns));
}

LinearLayout DotPlan::placesRead(const LinearLayout &result, bool isRhs) const {
  unsigned rows = rowBits(isRhs);
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < nBits; ++bit)
    columns.push_back(isRhs ? uint64_t(1) << bit : 0);
  for (unsigned bit = 0; bit < mBits; ++bit)
    columns.push_back(isRhs ? 0 : uint64_t(1) << bit);
  for (unsigned bit = 0; bit < batchBits; ++bit)
    columns.push_back(uint64_t(1) << (rows + bit));
  LayoutDims outputs = {{offsetDim, rows + batchBits}};
  return result.compose(LinearLayout(result.outputs(), outputs, columns));
}

} // namespace tilewright::simt
