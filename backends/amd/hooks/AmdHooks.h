//===- AmdHooks.h - How AMD's threads do things -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared emitter's door to LLVM's AMDGPU intrinsics. One object a compile.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_HOOKS_AMDHOOKS_H
#define TILEWRIGHT_BACKENDS_AMD_HOOKS_AMDHOOKS_H

#include "backends/amd/Target.h"
#include "backends/amd/matrix/ScaledAtoms.h"
#include "backends/simt/TargetHooks.h"
#include "backends/simt/compile/Options.h"

namespace tilewright::amd {

/// Hidden parameters behind the user's, see KernelABI.h.
enum class Hidden : unsigned {
  ProgramsX,
  ProgramsY,
  ProgramsZ,
  FirstX,
  FirstY,
  FirstZ,
  Count
};

/// Most outstanding loads and LDS accesses that a wait can name on CDNA.
inline constexpr unsigned kMostVector = 63, kMostLds = 15;

/// Settings of one compilation that change what is emitted.
struct HookOptions {
  bool isPortable = false;
  bool isFast = false;
  unsigned waves = 4;        ///< of a program
  unsigned wavesPerUnit = 0; ///< of a SIMD unit, at least; 0: LLVM's choice
  unsigned maxRegisters = 0; ///< of a thread; 0: no limit
  AtomOptions atoms;
  /// Whether operands of products go from global memory to the LDS without
  /// registers between; on chips that have such copies.
  bool copiesDirectly = false;
  /// Whether LLVM casts bf16; a host that stands in for the chip may not.
  bool hasBFloat16Casts = true;
};

/// What a request asks for on a target.
HookOptions hookOptions(const Target &target,
                        const simt::CompileOptions &options);

class AmdHooks : public simt::TargetHooks {
public:
  AmdHooks(const Target &target, const HookOptions &options);

  simt::KernelFrame
  beginKernel(Builder &b, llvm::Module &module,
              const simt::KernelSignature &signature) override;

  llvm::Value *threadId(Builder &b) override;
  llvm::Value *warpId(Builder &b) override;
  llvm::Value *programId(Builder &b, unsigned axis) override;
  llvm::Value *numPrograms(Builder &b, unsigned axis) override;

  void barrier(Builder &b, simt::Spaces spaces) override;
  llvm::SyncScope::ID syncScope(llvm::LLVMContext &context,
                                kernel::MemoryScope scope) const override;
  bool hasShuffles() const override { return true; }
  llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                            llvm::Value *lane) override;
  llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                          unsigned mask) override;
  llvm::Value *ballot(Builder &b, llvm::Value *predicate) override;

  llvm::Value *load(Builder &b, llvm::Type *type, llvm::Value *pointer,
                    const simt::AccessFlags &flags) override;
  void store(Builder &b, llvm::Value *value, llvm::Value *pointer,
             const simt::AccessFlags &flags) override;
  llvm::Value *loadIf(Builder &b, llvm::Value *mask, llvm::Type *type,
                      llvm::Value *pointer, llvm::Value *otherwise,
                      const simt::AccessFlags &flags) override;
  bool hasSplitAccesses() const override { return true; }
  llvm::Value *loadSplit(Builder &b, llvm::Value *mask, llvm::Type *type,
                         const simt::SplitAddress &address,
                         llvm::Value *otherwise,
                         const simt::AccessFlags &flags) override;
  bool storeSplit(Builder &b, llvm::Value *mask, llvm::Value *value,
                  const simt::SplitAddress &address,
                  const simt::AccessFlags &flags) override;
  llvm::Value *atomicRMW(Builder &b, kernel::AtomicKind kind,
                         kernel::MemorySemantics semantics,
                         kernel::MemoryScope scope, llvm::Value *pointer,
                         llvm::Value *value) override;
  bool hasAsyncCopies() const override { return true; }
  bool copiesInRegisters() const override { return !options.copiesDirectly; }
  bool asyncCopy(Builder &b, llvm::Value *shared, llvm::Value *global,
                 unsigned bytes, llvm::Value *predicate) override;
  void asyncCommit(Builder &b) override;
  void asyncWait(Builder &b, unsigned pending) override;
  void endKernel(Builder &b, simt::KernelFrame &frame) override;

  bool isNativeFunction(math::MathFunction function, unsigned bits,
                        bool isFast) const override;
  llvm::Value *function(Builder &b, math::MathFunction function,
                        llvm::ArrayRef<llvm::Value *> operands) override;
  std::optional<simt::UsualValues>
  usualValues(Builder &b, math::MathFunction function,
              llvm::ArrayRef<llvm::Value *> operands) override;
  llvm::Value *roundToBFloat(Builder &b, llvm::Value *value) override;
  llvm::Value *approximateSquareRoot(Builder &b, llvm::Value *value) override;
  llvm::Value *approximateQuotient(Builder &b, llvm::Value *lhs,
                                   llvm::Value *rhs) override;
  bool hasMatrixAtoms() const override { return true; }
  llvm::SmallVector<llvm::Value *>
  emitMatrixAtom(Builder &b, const simt::MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator) override;
  llvm::SmallVector<llvm::Value *>
  emitScaledAtom(Builder &b, const simt::MatrixAtom &atom,
                 llvm::ArrayRef<llvm::Value *> lhs,
                 llvm::ArrayRef<llvm::Value *> rhs,
                 llvm::ArrayRef<llvm::Value *> accumulator,
                 llvm::Value *lhsScale, llvm::Value *rhsScale) override;

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
  void waitCounts(Builder &b, unsigned vector, unsigned lds);
  llvm::Value *exchangeWord(Builder &b, llvm::Value *word, unsigned mask);

  const Target chip;
  const HookOptions options;
  std::vector<BlockAtom> atoms;
  std::vector<ScaledAtom> scaled;
  unsigned threads = 0; ///< of the kernel being emitted
  unsigned userArguments = 0;
  /// Direct copies of each group that was closed, and of the open one.
  llvm::SmallVector<unsigned> groups;
  unsigned openCopies = 0;
};

} // namespace tilewright::amd

#endif // TILEWRIGHT_BACKENDS_AMD_HOOKS_AMDHOOKS_H
