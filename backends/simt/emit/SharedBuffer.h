//===- SharedBuffer.h - Scratch memory and linear addresses -----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations that move values between threads share: a layout evaluated
// for the running thread, typed buffers in scratch memory, and loops that deal
// items to threads.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_EMIT_SHAREDBUFFER_H
#define TILEWRIGHT_BACKENDS_SIMT_EMIT_SHAREDBUFFER_H

#include "backends/simt/analysis/MovePlans.h"
#include "backends/simt/emit/Emitter.h"

namespace tilewright::simt {

/// i32: the exclusive or of `columns[k]` over the set bits k of `index`.
llvm::Value *emitLinearMap(Emitter &e, llvm::Value *index,
                           llvm::ArrayRef<uint64_t> columns);

/// The packed outputs of a layout (warp, lane, register) in this thread: what
/// the thread adds is computed once, what a register adds is known.
class LinearIndex {
public:
  LinearIndex(Emitter &e, LinearLayout layout);

  /// i32: the packed output of a register.
  llvm::Value *at(unsigned index) const;
  uint64_t ofRegister(unsigned index) const;
  /// i32: the packed output of a register that is known at run time.
  llvm::Value *at(llvm::Value *index) const;
  /// i32: what the thread adds, exclusive or `known`.
  llvm::Value *ofThreads(uint64_t known) const;
  /// Whether no thread touches the bits of `mask`.
  bool isStatic(uint64_t mask) const;
  const LinearLayout &layout() const { return map; }

private:
  Emitter &e;
  LinearLayout map;
  llvm::Value *ofThread;
};

/// i1, or null for "always": whether this thread is the first of those that
/// hold the same elements.
llvm::Value *emitIsOwner(Emitter &e, const LinearLayout &layout);

/// Elements of one type in scratch memory.
class SharedBuffer {
public:
  SharedBuffer(Emitter &e, llvm::Value *base, mlir::Type element)
      : e(e), base(base), element(element) {}

  llvm::Value *load(llvm::Value *offset) const;
  void store(llvm::Value *value, llvm::Value *offset) const;
  /// Consecutive elements from an offset that is a multiple of their number.
  Registers loadVector(llvm::Value *offset, unsigned count) const;
  void storeVector(llvm::ArrayRef<llvm::Value *> values,
                   llvm::Value *offset) const;

private:
  llvm::Value *address(llvm::Value *offset) const;

  Emitter &e;
  llvm::Value *base;
  mlir::Type element;
};

/// Buffers of `count` elements of each type, one after the other, from `begin`
/// bytes into the operation's scratch memory. `begin` is moved past them.
class SharedBuffers {
public:
  SharedBuffers(Emitter &e, mlir::Operation *op, mlir::TypeRange elements,
                uint64_t count, uint64_t &begin);

  /// One value a buffer.
  Registers load(llvm::Value *offset) const;
  void store(llvm::ArrayRef<llvm::Value *> values, llvm::Value *offset) const;

private:
  llvm::SmallVector<SharedBuffer> buffers;
};

/// Deals items [0, count) to the program's threads.
void forEachItem(Emitter &e, uint64_t count,
                 llvm::function_ref<void(llvm::Value *item)> body);

/// Which elements of a linear number belong to a round: all where there is one.
class RoundFilter {
public:
  RoundFilter(Emitter &e, const BufferRounds &rounds, unsigned round)
      : e(e), rounds(rounds), round(round) {}

  /// Bits of a number that tell rounds apart.
  uint64_t mask() const {
    return rounds.rounds == 1 ? 0 : uint64_t(rounds.rounds - 1) << rounds.bits;
  }
  /// Whether the register is known to be of another round in every thread.
  bool isElsewhere(const LinearIndex &number, unsigned index) const;
  /// i1, or null for "always".
  llvm::Value *isHere(const LinearIndex &number, unsigned index) const;
  llvm::Value *isHere(llvm::Value *number) const;
  /// The number inside the round's buffer.
  llvm::Value *inside(llvm::Value *number) const;

private:
  Emitter &e;
  BufferRounds rounds;
  unsigned round;
};

/// Both conditions; null is "always".
llvm::Value *emitAnd(Emitter &e, llvm::Value *lhs, llvm::Value *rhs);
/// The scratch rules of the emitter's target.
ScratchRules scratchRules(const Emitter &e);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_EMIT_SHAREDBUFFER_H
