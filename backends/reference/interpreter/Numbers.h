//===- Numbers.h - Floats as exact numbers -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits to APFloat and back, with one rounding. APFloat is IEEE arithmetic in
// software: nothing here depends on the machine or its rounding mode.
//===----------------------------------------------------------------------===//
#ifndef TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_NUMBERS_H
#define TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_NUMBERS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

namespace tilewright::reference {

using llvm::APFloat;

/// The number that bits of this type stand for.
APFloat toNumber(uint64_t bits, mlir::Type type);

/// A number rounded to the type. With `saturate`, infinity and what overflows
/// become the largest finite number; NaN stays.
uint64_t
toBits(APFloat number, mlir::Type type,
       llvm::RoundingMode rounding = llvm::RoundingMode::NearestTiesToEven,
       bool saturate = false);

/// The type that operations compute in: f32 for fp8, else the type itself.
const llvm::fltSemantics &computeSemantics(mlir::Type type);
/// `toNumber` in the semantics that operations compute in.
APFloat toOperand(uint64_t bits, mlir::Type type);

/// Any element of at most 64 bits is a double exactly.
double toDouble(uint64_t bits, mlir::Type type);
uint64_t fromDouble(double number, mlir::Type type);

} // namespace tilewright::reference

#endif // TILEWRIGHT_BACKENDS_REFERENCE_INTERPRETER_NUMBERS_H
