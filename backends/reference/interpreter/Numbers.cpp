//===- Numbers.cpp - Floats as exact numbers -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions only; arithmetic is in Floats.cpp.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Numbers.h"

#include "backends/reference/interpreter/Interpreter.h"

using namespace mlir;

namespace tilewright::reference {

static const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

APFloat toNumber(uint64_t bits, Type type) {
  return APFloat(semanticsOf(type), llvm::APInt(widthOf(type), bits));
}

uint64_t toBits(APFloat number, Type type, llvm::RoundingMode rounding,
                bool saturate) {
  bool isNaN = number.isNaN(), isNegative = number.isNegative(), lost;
  const llvm::fltSemantics &semantics = semanticsOf(type);
  if (&number.getSemantics() != &semantics)
    number.convert(semantics, rounding, &lost);
  if (saturate && !isNaN && !number.isFinite())
    number = APFloat::getLargest(semantics, isNegative);
  return number.bitcastToAPInt().getZExtValue();
}

const llvm::fltSemantics &computeSemantics(Type type) {
  return widthOf(type) == 8 ? APFloat::IEEEsingle() : semanticsOf(type);
}

APFloat toOperand(uint64_t bits, Type type) {
  APFloat number = toNumber(bits, type);
  bool lost;
  if (widthOf(type) == 8)
    number.convert(computeSemantics(type),
                   llvm::RoundingMode::NearestTiesToEven, &lost);
  return number;
}

double toDouble(uint64_t bits, Type type) {
  if (type.isF64())
    return llvm::bit_cast<double>(bits);
  if (type.isF32())
    return llvm::bit_cast<float>(uint32_t(bits));
  APFloat number = toNumber(bits, type);
  bool lost;
  number.convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven,
                 &lost);
  return number.convertToDouble();
}

uint64_t fromDouble(double number, Type type) {
  return toBits(APFloat(number), type);
}

} // namespace tilewright::reference
