//===- Codegen.h - LLVM dialect to a relocatable object ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translation to LLVM IR, optimisation and object emission for one target.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_CODEGEN_CODEGEN_H
#define TILEWRIGHT_BACKENDS_CPU_CODEGEN_CODEGEN_H

#include "backends/common/request/Timings.h"
#include "backends/cpu/Target.h"
#include "tilewright/plugin.h"

#include "llvm/ADT/StringSet.h"

namespace mlir {
class ModuleOp;
class DialectRegistry;
} // namespace mlir

namespace tilewright::cpu {

struct CodegenOptions {
  unsigned optimise = 2;
  bool wantLLVM = false; ///< text of the optimised LLVM IR
  bool wantAsm = false;
  const tw_compile_request *request = nullptr; ///< whose libraries are linked
};

struct Generated {
  std::string object; ///< ELF, relocatable
  std::string llvmText;
  std::string asmText;
};

/// What `generateCode` needs registered before the context exists.
void registerTranslations(mlir::DialectRegistry &registry);

/// Compiles a module of the LLVM dialect. Public functions stay visible.
/// Reports failures itself.
std::optional<Generated> generateCode(mlir::ModuleOp module,
                                      const Target &target,
                                      const CodegenOptions &options,
                                      Report &report, Timings &timings);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_CODEGEN_CODEGEN_H
