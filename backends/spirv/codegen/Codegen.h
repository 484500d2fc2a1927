//===- Codegen.h - LLVM IR to a validated SPIR-V module ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisation, legalisation, LLVM's SPIR-V target, rewriting and validation.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_CODEGEN_H
#define TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_CODEGEN_H

#include "backends/spirv/Target.h"
#include "backends/spirv/codegen/Words.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::spirv {

struct CodegenOptions {
  unsigned optimise = 2;
  bool allowUnvalidated = false; ///< extensions the validator does not know
  bool wantLLVM = false;         ///< text of the legalised LLVM IR
  std::set<std::string> texts;   ///< of the kernels, for the driver
};

struct Generated {
  Words words;
  std::string llvmText;
  /// What the module needs of a device.
  opencl::Traits needs;
  unsigned unvalidated = 0; ///< extensions that were let through
};

/// Consumes the module. Reports failures itself.
std::optional<Generated> generateCode(llvm::Module &module,
                                      const Target &target,
                                      const CodegenOptions &options,
                                      Report &report);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_CODEGEN_H
