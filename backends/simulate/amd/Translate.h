//===- Translate.h - AMD's kernels as code of the host ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels get the machine's signature, AMD's intrinsics become its services.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SIMULATE_AMD_TRANSLATE_H
#define TILEWRIGHT_BACKENDS_SIMULATE_AMD_TRANSLATE_H

#include "backends/amd/Target.h"

#include "llvm/IR/Module.h"

namespace tilewright::simulate {

/// False with the reason in `why` for an intrinsic that is not known here.
bool translateAmd(llvm::Module &module, const amd::Target &target,
                  std::string &why);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_BACKENDS_SIMULATE_AMD_TRANSLATE_H
