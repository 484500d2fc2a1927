//===- Chunks.h - Loops over the registers of large tensors -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of many registers a thread would make code of that length for each
// operation. A run of elementwise operations on it is emitted once, for one
// chunk of registers, in a loop over the chunks; what crosses runs lives in
// private memory of the thread.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKS_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKS_H

#include "backends/simt/emit/Emitter.h"
#include "dialects/kernel/KernelOps.h"

namespace tilewright::simt {

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
                                     mlir::Block::iterator end,
                                     const ChunkSizes &sizes);

/// Whether shapes and layouts are equal, whatever the elements.
bool isSameTensor(mlir::RankedTensorType lhs, mlir::RankedTensorType rhs);

/// The layout of one chunk: the lowest registers alone.
LinearLayout chunkLayout(const LinearLayout &layout, const ChunkSizes &sizes);

/// Whether a layout has many registers, no two of a thread alike, and the bits
/// of coordinates that tell chunks apart are touched by nothing else: vectors
/// and bounds inside a chunk are then those of the whole.
bool isCutIntoChunks(const LinearLayout &layout, const ChunkSizes &sizes);

/// What each bit of the chunk's number adds to the outputs of a map from
/// registers.
std::vector<uint64_t> chunkColumns(const LinearLayout &map,
                                   const ChunkSizes &sizes);

/// Copies registers or private memory of one value to the private memory of
/// another of the same layout.
void copyPrivate(Emitter &e, mlir::Value to, mlir::Value from);

/// The layout of chunk `index` of a tensor: coordinates get what the index
/// adds. Chunks of one register may be those of any layout.
std::unique_ptr<EmittedLayout> layoutOfChunk(Emitter &e, EmittedLayout &whole,
                                             llvm::Value *index,
                                             const ChunkSizes &sizes);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_CHUNKS_H
