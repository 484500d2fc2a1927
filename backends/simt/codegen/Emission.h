//===- Emission.h - LLVM's code generator, kept -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making some 300 passes takes as long as generating a small kernel with them.
// They serve one module after another, as in `llc -compile-twice`.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMT_CODEGEN_EMISSION_H
#define TILEWRIGHT_BACKENDS_SIMT_CODEGEN_EMISSION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tilewright::simt {

/// What passes know of library functions: there are none.
llvm::TargetLibraryInfoImpl noLibrary(const llvm::Triple &triple);

/// A target machine's passes from a module to code. They refer to the machine.
class Emission {
public:
  /// Null if the target cannot emit this.
  static std::unique_ptr<Emission> create(llvm::TargetMachine &machine,
                                          llvm::CodeGenFileType kind);

  /// Appends the code. Changes the module. After an error in the module's
  /// context, or if LLVM gives up, no other module may follow.
  void run(llvm::Module &module, std::string &out);

private:
  Emission() : stream(buffer) {}

  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream;
  llvm::legacy::PassManager passes;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_BACKENDS_SIMT_CODEGEN_EMISSION_H
