//===- Arithmetic.cpp - Operations that are exact --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of fp32 division and square root OpenCL promises 2.5 and 3 ulp only; both are
// exact when they are computed in double precision, whose own are correctly
// rounded, and rounded once more; without doubles by integers.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/ExactSingle.h"
#include "backends/spirv/hooks/SpirvHooks.h"

using llvm::Value;

namespace tilewright::spirv {

Value *SpirvHooks::squareRoot(Builder &b, Value *value) {
  if (!value->getType()->isFloatTy())
    return TargetHooks::squareRoot(b, value);
  if (!traits.hasDouble)
    return squareRootByIntegers(b, value);
  Value *wide = b.CreateFPExt(value, b.getDoubleTy());
  return b.CreateFPTrunc(TargetHooks::squareRoot(b, wide), b.getFloatTy());
}

Value *SpirvHooks::divide(Builder &b, Value *lhs, Value *rhs) {
  if (!lhs->getType()->isFloatTy())
    return TargetHooks::divide(b, lhs, rhs);
  if (!traits.hasDouble)
    return divideByIntegers(b, lhs, rhs);
  Value *wide = b.CreateFDiv(b.CreateFPExt(lhs, b.getDoubleTy()),
                             b.CreateFPExt(rhs, b.getDoubleTy()));
  return b.CreateFPTrunc(wide, b.getFloatTy());
}

} // namespace tilewright::spirv
