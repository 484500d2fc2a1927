//===- RegisterWalk.h - Loops over single registers -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves of large tensors between private and shared memory: a loop over those
// registers of the running thread that take part in a round of the move,
// without a test for each of the others.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_REGISTERWALK_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_REGISTERWALK_H

#include "backends/simt/emit/SharedBuffer.h"

namespace tilewright::simt {

/// Whether a tensor of this layout has more registers than are moved one by
/// one. Its values live in private memory.
bool isMovedInLoops(const LinearLayout &layout, const ChunkSizes &sizes);

/// The registers whose number has given bits in this thread: those x with
/// `M x == y` over GF(2), where y is what the thread's own part leaves to be
/// added. They are one solution and the kernel of M, which the loop runs over.
class RegisterWalk {
public:
  /// `number` maps (warp, lane, register) to one packed output; `filter` are
  /// the bits of it that are asked for. Registers with a bit of `skipped` are
  /// left out.
  RegisterWalk(Emitter &e, const LinearLayout &number, uint64_t filter = 0,
               uint64_t skipped = 0);

  /// Emits `body` for the index and the number of each register (both i32)
  /// whose number has the bits `wanted` (null: 0) under the filter. Other
  /// threads have other registers: no barriers inside.
  void forEach(
      llvm::Value *wanted,
      llvm::function_ref<void(llvm::Value *index, llvm::Value *number)> body);

private:
  Emitter &e;
  LinearIndex number;
  uint64_t filter;
  std::vector<uint64_t> solution;  ///< by bit of y: the registers to add
  std::vector<uint64_t> remainder; ///< by bit of y: 0 if there is a solution
  std::vector<uint64_t> freely;    ///< registers that span the kernel of M
};

/// Writes 0 to a value's private memory, where padding is not written later.
void clearPrivate(Emitter &e, mlir::Value value);

/// Emits `body` for each round, i32, with barriers between.
void forEachRound(Emitter &e, unsigned rounds,
                  llvm::function_ref<void(llvm::Value *round)> body);

/// Bits of a number that tell rounds apart, and those inside a round.
uint64_t roundMask(const BufferRounds &rounds);
uint64_t insideMask(const BufferRounds &rounds);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_CHUNKS_REGISTERWALK_H
