//===- TypeRules.cpp - Promotion of operand types ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules B1 to B6 of the language.
//===----------------------------------------------------------------------===//

#include "frontend/sema/emit/Emitter.h"

using namespace tilewright;
using namespace tilewright::sema;

DType sema::promoteIntegers(DType a, DType b) {
  if (a.isSigned() == b.isSigned())
    return a.width() > b.width() ? a : b;
  DType unsignedType = a.isSigned() ? b : a;
  DType signedType = a.isSigned() ? a : b;
  return unsignedType.width() >= signedType.width() ? unsignedType : signedType;
}

std::optional<DType> sema::promoteTypes(DType a, DType b, bool isDivision) {
  auto either = [&](Scalar scalar) { return a.is(scalar) || b.is(scalar); };
  if (either(Scalar::FP64))
    return DType(Scalar::FP64);
  if (either(Scalar::FP32))
    return DType(Scalar::FP32);
  if (either(Scalar::FP16))
    return DType(isDivision ? Scalar::FP32 : Scalar::FP16);
  if (a.is(Scalar::BF16) && b.is(Scalar::BF16))
    return DType(isDivision ? Scalar::FP32 : Scalar::BF16);
  if (either(Scalar::BF16))
    return DType(Scalar::FP32);
  if (a.isFP8() && b.isFP8())
    return a == b ? a : DType(Scalar::FP16);
  if (!a.isInt() || !b.isInt())
    return std::nullopt;
  return promoteIntegers(a, b);
}

std::optional<DType>
Emitter::promotedType(const Value &left, const Value &right, bool isDivision) {
  auto typeOf = [&](const Value &value) -> std::optional<DType> {
    if (value.isTensor())
      return value.dtype();
    return typeOfNumber(value);
  };
  std::optional<DType> a = typeOf(left), b = typeOf(right);
  if (!a || !b)
    return std::nullopt;
  // A number of a lower or equal kind takes part only by its value.
  if (left.isTensor() != right.isTensor()) {
    DType number = left.isTensor() ? *b : *a;
    DType tensor = left.isTensor() ? *a : *b;
    if (number.kindRank() <= tensor.kindRank()) {
      bool isHalf = tensor.is(Scalar::FP16) || tensor.is(Scalar::BF16);
      return isDivision && isHalf ? DType(Scalar::FP32) : tensor;
    }
  }
  std::optional<DType> result = promoteTypes(*a, *b, isDivision);
  if (!result) {
    reporter.error(2040,
                   "expected operand types that mix, got " + left.describe() +
                       " and " + right.describe(),
                   "convert one of them with .to(...)");
    return std::nullopt;
  }
  bool mixesSigns = a->isInt() && b->isInt() && a->isSigned() != b->isSigned();
  if (isDivision && mixesSigns) {
    reporter.error(2041,
                   "expected operands of one signedness for '/', '//' and "
                   "'%', got " +
                       left.describe() + " and " + right.describe(),
                   "convert one of them with .to(...)");
    return std::nullopt;
  }
  return result;
}

/// B2: a number must be representable in the integer type it takes.
bool Emitter::checkNumber(const Value &number, DType type) {
  if (!number.isNumber() || number.isFloat() || !type.isInt())
    return true;
  BigInt value = number.intValue();
  if (type.isUnsigned() && value.isNegative()) {
    reporter.error(2042,
                   "expected a number that fits " + type.spelling() +
                       ", got the negative number " + value.str(),
                   "convert the tensor to a signed type first");
    return false;
  }
  bool fits = type.isSigned() ? value.fitsSigned(type.width())
                              : value.fitsUnsigned(type.width());
  if (!fits)
    reporter.error(2042,
                   "expected a number that fits " + type.spelling() + ", got " +
                       value.str(),
                   "convert the tensor to a wider type first");
  return fits;
}

bool Emitter::promote(Value &left, Value &right, const PromotionRules &rules) {
  if (left.isError() || right.isError())
    return false;
  for (const Value *value : {&left, &right})
    if (!value->isTensor() && !value->isNumber()) {
      reporter.error(2021,
                     "expected a number or a tensor, got " + value->describe());
      return false;
    }
  for (Value *value : {&left, &right})
    if (value->isTyped())
      *value = toTensor(*value);
  auto isPointer = [](const Value &v) {
    return v.isTensor() && v.dtype().isPointer();
  };
  bool leftPointer = isPointer(left), rightPointer = isPointer(right);
  if ((leftPointer && !rules.leftPointer) ||
      (rightPointer && !rules.rightPointer)) {
    reporter.error(2043,
                   "expected numbers, got " + left.describe() + " and " +
                       right.describe(),
                   "pointers take + and - with integer offsets only; convert "
                   "with .to(tl.int64) to compute with addresses");
    return false;
  }
  if (rules.arithmetic && !leftPointer && !rightPointer) {
    std::optional<DType> type = promotedType(left, right, rules.isDivision);
    if (!type || !checkNumber(left, *type) || !checkNumber(right, *type))
      return false;
    left = cast(left, *type);
    right = cast(right, *type);
  } else {
    left = toTensor(left);
    right = toTensor(right);
  }
  return broadcastTogether(left, right);
}
