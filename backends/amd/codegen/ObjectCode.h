//===- ObjectCode.h - From an LLVM module to a code object ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's AMDGPU target and lld, and what the object says of its kernels.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_AMD_CODEGEN_OBJECTCODE_H
#define TILEWRIGHT_BACKENDS_AMD_CODEGEN_OBJECTCODE_H

#include "backends/amd/Target.h"
#include "backends/simt/codegen/Machines.h"

#include "llvm/ADT/StringMap.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::amd {

/// Null after an error in the report. Initialises LLVM's target once.
simt::Machine createMachine(const Target &target, unsigned level,
                            Report &report);

/// Passes of the code generator that take more time than they are worth.
llvm::SmallVector<llvm::StringRef> wastefulPasses(const llvm::Module &module);

/// What the object's metadata says of one kernel.
struct KernelResources {
  unsigned vectorRegisters = 0; ///< accumulation registers included
  unsigned accumulationRegisters = 0;
  unsigned scalarRegisters = 0;
  unsigned vectorSpills = 0; ///< registers
  unsigned scalarSpills = 0;
  uint64_t privateBytes = 0; ///< of a thread
  uint64_t sharedBytes = 0;
  uint64_t argumentBytes = 0;
};

/// By symbol. Empty if the object has no metadata that can be read.
llvm::StringMap<KernelResources> readResources(llvm::StringRef object);

/// The same as JSON, one object a kernel.
std::string resourcesText(const llvm::StringMap<KernelResources> &resources);

} // namespace tilewright::amd

#endif // TILEWRIGHT_BACKENDS_AMD_CODEGEN_OBJECTCODE_H
