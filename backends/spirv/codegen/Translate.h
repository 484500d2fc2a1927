//===- Translate.h - LLVM's SPIR-V target, one process a module -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target keeps what it knows of a module in a global variable and does not
// forget all of it: a second module in one process can get ids of the first
// (LLVM issue 160613, present in 22), two at a time mix. So each translation
// runs in a child process of its own, which also takes the target's fatal
// errors with it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_TRANSLATE_H
#define TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_TRANSLATE_H

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::spirv {

/// The bytes of a SPIR-V module; empty with the reason in `why`.
std::string translateModule(llvm::Module &module, const std::string &triple,
                            const std::vector<std::string> &extensions,
                            std::string &why);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_CODEGEN_TRANSLATE_H
