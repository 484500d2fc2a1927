//===- Accesses.h - What operations touch in memory -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of simt IR to shared and global memory, in the order in which one
// operation makes them, and which of two accesses conflict: placing barriers
// and checking them both start here.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_ACCESSES_H
#define TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_ACCESSES_H

#include "backends/simt/dialect/SimtOps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::simt {

enum class MemorySpace { Shared, Global };

/// What different threads may touch in one step of an operation.
struct Access {
  mlir::Operation *op = nullptr;
  MemorySpace space = MemorySpace::Shared;
  bool isWrite = false;
  bool isAsync = false; ///< goes on until a wait

  uint64_t begin = 0, end = 0; ///< bytes of shared memory
  /// Of one of several buffers that a constant or a loop's rotating slot picks:
  /// the allocation, the number of its buffers, the first slot and the loop
  /// that advances it by one a turn (null: it stays).
  mlir::Value buffers;
  unsigned slotCount = 1, firstSlot = 0;
  mlir::Operation *slotLoop = nullptr;

  /// Kernel arguments that the address may come from.
  llvm::SmallVector<mlir::Value, 2> roots;
  bool isAnywhere = false; ///< or from elsewhere
  /// Set where each thread touches elements of its own: no two threads share
  /// one, and equal operands mean equal owners.
  mlir::Value view;
  llvm::SmallVector<mlir::Value, 4> offsets;
  mlir::Type shaped;
};

/// What lies between two accesses on a path.
struct Passage {
  /// No loop's back edge that changes the first access's operands.
  bool isSameValue = true;
  /// Of accesses to one of several buffers: back edges taken of the first loop
  /// that had one, modulo their number; unknown once another loop's was taken.
  mlir::Operation *loop = nullptr;
  unsigned turns = 0;
  bool isTurnsKnown = true;

  /// The passage behind one more back edge.
  Passage behind(const Access &first, mlir::Operation *backEdge) const;
  auto key() const {
    return std::make_tuple(isSameValue, loop, turns, isTurnsKnown);
  }
  bool operator==(const Passage &other) const { return key() == other.key(); }
};

/// One step of an operation.
struct Step {
  enum Kind { Touch, Barrier, Commit, Wait } kind = Touch;
  Access access;              ///< of Touch
  bool isGlobal = false;      ///< of Barrier: orders global memory as well
  unsigned pendingGroups = 0; ///< of Wait
};

/// The accesses of a kernel whose shared memory has been allocated.
class AccessModel {
public:
  explicit AccessModel(mlir::func::FuncOp kernel);

  /// The steps of an operation without regions, in order.
  llvm::SmallVector<Step> steps(mlir::Operation *op) const;

  /// Whether two accesses by different threads may meet in an element, one of
  /// them writing.
  bool conflict(const Access &first, const Access &second,
                const Passage &passage) const;

private:
  void addShared(llvm::SmallVector<Step> &steps, mlir::Operation *op,
                 mlir::Value memory, mlir::Value buffer, bool isWrite,
                 bool isAsync = false) const;
  void addGlobal(llvm::SmallVector<Step> &steps, mlir::Operation *op,
                 mlir::Value address, bool isWrite) const;
  template <typename Op>
  void addBox(llvm::SmallVector<Step> &steps, Op op, mlir::Type shaped,
              bool isWrite) const;
  void addAtomic(llvm::SmallVector<Step> &steps, mlir::Operation *op,
                 mlir::Value base, kernel::MemorySemantics semantics) const;
  bool mayAlias(const Access &first, const Access &second) const;

  mlir::func::FuncOp kernel;
};

/// Whether all operands that make up the access's address are defined outside
/// the loop.
bool isInvariant(const Access &access, mlir::Operation *loop);

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_ANALYSIS_ACCESSES_H
