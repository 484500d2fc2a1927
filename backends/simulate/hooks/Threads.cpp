//===- Threads.cpp - Where lanes meet, and shared memory --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, shuffles, copies and matrix instructions as calls of the machine.
//===----------------------------------------------------------------------===//
#include "backends/simulate/hooks/SimulateHooks.h"

#include <cstddef>

using llvm::Value;

namespace tilewright::simulate {

void SimulateHooks::barrier(Builder &b, simt::Spaces spaces) {
  if (++barriers != faults.dropBarrier)
    services.meet(b, "barrier", b.getVoidTy(), {b.getInt32(uint32_t(spaces))});
}

Value *SimulateHooks::shuffleIndex(Builder &b, Value *value, Value *from) {
  return services.shuffle(b, value, from);
}

Value *SimulateHooks::shuffleXor(Builder &b, Value *value, unsigned mask) {
  return shuffleIndex(b, value, b.CreateXor(laneId(b), b.getInt32(mask)));
}

Value *SimulateHooks::ballot(Builder &b, Value *predicate) {
  return services.ballot(b, predicate, target().warpLanes());
}

//===--- Shared memory ----------------------------------------------------===//

Value *SimulateHooks::sharedMemory(Builder &b, uint64_t) {
  return services.field(b, b.getPtrTy(target().sharedSpace),
                        offsetof(LaneView, shared));
}

bool SimulateHooks::asyncCopy(Builder &b, Value *shared, Value *global,
                              unsigned bytes, Value *predicate) {
  Value *isWanted =
      predicate ? b.CreateZExt(predicate, b.getInt32Ty()) : b.getInt32(1);
  services.call(b, "copy", b.getVoidTy(),
                {b.CreateAddrSpaceCast(shared, b.getPtrTy()),
                 b.CreateAddrSpaceCast(global, b.getPtrTy()), b.getInt32(bytes),
                 isWanted, services.currentPlace()});
  return true;
}

void SimulateHooks::asyncCommit(Builder &b) {
  services.call(b, "commit", b.getVoidTy(), {});
}

void SimulateHooks::asyncWait(Builder &b, unsigned pending) {
  if (++waits != faults.dropWait)
    services.call(b, "wait", b.getVoidTy(), {b.getInt32(pending)});
}

//===--- Matrices ---------------------------------------------------------===//

/// Values that a service left in private memory.
static llvm::SmallVector<Value *> reload(llvm::IRBuilderBase &b, Value *memory,
                                         llvm::Type *type, unsigned count) {
  llvm::SmallVector<Value *> values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(b.CreateLoad(type, b.CreateConstGEP1_64(type, memory, i)));
  return values;
}

llvm::SmallVector<Value *> SimulateHooks::matrixLoad(Builder &b, Value *row,
                                                     unsigned matrices,
                                                     bool isTransposed) {
  llvm::SmallVector<Value *> words(matrices, b.getInt32(0));
  Value *memory = services.spill(b, words);
  services.meet(b, "matrix_load", b.getVoidTy(),
                {b.CreateAddrSpaceCast(row, b.getPtrTy()), b.getInt32(matrices),
                 b.getInt32(isTransposed), memory});
  return reload(b, memory, b.getInt32Ty(), matrices);
}

llvm::SmallVector<Value *> SimulateHooks::emitMatrixAtom(
    Builder &b, const simt::MatrixAtom &atom, llvm::ArrayRef<Value *> lhs,
    llvm::ArrayRef<Value *> rhs, llvm::ArrayRef<Value *> accumulator) {
  MatrixShape shape = {uint32_t(profile.family),
                       atom.m,
                       atom.n,
                       atom.k,
                       uint32_t(atom.lhs),
                       uint32_t(atom.rhs),
                       uint32_t(atom.result),
                       uint32_t(lhs.size()),
                       uint32_t(rhs.size()),
                       uint32_t(accumulator.size())};
  Value *memory = services.spill(b, accumulator);
  services.multiply(b, shape, services.spill(b, lhs), services.spill(b, rhs),
                    memory);
  return reload(b, memory, accumulator[0]->getType(), accumulator.size());
}

} // namespace tilewright::simulate
