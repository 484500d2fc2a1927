//===- Emission.cpp - LLVM's code generator, kept ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "backends/simt/codegen/Emission.h"

#include "llvm/Target/TargetMachine.h"

namespace tilewright::simt {

llvm::TargetLibraryInfoImpl noLibrary(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  return library;
}

std::unique_ptr<Emission> Emission::create(llvm::TargetMachine &machine,
                                           llvm::CodeGenFileType kind) {
  std::unique_ptr<Emission> made(new Emission());
  made->passes.add(new llvm::TargetLibraryInfoWrapperPass(
      noLibrary(machine.getTargetTriple())));
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
