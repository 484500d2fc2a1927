//===- Legalize.h - LLVM IR that the SPIR-V target can take -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V target of LLVM stops the process on some constructs, makes invalid
// modules of others and loses the meaning of a few. These functions remove them
// after optimisation; what cannot be removed is refused with a code.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_LEGALIZE_LEGALIZE_H
#define TILEWRIGHT_BACKENDS_SPIRV_LEGALIZE_LEGALIZE_H

#include "backends/spirv/Target.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tilewright::spirv {

/// All of the below in order. Reports what the target has no form for and
/// returns false.
bool legalize(llvm::Module &module, const Target &target, Report &report);

/// Vectors of other widths than 2, 3, 4, 8 and 16 become scalars.
void splitOddVectors(llvm::Function &function);

/// Phis and selects of arrays and structs become phis of their parts.
void splitAggregates(llvm::Function &function);

/// minimum, maximum (NaN wins) and minimumnum, maximumnum (NaN loses, -0 below
/// 0): the target would print them as OpenCL's fmin and fmax.
void expandMinMax(llvm::Function &function);

/// Atomic operations on floats become loops of compare-and-swap.
void expandFloatAtomics(llvm::Function &function);

/// Integers of other widths than 1, 8, 16, 32 and 64 become wider ones.
void widenIntegers(llvm::Function &function);

/// Functions that SPIR-V lacks, in terms of ones it has. Removes fences: they
/// are for the optimiser, ordering is by calls that name the memory.
void expandIntrinsics(llvm::Function &function);

/// Addresses count bytes, never elements.
void flattenAddresses(llvm::Function &function);

/// The first type or operation that the target has no form for, as text; empty
/// if there is none.
std::string findIllegal(const llvm::Module &module, const Target &target);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_LEGALIZE_LEGALIZE_H
