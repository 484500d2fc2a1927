//===- ChunkReduction.h - Reductions of large tensors -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction at the end of a run of chunks: each chunk is folded where it is
// made, onto partial values in private memory, so that neither the code nor the
// registers grow with the tensor.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKREDUCTION_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKREDUCTION_H

#include "backends/simt/analysis/MovePlans.h"
#include "backends/simt/emit/Emitter.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// Whether the reduction may take its elements in any order, as chunks give
/// them.
bool isFoldedByChunks(kernel::ReduceOp op);

/// One reduction while its operands' chunks are made.
class ChunkReduction {
public:
  ChunkReduction(Emitter &e, kernel::ReduceOp op);

  /// Inside the loop, once the operands have the registers of chunk `index`.
  void addChunk(llvm::Value *index);
  /// Behind the loop: sets the results, or gives their private memory, one a
  /// result, where that already holds them.
  llvm::SmallVector<llvm::AllocaInst *> finish();

private:
  using Values = Registers; ///< one value an operand

  Values combine(const Values &lower, const Values &upper);
  /// The partial values of one chunk, by register; folded ones are empty.
  std::vector<Values> foldChunk();
  llvm::Value *isInExtent(unsigned index);
  llvm::Value *slotOf(llvm::Value *index, unsigned registerIndex);
  Values load(llvm::Value *slot);
  void store(const Values &values, llvm::Value *slot);
  bool isResult();

  Emitter &e;
  kernel::ReduceOp op;
  ReductionPlan plan;
  uint64_t folded = 0; ///< register bits of the operand that are folded
  unsigned registerBits = 0;
  llvm::SmallVector<llvm::AllocaInst *> memory; ///< one an operand
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKREDUCTION_H
