//===- Ptx.h - From an LLVM module to PTX -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target on the module of one request.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
#define TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H

#include "backends/nvidia/Target.h"

#include "backends/simt/codegen/Machines.h"

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::nvidia {

/// Null after an error in the report. Initialises LLVM's target once.
simt::Machine createMachine(const Target &target, unsigned level,
                            Report &report);

/// Optimises a module for `writePtx`.
void optimiseForPtx(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned level);

/// Gives the module's text, and changes it; none if LLVM cannot.
std::optional<std::string> writePtx(llvm::Module &module,
                                    llvm::TargetMachine &machine);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_BACKENDS_NVIDIA_CODEGEN_PTX_H
