//===- Plan.h - Which values live in memory ---------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a block is emitted, every tensor value in it is either recomputed
// where it is wanted (inline) or kept in a scratch buffer (stored). The plan
// also knows when each value is read, so that loads never move across writes
// that may alias and buffers are reused.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_PLAN_H
#define TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_PLAN_H

#include "backends/cpu/loops/plan/Buffers.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::cpu {

/// What is known about one tensor value.
struct ValueInfo {
  bool isStored = false;     ///< lives in a buffer, or will
  bool isEager = false;      ///< must be computed where it is defined
  bool isReady = false;      ///< the buffer holds the value
  bool ownsBuffer = false;   ///< the buffer is released with the value
  bool isForced = false;     ///< a consumer addresses it as memory
  bool isCaptured = false;   ///< read inside a nested region
  bool isReplicated = false; ///< read again for every outer index
  bool isRead = false;
  bool onlyElementwise = true; ///< every reader uses its own index
  bool hasManyRoots = false;
  bool hasLoad = false;
  mlir::Operation *root = nullptr; ///< loop nest that reads it
  unsigned firstRead = ~0u;        ///< positions in the defining block
  unsigned lastRead = 0;
  unsigned cost = 0; ///< of recomputing one element, about in instructions
  Buffer buffer;
};

/// Plans one block at a time; nested blocks are planned when they are reached.
class Plan {
public:
  void planBlock(mlir::Block &block);

  ValueInfo &operator[](mlir::Value value) { return values[value]; }
  bool isDead(mlir::Operation *op) const { return dead.contains(op); }
  unsigned positionOf(mlir::Operation *op) const {
    return positions.lookup(op);
  }

private:
  void estimateCosts(mlir::Block &block);
  bool findDead(mlir::Operation &op);
  void decide(mlir::Value value, mlir::Operation &op);
  void decideLoad(mlir::Value value, mlir::Operation &op);
  void propagate(mlir::Operation &op);
  void addRead(mlir::Value value, mlir::Operation *root, unsigned first,
               unsigned last, mlir::Block *block);
  bool isOverwritten(mlir::Operation &load, const ValueInfo &info);

  llvm::DenseMap<mlir::Value, ValueInfo> values;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseSet<mlir::Operation *> dead;
};

/// Whether the result can be computed element by element from the operands.
bool isInlineable(mlir::Operation *op);

/// Whether dropping or adding unit dimensions explains the reshape.
bool isUnitReshape(mlir::Operation *op);

/// The function argument that a pointer or view is derived from, or null.
mlir::Value rootOfPointer(mlir::Value pointer);

/// Whether accesses through the two roots may touch the same memory.
bool mayAlias(mlir::Value rootA, mlir::Value rootB);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_LOOPS_PLAN_PLAN_H
