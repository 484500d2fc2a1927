//===- Chunks.h - Loops over the registers of large tensors -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of many registers a thread would make code of that length for each
// operation. A run of elementwise operations on it is emitted once, for one
// chunk of registers, in a loop over the chunks; what crosses runs lives in
// private memory of the thread.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_H

#include "backends/simt/emit/Emitter.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

/// Registers of one chunk, and from how many on a tensor is cut into chunks.
inline constexpr unsigned kChunkBits = 5;
inline constexpr unsigned kFewestRegisterBits = 8;

/// Operations of one block to be emitted together.
struct ChunkRun {
  llvm::SmallVector<mlir::Operation *> before; ///< emitted before the loop
  llvm::SmallVector<mlir::Operation *> members;
  /// Fold what members or earlier runs made; no member reads their results.
  llvm::SmallVector<kernel::ReduceOp> reductions;
  mlir::RankedTensorType
      type;                  ///< its shape and layout are those of all members
  mlir::Block::iterator end; ///< behind the run
};

/// The run that begins at `begin`, if it is worth a loop.
std::optional<ChunkRun> findChunkRun(mlir::Block::iterator begin,
                                     mlir::Block::iterator end);

/// Whether shapes and layouts are equal, whatever the elements.
bool isSameTensor(mlir::RankedTensorType lhs, mlir::RankedTensorType rhs);

/// The layout of one chunk: the lowest registers alone.
LinearLayout chunkLayout(const LinearLayout &layout);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_H
