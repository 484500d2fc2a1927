//===- Emission.cpp - LLVM's code generator, kept ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No library function is known to any pass, as in the optimiser.
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/Emission.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace tilewright::simt {

std::unique_ptr<Emission> Emission::create(llvm::TargetMachine &machine,
                                           llvm::CodeGenFileType kind) {
  std::unique_ptr<Emission> made(new Emission());
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  made->passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(made->passes, made->stream, nullptr, kind,
                                  /*DisableVerify=*/true))
    return nullptr;
  return made;
}

void Emission::run(llvm::Module &module, std::string &out) {
  passes.run(module);
  out.append(buffer.begin(), buffer.end());
  buffer.clear();
}

} // namespace tilewright::simt
