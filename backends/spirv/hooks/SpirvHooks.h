//===- SpirvHooks.h - What OpenCL kernels emit their own way ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V's TargetHooks: calls of OpenCL's builtins by their mangled names,
// which LLVM's SPIR-V target turns into instructions.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_HOOKS_SPIRVHOOKS_H
#define TILEWRIGHT_BACKENDS_SPIRV_HOOKS_SPIRVHOOKS_H

#include "backends/simt/TargetHooks.h"
#include "backends/spirv/Target.h"

#include <set>

namespace tilewright::spirv {

class SpirvHooks : public simt::TargetHooks {
public:
  explicit SpirvHooks(const Target &target)
      : TargetHooks(target.describe()), traits(target.traits),
        emulatesAtoms(target.emulatesAtoms) {}

  /// Texts that the kernels made so far refer to, see KernelABI.h.
  const std::set<std::string> &texts() const { return usedTexts; }

  simt::KernelFrame
  beginKernel(Builder &b, llvm::Module &module,
              const simt::KernelSignature &signature) override;

  llvm::Value *threadId(Builder &b) override;
  llvm::Value *laneId(Builder &b) override;
  llvm::Value *warpId(Builder &b) override;
  llvm::Value *programId(Builder &b, unsigned axis) override;
  llvm::Value *numPrograms(Builder &b, unsigned axis) override;

  void barrier(Builder &b, simt::Spaces spaces) override;
  llvm::SyncScope::ID syncScope(llvm::LLVMContext &context,
                                kernel::MemoryScope scope) const override;
  void fence(Builder &b, kernel::MemorySemantics semantics,
             kernel::MemoryScope scope) override;
  /// Plain copies, where matrix instructions are emulated.
  bool hasAsyncCopies() const override { return emulatesAtoms; }
  bool hasShuffles() const override { return traits.subgroupWidth != 0; }
  llvm::Value *shuffleIndex(Builder &b, llvm::Value *value,
                            llvm::Value *lane) override;
  llvm::Value *shuffleXor(Builder &b, llvm::Value *value,
                          unsigned mask) override;
  llvm::Value *ballot(Builder &b, llvm::Value *predicate) override;

  llvm::Value *atomicRMW(Builder &b, kernel::AtomicKind kind,
                         kernel::MemorySemantics semantics,
                         kernel::MemoryScope scope, llvm::Value *pointer,
                         llvm::Value *value) override;
  llvm::Value *compareAndSwap(Builder &b, kernel::MemorySemantics semantics,
                              kernel::MemoryScope scope, llvm::Value *pointer,
                              llvm::Value *compare,
                              llvm::Value *value) override;

  llvm::Value *squareRoot(Builder &b, llvm::Value *value) override;
  llvm::Value *divide(Builder &b, llvm::Value *lhs, llvm::Value *rhs) override;

  void print(Builder &b, llvm::StringRef format,
             llvm::ArrayRef<llvm::Value *> values) override;
  void fail(Builder &b, unsigned code, llvm::StringRef message,
            const simt::SourcePlace &place) override;

private:
  llvm::Value *callId(Builder &b, llvm::StringRef name, unsigned axis);
  llvm::Value *shuffle(Builder &b, llvm::StringRef name, llvm::Value *value,
                       llvm::Value *operand);
  /// Takes the next program in order of starting, for kernels that wait.
  void takeTicket(Builder &b);
  /// The constant id of a text, which the payload will carry.
  llvm::Value *textId(Builder &b, llvm::StringRef text);
  /// Address of a word of the launch memory.
  llvm::Value *launchWord(Builder &b, llvm::Value *offset);

  opencl::Traits traits;
  bool emulatesAtoms;
  std::set<std::string> usedTexts;
  /// Of the kernel that is being emitted.
  llvm::Value *launchMemory = nullptr;
  llvm::Value *tickets[3] = {}; ///< program ids; null: those of the group
};

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_HOOKS_SPIRVHOOKS_H
