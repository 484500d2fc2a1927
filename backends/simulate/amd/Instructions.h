//===- Instructions.h - What AMD's intrinsics do ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call at a time, as services of the machine.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_AMD_INSTRUCTIONS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_AMD_INSTRUCTIONS_H

#include "backends/amd/Target.h"
#include "backends/simulate/hooks/LaneServices.h"

#include "llvm/IR/Instructions.h"

#include <optional>

namespace tilewright::simulate {

class InstructionTranslator {
public:
  InstructionTranslator(LaneServices &services, const amd::Target &target,
                        llvm::Value *arguments)
      : services(services), target(target), arguments(arguments) {}

  /// What stands for the call, null for one that gives nothing; none for an
  /// intrinsic that is not known.
  std::optional<llvm::Value *> translate(llvm::CallInst &call);

private:
  using Builder = llvm::IRBuilderBase;

  llvm::Value *lane(Builder &b);
  llvm::Value *permute(Builder &b, llvm::Value *word, uint32_t kind,
                       llvm::Value *control);
  llvm::Value *swapRows(Builder &b, llvm::CallInst &call, unsigned mask);
  llvm::Value *describeBuffer(Builder &b, llvm::CallInst &call);
  llvm::Value *loadBuffer(Builder &b, llvm::CallInst &call);
  void storeBuffer(Builder &b, llvm::CallInst &call);
  void copyToShared(Builder &b, llvm::CallInst &call);
  void waitCounts(Builder &b, uint64_t counts);
  bool readMixed(Builder &b, llvm::CallInst &call, MatrixShape &shape,
                 llvm::Value *&lhs, llvm::Value *&rhs);
  std::optional<llvm::Value *> multiply(Builder &b, llvm::CallInst &call);

  LaneServices &services;
  const amd::Target &target;
  llvm::Value *arguments; ///< the block of the user
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_AMD_INSTRUCTIONS_H
