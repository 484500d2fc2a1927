//===- AmdLaneHooks.h - AMD's hooks, for the simulator ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks that AMD's plugin has, with its own intrinsics, but for what the
// driver has a part in: shared memory, prints, failures, clocks.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_AMD_AMDLANEHOOKS_H
#define TILEWRIGHT_BACKENDS_SIMULATE_AMD_AMDLANEHOOKS_H

#include "backends/amd/hooks/AmdHooks.h"
#include "backends/simulate/hooks/LaneServices.h"

namespace tilewright::simulate {

/// What stands for the lane until the translation knows it: a call without
/// operands at the beginning of the kernel.
inline constexpr char kLaneMarker[] = "tw_simulate_lane";

class AmdLaneHooks : public amd::AmdHooks {
public:
  AmdLaneHooks(const amd::Target &target, const amd::HookOptions &options,
               const Faults &faults)
      : AmdHooks(target, options), faults(faults) {}

  simt::KernelFrame
  beginKernel(Builder &b, llvm::Module &module,
              const simt::KernelSignature &signature) override;
  void beginOperation(Builder &b, const simt::SourcePlace &place) override {
    services.beginOperation(b, place);
  }
  void barrier(Builder &b, simt::Spaces spaces) override {
    // AMD's own is one instruction between two fences, which name the memory.
    if (++barriers != faults.dropBarrier)
      services.meet(b, "barrier", b.getVoidTy(),
                    {b.getInt32(uint32_t(spaces))});
  }
  void asyncWait(Builder &b, unsigned pending) override {
    if (++waits != faults.dropWait)
      AmdHooks::asyncWait(b, pending);
  }
  llvm::Value *sharedMemory(Builder &b, uint64_t bytes) override;

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
  llvm::Value *inlineAssembly(Builder &, llvm::StringRef, llvm::StringRef,
                              llvm::Type *, llvm::ArrayRef<llvm::Value *>,
                              bool) override {
    return nullptr;
  }

private:
  Faults faults;
  LaneServices services;
  unsigned barriers = 0, waits = 0;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_AMD_AMDLANEHOOKS_H
