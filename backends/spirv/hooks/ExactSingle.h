//===- ExactSingle.h - Exact fp32 without doubles ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Correctly rounded division and square root of fp32 by integers of 64 bits,
// denormal numbers included, for devices without fp64.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_SPIRV_HOOKS_EXACTSINGLE_H
#define TILEWRIGHT_BACKENDS_SPIRV_HOOKS_EXACTSINGLE_H

#include "llvm/IR/IRBuilder.h"

namespace tilewright::spirv {

llvm::Value *divideByIntegers(llvm::IRBuilderBase &b, llvm::Value *lhs,
                              llvm::Value *rhs);
llvm::Value *squareRootByIntegers(llvm::IRBuilderBase &b, llvm::Value *value);

} // namespace tilewright::spirv

#endif // TILEWRIGHT_BACKENDS_SPIRV_HOOKS_EXACTSINGLE_H
