//===- Absent.cpp - Parts of LLVM that are named and not linked -----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Empty functions for LLVM's targets that no backend here uses, for Polly and
// for the one reference to Z3 that linkers keep.
//===----------------------------------------------------------------------===//
#include <llvm/Plugins/PassPlugin.h>

#include <cstdlib>

#define ABSENT(target)                                                         \
  extern "C" void LLVMInitialize##target##Target() {}                          \
  extern "C" void LLVMInitialize##target##TargetInfo() {}                      \
  extern "C" void LLVMInitialize##target##TargetMC() {}                        \
  extern "C" void LLVMInitialize##target##AsmPrinter() {}                      \
  extern "C" void LLVMInitialize##target##AsmParser() {}
#include "AbsentTargets.inc"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "absent",
          [](llvm::PassBuilder &) {}, nullptr};
}

extern "C" const char *Z3_model_to_string(void *, void *) { std::abort(); }
