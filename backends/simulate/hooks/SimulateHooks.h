//===- SimulateHooks.h - What simulated kernels emit ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator's TargetHooks: calls of the machine's services.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_SIMULATEHOOKS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_SIMULATEHOOKS_H

#include "backends/simt/TargetHooks.h"
#include "backends/simulate/Profiles.h"
#include "backends/simulate/hooks/LaneServices.h"

namespace tilewright::simulate {

class SimulateHooks : public simt::TargetHooks {
public:
  SimulateHooks(const Profile &profile, const Faults &faults);

  simt::KernelFrame
  beginKernel(Builder &b, llvm::Module &module,
              const simt::KernelSignature &signature) override;

  void beginOperation(Builder &b, const simt::SourcePlace &place) override {
    services.beginOperation(b, place);
  }

  llvm::Value *threadId(Builder &b) override;
  llvm::Value *programId(Builder &b, unsigned axis) override;
  llvm::Value *numPrograms(Builder &b, unsigned axis) override;

  void barrier(Builder &b, simt::Spaces spaces) override;
  bool hasShuffles() const override { return true; }
  llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                            llvm::Value *lane) override;
  llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                          unsigned mask) override;
  llvm::Value *ballot(Builder &b, llvm::Value *predicate) override;

  llvm::Value *sharedMemory(Builder &b, uint64_t bytes) override;
  bool hasAsyncCopies() const override { return profile.hasAsyncCopies; }
  bool asyncCopy(Builder &b, llvm::Value *shared, llvm::Value *global,
                 unsigned bytes, llvm::Value *predicate) override;
  void asyncCommit(Builder &b) override;
  void asyncWait(Builder &b, unsigned pending) override;

  bool isNativeFunction(math::MathFunction function, unsigned bits,
                        bool isFast) const override;
  llvm::Value *function(Builder &b, math::MathFunction function,
                        llvm::ArrayRef<llvm::Value *> operands) override;

  bool hasMatrixLoads() const override { return profile.hasMatrixLoads; }
  llvm::SmallVector<llvm::Value *> matrixLoad(Builder &b, llvm::Value *row,
                                              unsigned matrices,
                                              bool isTransposed) override;
  bool hasMatrixAtoms() const override { return !target().atoms.empty(); }
  llvm::SmallVector<llvm::Value *>
  emitMatrixAtom(Builder &b, const simt::MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator) override;

  void print(Builder &b, llvm::StringRef format,
             llvm::ArrayRef<llvm::Value *> values) override {
    services.print(b, format, values);
  }
  void fail(Builder &b, unsigned code, llvm::StringRef message,
            const simt::SourcePlace &place) override {
    services.fail(b, code, message, place);
  }
  llvm::Value *clock(Builder &b, bool isGlobalTimer) override {
    return services.clock(b, isGlobalTimer);
  }

private:
  Profile profile;
  Faults faults;
  LaneServices services;
  unsigned barriers = 0, waits = 0;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_HOOKS_SIMULATEHOOKS_H
