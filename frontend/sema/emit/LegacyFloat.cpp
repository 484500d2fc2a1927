//===- LegacyFloat.cpp - Casts of fp8e4b15 ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fp8e4b15 has no type in the IR: its bytes travel as i8, and integer
// arithmetic converts them. It is fp16 with one bit less of exponent and 3 of
// mantissa: 4 exponent bits of bias 15, no infinities and no NaN.
//===----------------------------------------------------------------------===//

#include "frontend/sema/emit/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;

/// An unsigned operation with a compile-time operand.
static Value with(Emitter &e, BinaryOperator op, const Value &value,
                  BigInt number) {
  return e.binary(op, value, Value::integer(std::move(number)));
}

/// Every value is an fp16 with the same fields further left.
Value Emitter::castFromE4B15(const Value &value, DType type) {
  Value bits = cast(wrap(value.ssa(), Scalar::U8), Scalar::U16);
  Value sign = with(*this, BinaryOperator::BitAnd, bits, 0x80);
  Value magnitude = with(*this, BinaryOperator::BitAnd, bits, 0x7F);
  Value half = binary(BinaryOperator::BitOr,
                      with(*this, BinaryOperator::LShift, sign, 8),
                      with(*this, BinaryOperator::LShift, magnitude, 7));
  return cast(bitcast(half, Scalar::FP16), type);
}

/// Rounds once, saturates to 1.875; NaN becomes +1.875: it has no sign.
Value Emitter::castToE4B15(const Value &value, Rounding rounding) {
  bool isDouble = value.dtype().is(Scalar::FP64);
  bool truncates = rounding == Rounding::TowardZero;
  DType wide = isDouble ? Scalar::FP64 : Scalar::FP32;
  DType integer = isDouble ? Scalar::U64 : Scalar::U32;
  int64_t shift = wide.mantissaBits() - 3;
  int64_t bias = isDouble ? 1023 : 127;
  BigInt one(1);
  // 2^-14, below which numbers are multiples of 2^-17, and 1.875.
  BigInt smallestNormal = BigInt(bias - 14).shiftLeft(wide.mantissaBits());
  BigInt largest = BigInt(bias * 8 + 7).shiftLeft(shift);

  Value bits = bitcast(cast(value, wide), integer);
  Value sign = with(
      *this, BinaryOperator::BitAnd,
      with(*this, BinaryOperator::RShift, bits, integer.width() - 8), 0x80);
  sign = select(compare(ast::CompareOperator::NotEq, value, value),
                Value::integer(0), sign);
  Value magnitude = with(*this, BinaryOperator::BitAnd, bits,
                         one.shiftLeft(integer.width() - 1) - one);
  magnitude = extremum(
      magnitude, constant(Value::integer(largest), integer, magnitude.shape()),
      /*isMax=*/false);

  Value rounded = magnitude;
  if (!truncates) {
    Value odd = with(*this, BinaryOperator::BitAnd,
                     with(*this, BinaryOperator::RShift, magnitude, shift), 1);
    rounded = add(add(magnitude, odd),
                  Value::integer(one.shiftLeft(shift - 1) - one));
  }
  Value normal = with(*this, BinaryOperator::Sub,
                      with(*this, BinaryOperator::RShift, rounded, shift),
                      (bias - 15) * 8);

  Value steps = mul(bitcast(magnitude, wide), Value::number(0x1p17));
  mlir::Value whole =
      truncates ? mlir::math::TruncOp::create(b, steps.ssa()).getResult()
                : mlir::math::RoundEvenOp::create(b, steps.ssa()).getResult();
  // Large magnitudes saturate here and are not taken.
  Value subnormal = cast(wrap(whole, wide), integer);

  Value isNormal = compare(ast::CompareOperator::GtE, magnitude,
                           Value::integer(smallestNormal));
  Value result =
      binary(BinaryOperator::BitOr, select(isNormal, normal, subnormal), sign);
  Value byte = cast(result, Scalar::U8);
  return byte.isError() ? byte : wrap(byte.ssa(), Scalar::FP8E4B15);
}
