//===- Arithmetic.cpp - Functions and exact operations ------------- -*- C++
//-*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on doubles are OpenCL's own. Of fp32 division and square root
// OpenCL promises 2.5 and 3 ulp only; both are exact when they are computed in
// double precision, whose own are correctly rounded, and rounded once more.
//===----------------------------------------------------------------------===//
#include "backends/spirv/hooks/Builtins.h"
#include "backends/spirv/hooks/SpirvHooks.h"

using llvm::Value;

namespace tilewright::spirv {

using math::MathFunction;

/// OpenCL's name, mangled up to the parameters.
static llvm::StringRef nameOf(MathFunction function) {
  switch (function) {
  case MathFunction::Exp:
    return "_Z3exp";
  case MathFunction::Exp2:
    return "_Z4exp2";
  case MathFunction::Exp10:
    return "_Z5exp10";
  case MathFunction::Log:
    return "_Z3log";
  case MathFunction::Log2:
    return "_Z4log2";
  case MathFunction::Log10:
    return "_Z5log10";
  case MathFunction::Log1p:
    return "_Z5log1p";
  case MathFunction::Expm1:
    return "_Z5expm1";
  case MathFunction::Sin:
    return "_Z3sin";
  case MathFunction::Cos:
    return "_Z3cos";
  case MathFunction::Tan:
    return "_Z3tan";
  case MathFunction::Asin:
    return "_Z4asin";
  case MathFunction::Acos:
    return "_Z4acos";
  case MathFunction::Atan:
    return "_Z4atan";
  case MathFunction::Atan2:
    return "_Z5atan2";
  case MathFunction::Sinh:
    return "_Z4sinh";
  case MathFunction::Cosh:
    return "_Z4cosh";
  case MathFunction::Tanh:
    return "_Z4tanh";
  case MathFunction::Asinh:
    return "_Z5asinh";
  case MathFunction::Acosh:
    return "_Z5acosh";
  case MathFunction::Atanh:
    return "_Z5atanh";
  case MathFunction::Pow:
    return "_Z3pow";
  case MathFunction::Erf:
    return "_Z3erf";
  case MathFunction::Erfc:
    return "_Z4erfc";
  case MathFunction::Cbrt:
    return "_Z4cbrt";
  case MathFunction::Fmod:
    return "_Z4fmod";
  case MathFunction::Hypot:
    return "_Z5hypot";
  case MathFunction::Lgamma:
    return "_Z6lgamma";
  case MathFunction::Tgamma:
    return "_Z6tgamma";
  case MathFunction::Rsqrt:
    return "_Z5rsqrt";
  }
  llvm_unreachable("unknown function");
}

/// OpenCL's functions on double.
bool SpirvHooks::isNativeFunction(MathFunction, unsigned bits, bool) const {
  return bits == 64 && traits.hasDouble;
}

Value *SpirvHooks::function(Builder &b, MathFunction function,
                            llvm::ArrayRef<Value *> operands) {
  llvm::Type *type = operands[0]->getType();
  if (!type->isDoubleTy())
    return nullptr;
  std::string name = nameOf(function).str() + std::string(operands.size(), 'd');
  return callBuiltin(b, name, type, operands, Effect::Pure);
}

Value *SpirvHooks::squareRoot(Builder &b, Value *value) {
  if (!value->getType()->isFloatTy() || !traits.hasDouble)
    return TargetHooks::squareRoot(b, value);
  Value *wide = b.CreateFPExt(value, b.getDoubleTy());
  return b.CreateFPTrunc(TargetHooks::squareRoot(b, wide), b.getFloatTy());
}

Value *SpirvHooks::divide(Builder &b, Value *lhs, Value *rhs) {
  if (!lhs->getType()->isFloatTy() || !traits.hasDouble)
    return TargetHooks::divide(b, lhs, rhs);
  Value *wide = b.CreateFDiv(b.CreateFPExt(lhs, b.getDoubleTy()),
                             b.CreateFPExt(rhs, b.getDoubleTy()));
  return b.CreateFPTrunc(wide, b.getFloatTy());
}

} // namespace tilewright::spirv
