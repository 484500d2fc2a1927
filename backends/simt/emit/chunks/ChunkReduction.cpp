//===- ChunkReduction.cpp - Reductions of large tensors -------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a register's number the bits that run along the axis are folded: low ones
// inside a chunk, high ones from chunk to chunk. The others number the partial
// values, in the order in which ReductionPlan leaves them.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/chunks/ChunkReduction.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"
#include "backends/simt/emit/chunks/Chunks.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

bool isFoldedByChunks(kernel::ReduceOp op) { return !isStated(op); }

/// The operand's register bits that the plan folds: it numbers them without
/// those that it folded before.
static uint64_t foldedRegisterBits(const ReductionPlan &plan) {
  std::vector<unsigned> left;
  for (unsigned bit = 0; bit < plan.distinct.inputBits(registerDim); ++bit)
    left.push_back(bit);
  uint64_t folded = 0;
  for (const Fold &fold : plan.folds) {
    if (fold.isLane)
      continue;
    folded |= uint64_t(1) << left[fold.inputBit];
    left.erase(left.begin() + fold.inputBit);
  }
  return folded;
}

ChunkReduction::ChunkReduction(Emitter &e, kernel::ReduceOp op)
    : e(e), op(op), plan(planOf(op, scratchRules(e))),
      folded(foldedRegisterBits(plan)),
      registerBits(plan.distinct.inputBits(registerDim)) {
  unsigned keptBits = registerBits - llvm::popcount(folded);
  for (mlir::Value operand : op.getOperands())
    memory.push_back(e.allocatePrivate(e.memoryType(operand.getType()),
                                       uint64_t(1) << keptBits));
}

ChunkReduction::Values ChunkReduction::combine(const Values &lower,
                                               const Values &upper) {
  Values both = lower;
  both.append(upper);
  return e.emitCombine(op.getCombine().front(), both);
}

/// i1, or null for "always": whether a register of the chunk stands inside the
/// axis's extent.
Value *ChunkReduction::isInExtent(unsigned index) {
  EmittedLayout &layout = e.layout(op.getOperands()[0]);
  int64_t extent = layout.shape[op.getAxis()];
  if (llvm::isPowerOf2_64(extent))
    return nullptr;
  return e.b.CreateICmpULT(e.coordinate(layout, op.getAxis(), index),
                           e.i32(extent));
}

std::vector<ChunkReduction::Values> ChunkReduction::foldChunk() {
  std::vector<Values> partials(1u << e.target.chunks.chunkBits);
  for (mlir::Value operand : op.getOperands())
    for (auto [values, value] : llvm::zip_equal(partials, e.registers(operand)))
      values.push_back(value);
  for (unsigned bit = e.target.chunks.chunkBits; bit-- > 0;) {
    unsigned mask = 1u << bit;
    if (!(folded & mask))
      continue;
    for (unsigned r = 0; r < partials.size(); ++r) {
      if ((r & mask) || partials[r].empty())
        continue;
      Values all = combine(partials[r], partials[r | mask]);
      if (Value *isValid = isInExtent(r | mask))
        for (auto [value, alone] : llvm::zip_equal(all, partials[r]))
          value = e.b.CreateSelect(isValid, value, alone);
      partials[r] = std::move(all);
      partials[r | mask].clear();
    }
  }
  return partials;
}

/// i32: the partial value that a register of chunk `index` belongs to.
Value *ChunkReduction::slotOf(Value *index, unsigned registerIndex) {
  uint64_t known = 0;
  std::vector<uint64_t> byChunk;
  unsigned next = 0;
  for (unsigned bit = 0; bit < registerBits; ++bit) {
    uint64_t column = folded >> bit & 1 ? 0 : uint64_t(1) << next++;
    if (bit >= e.target.chunks.chunkBits)
      byChunk.push_back(column);
    else if (registerIndex >> bit & 1)
      known |= column;
  }
  return e.b.CreateOr(emitLinearMap(e, index, byChunk), e.i32(known));
}

ChunkReduction::Values ChunkReduction::load(Value *slot) {
  Values values;
  for (auto [operand, array] : llvm::zip_equal(op.getOperands(), memory)) {
    llvm::Type *type = e.memoryType(operand.getType());
    Value *raw = e.b.CreateLoad(type, e.b.CreateInBoundsGEP(type, array, slot));
    values.push_back(e.fromMemory(raw, operand.getType()));
  }
  return values;
}

void ChunkReduction::store(const Values &values, Value *slot) {
  for (auto [operand, array, value] :
       llvm::zip_equal(op.getOperands(), memory, values))
    e.b.CreateStore(
        e.toMemory(value),
        e.b.CreateInBoundsGEP(e.memoryType(operand.getType()), array, slot));
}

void ChunkReduction::addChunk(Value *index) {
  std::vector<Values> partials = foldChunk();
  uint64_t foldedChunks = folded >> e.target.chunks.chunkBits;
  Value *isLater = nullptr; // not the first of the chunks that are folded
  if (foldedChunks)
    isLater =
        e.b.CreateICmpNE(e.b.CreateAnd(index, e.i32(foldedChunks)), e.i32(0));
  for (unsigned r = 0; r < partials.size(); ++r) {
    Values &values = partials[r];
    if (values.empty())
      continue;
    Value *slot = slotOf(index, r);
    if (isLater) {
      const Values &own = values;
      values = e.emitIf(isLater, own, [&] {
        Values earlier = load(slot);
        Values all = combine(earlier, own);
        if (Value *isValid = isInExtent(r))
          for (auto [value, alone] : llvm::zip_equal(all, earlier))
            value = e.b.CreateSelect(isValid, value, alone);
        return all;
      });
    }
    store(values, slot);
  }
}

/// Whether the partial values are the result's registers, in order.
bool ChunkReduction::isResult() {
  if (plan.isThroughShared || !layoutOf(op.getResult(0).getType()))
    return false;
  for (const Fold &fold : plan.folds)
    if (fold.isLane)
      return false;
  const LinearLayout &source = plan.resultSource;
  unsigned bits = registerBits - llvm::popcount(folded);
  if (source.inputBits(registerDim) != bits)
    return false;
  for (unsigned bit = 0; bit < bits; ++bit)
    if ((source.basis(registerDim, bit) & source.outputMask(registerDim)) >>
            source.outputShift(registerDim) !=
        uint64_t(1) << bit)
      return false;
  return true;
}

llvm::SmallVector<llvm::AllocaInst *> ChunkReduction::finish() {
  if (isResult())
    return memory;
  std::vector<Values> partials;
  unsigned bits = registerBits - llvm::popcount(folded);
  for (unsigned slot = 0; slot < 1u << bits; ++slot)
    partials.push_back(load(e.i32(slot)));
  finishReduce(e, op, std::move(partials));
  return {};
}

} // namespace tilewright::simt
