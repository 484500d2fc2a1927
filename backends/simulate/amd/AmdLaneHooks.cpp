//===- AmdLaneHooks.cpp - AMD's hooks, for the simulator --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane is a marker, since AMD's kernels have no parameter for it.
//===----------------------------------------------------------------------===//
#include "backends/simulate/amd/AmdLaneHooks.h"

#include "llvm/IR/Module.h"

#include <cstddef>

namespace tilewright::simulate {

simt::KernelFrame
AmdLaneHooks::beginKernel(Builder &b, llvm::Module &module,
                          const simt::KernelSignature &signature) {
  simt::KernelFrame frame = AmdHooks::beginKernel(b, module, signature);
  auto *type = llvm::FunctionType::get(b.getPtrTy(), /*isVarArg=*/false);
  services.begin(b,
                 b.CreateCall(module.getOrInsertFunction(kLaneMarker, type)));
  return frame;
}

llvm::Value *AmdLaneHooks::sharedMemory(Builder &b, uint64_t) {
  return services.field(b, b.getPtrTy(target().sharedSpace),
                        offsetof(LaneView, shared));
}

} // namespace tilewright::simulate
