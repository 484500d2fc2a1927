//===- Builtins.h - Functions that generated code may call ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object file per architecture, compiled with the plugin from Builtins.c and
// carried inside it.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_BUILTINS_BUILTINS_H
#define TILEWRIGHT_BACKENDS_CPU_BUILTINS_BUILTINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::cpu {

struct BuiltinsObject {
  llvm::StringLiteral arch; ///< as in a target triple
  const unsigned char *data;
  size_t bytes;
};

llvm::ArrayRef<BuiltinsObject> builtinsObjects();

/// Names that every object defines.
llvm::ArrayRef<llvm::StringLiteral> builtinNames();

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_BUILTINS_BUILTINS_H
