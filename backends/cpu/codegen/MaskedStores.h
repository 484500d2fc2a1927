//===- MaskedStores.h - Masked stores of one element ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's code generator may not be given.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_CPU_CODEGEN_MASKEDSTORES_H
#define TILEWRIGHT_BACKENDS_CPU_CODEGEN_MASKEDSTORES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::cpu {

/// Replaces masked stores whose constant mask has one element by a plain store
/// of it. LLVM 22 does that too late: with AVX-512 it has made a truncating
/// store of `trunc` and masked store by then, and writes the element before it
/// was truncated, over its neighbours.
///
/// Before: `masked.store(<8 x i8> %v, %p, <i1 1, i1 0, ...>)`
/// After: `store i8 (extractelement %v, 0), %p`
void narrowMaskedStores(llvm::Module &module);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_BACKENDS_CPU_CODEGEN_MASKEDSTORES_H
