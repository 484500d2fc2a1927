//===- NvidiaHooks.h - How NVIDIA's threads do things -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared emitter's door to NVVM intrinsics and PTX. One object a compile.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_HOOKS_NVIDIAHOOKS_H
#define TILEWRIGHT_BACKENDS_NVIDIA_HOOKS_NVIDIAHOOKS_H

#include "backends/nvidia/Target.h"
#include "backends/simt/TargetHooks.h"

namespace tilewright::nvidia {

/// Hidden parameters behind the user's, see KernelABI.h.
enum class Hidden : unsigned {
  ProgramsX,
  ProgramsY,
  ProgramsZ,
  FirstY,
  FirstZ,
  Count
};

/// Settings of one compilation that change what is emitted.
struct HookOptions {
  bool isPortable = false;
  bool isFast = false;
  unsigned maxRegisters = 0; ///< of a thread; 0: no limit
  uint64_t bytesAhead = 0;   ///< of a thread, for its block's next program
};

class NvidiaHooks : public simt::TargetHooks {
public:
  NvidiaHooks(const Target &target, const HookOptions &options)
      : TargetHooks(describe(target)), target(target), options(options) {}

  simt::KernelFrame
  beginKernel(Builder &b, llvm::Module &module,
              const simt::KernelSignature &signature) override;

  llvm::Value *threadId(Builder &b) override;
  llvm::Value *programId(Builder &b, unsigned axis) override;
  llvm::Value *numPrograms(Builder &b, unsigned axis) override;
  llvm::Value *numBlocks(Builder &b) override;
  uint64_t bytesAhead() const override { return options.bytesAhead; }

  void barrier(Builder &b, simt::Spaces spaces) override;
  void fence(Builder &b, kernel::MemorySemantics semantics,
             kernel::MemoryScope scope) override;
  bool hasShuffles() const override { return true; }
  llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                            llvm::Value *lane) override;
  llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                          unsigned mask) override;
  llvm::Value *shuffleUp(Builder &b, llvm::Value *value,
                         unsigned delta) override;
  llvm::Value *ballot(Builder &b, llvm::Value *predicate) override;

  llvm::Value *sharedMemory(Builder &b, uint64_t bytes) override;
  llvm::Value *load(Builder &b, llvm::Type *type, llvm::Value *pointer,
                    const simt::AccessFlags &flags) override;
  void store(Builder &b, llvm::Value *value, llvm::Value *pointer,
             const simt::AccessFlags &flags) override;
  llvm::Value *loadIf(Builder &b, llvm::Value *mask, llvm::Type *type,
                      llvm::Value *pointer, llvm::Value *otherwise,
                      const simt::AccessFlags &flags) override;
  bool storeIf(Builder &b, llvm::Value *mask, llvm::Value *value,
               llvm::Value *pointer, const simt::AccessFlags &flags) override;
  llvm::Value *atomicRMW(Builder &b, kernel::AtomicKind kind,
                         kernel::MemorySemantics semantics,
                         kernel::MemoryScope scope, llvm::Value *pointer,
                         llvm::Value *value) override;
  llvm::Value *compareAndSwap(Builder &b, kernel::MemorySemantics semantics,
                              kernel::MemoryScope scope, llvm::Value *pointer,
                              llvm::Value *compare,
                              llvm::Value *value) override;
  bool hasAsyncCopies() const override { return target.number >= 80; }
  bool asyncCopy(Builder &b, llvm::Value *shared, llvm::Value *global,
                 unsigned bytes, llvm::Value *predicate) override;
  void asyncCommit(Builder &b) override;
  void asyncWait(Builder &b, unsigned pending) override;

  bool isNativeFunction(math::MathFunction function, unsigned bits,
                        bool isFast) const override;
  llvm::Value *function(Builder &b, math::MathFunction function,
                        llvm::ArrayRef<llvm::Value *> operands) override;
  llvm::Value *approximateSquareRoot(Builder &b, llvm::Value *value) override;
  llvm::Value *approximateQuotient(Builder &b, llvm::Value *lhs,
                                   llvm::Value *rhs) override;
  std::optional<simt::Reciprocal> reciprocal(Builder &b,
                                             llvm::Value *value) override;
  bool hasMatrixLoads() const override { return true; }
  llvm::SmallVector<llvm::Value *> matrixLoad(Builder &b, llvm::Value *row,
                                              unsigned matrices,
                                              bool isTransposed) override;
  bool hasMatrixAtoms() const override { return true; }
  llvm::SmallVector<llvm::Value *>
  emitMatrixAtom(Builder &b, const simt::MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator) override;

  void print(Builder &b, llvm::StringRef format,
             llvm::ArrayRef<llvm::Value *> values) override;
  void fail(Builder &b, unsigned code, llvm::StringRef message,
            const simt::SourcePlace &place) override;
  llvm::Value *clock(Builder &b, bool isGlobalTimer) override;
  llvm::Value *inlineAssembly(Builder &b, llvm::StringRef text,
                              llvm::StringRef constraints, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> operands,
                              bool isPure) override;

private:
  llvm::Value *hidden(Builder &b, Hidden parameter);
  llvm::Value *shuffle(Builder &b, llvm::Intrinsic::ID id, llvm::Value *value,
                       llvm::Value *selector, uint32_t clamp);

  const Target target;
  const HookOptions options;
  unsigned threads = 0; ///< of the kernel being emitted
  unsigned userArguments = 0;
};

/// A call of PTX text. `convergent` and side effects keep it where it is: LLVM
/// would duplicate it into divergent branches otherwise.
llvm::Value *callPtx(llvm::IRBuilderBase &b, llvm::Type *result,
                     llvm::StringRef text, llvm::StringRef constraints,
                     llvm::ArrayRef<llvm::Value *> operands,
                     bool hasSideEffects = true);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_HOOKS_NVIDIAHOOKS_H
