//===- Casting.cpp - Constants and type conversions -------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules A1 (the type of a number) and J1 to J6 (casts) of the language.
//===----------------------------------------------------------------------===//

#include "frontend/sema/emit/Emitter.h"

#include "dialects/tile/TileOps.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
namespace arith = mlir::arith;

std::optional<DType> Emitter::typeOfNumber(const Value &number) {
  if (number.isTyped())
    return number.dtype();
  if (number.isBool())
    return DType(Scalar::I1);
  if (number.isFloat()) {
    double magnitude = std::fabs(number.floatValue());
    bool fits = std::isnan(magnitude) || std::isinf(magnitude) ||
                magnitude == 0.0 ||
                (magnitude >= 0x1p-126 && magnitude <= 0x1.fffffep127);
    return DType(fits ? Scalar::FP32 : Scalar::FP64);
  }
  BigInt value = number.intValue();
  if (value.fitsSigned(32))
    return DType(Scalar::I32);
  if (value.fitsUnsigned(32))
    return DType(Scalar::U32);
  if (value.fitsSigned(64))
    return DType(Scalar::I64);
  if (value.fitsUnsigned(64))
    return DType(Scalar::U64);
  reporter.error(2020,
                 "expected an integer of at most 64 bits, got " + value.str(),
                 "compile-time arithmetic may be wider; reduce the value "
                 "before it meets a run-time value");
  return std::nullopt;
}

Value Emitter::toTensor(const Value &value) {
  if (value.isTensor() || value.isError())
    return value;
  if (!value.isNumber())
    return reporter.error(2021, "expected a number or a tensor, got " +
                                    value.describe());
  std::optional<DType> type = typeOfNumber(value);
  return type ? constant(value, *type) : Value::error();
}

/// The integer that a conversion at run time gives: NaN becomes 0, numbers out
/// of range the nearest limit.
static BigInt saturated(double number, DType type) {
  if (std::isnan(number))
    return 0;
  unsigned width = type.width();
  BigInt low = type.isSigned() ? -BigInt(1).shiftLeft(width - 1) : BigInt(0);
  BigInt high =
      BigInt(1).shiftLeft(type.isSigned() ? width - 1 : width) - BigInt(1);
  if (std::isinf(number))
    return number < 0 ? low : high;
  BigInt value = *BigInt::fromDouble(number);
  return value.compare(low) < 0 ? low : value.compare(high) > 0 ? high : value;
}

Value Emitter::constant(const Value &number, DType type, Shape shape) {
  if (number.isError())
    return number;
  // Conversion to the 8-bit floats saturates, which only the cast knows.
  if (type.isFP8())
    return cast(constant(number, Scalar::FP32, shape), type);
  mlir::Type element = type.toMLIR(b.getContext());
  if (type.isPointer()) {
    Value address = constant(number, Scalar::I64, shape);
    return cast(address, type);
  }
  mlir::TypedAttr attribute;
  if (auto floatType = llvm::dyn_cast<mlir::FloatType>(element)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    llvm::APFloat value = number.isFloat()
                              ? llvm::APFloat(number.floatValue())
                              : number.intValue().toFloat(semantics);
    bool losesInfo;
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    attribute = mlir::FloatAttr::get(floatType, value);
  } else if (type.isBool()) {
    bool isTrue = number.isFloat() ? number.floatValue() != 0
                                   : !number.intValue().isZero();
    attribute = mlir::IntegerAttr::get(element, llvm::APInt(1, isTrue));
  } else {
    BigInt value = number.isFloat() ? saturated(number.floatValue(), type)
                                    : number.intValue();
    attribute = mlir::IntegerAttr::get(element, value.toAPInt(type.width()));
  }
  if (!shape.empty())
    attribute = mlir::DenseElementsAttr::get(
        mlir::RankedTensorType::get(shape, element),
        mlir::Attribute(attribute));
  return wrap(arith::ConstantOp::create(b, attribute), type);
}

Value Emitter::zeroLike(mlir::Type type, DType element) {
  Shape shape;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    shape = tensor.getShape();
  return constant(Value::integer(0), element, shape);
}

Value Emitter::toCondition(const Value &value) {
  if (value.isError())
    return value;
  if (value.isNumber())
    return constant(Value::boolean(value.toDouble() != 0), Scalar::I1);
  if (!value.isScalar())
    return reporter.error(
        2022, "expected a scalar condition, got " + value.describe(),
        "use tl.where for a choice per element, or reduce "
        "the tensor to a scalar first");
  return cast(value, Scalar::I1);
}

Value Emitter::toScalarInt(const Value &value, DType type,
                           llvm::StringRef what) {
  if (value.isError())
    return value;
  bool isInteger = value.isInt() || value.isBool() ||
                   (value.isScalar() && value.dtype().isInt());
  if (!isInteger)
    return reporter.error(2023, "expected a scalar integer for " + what +
                                    ", got " + value.describe());
  if (value.isTensor())
    return cast(value, type);
  return checkNumber(value, type) ? constant(value, type) : Value::error();
}

/// C3 of the casts: reports rounding modes where nothing is rounded.
static bool isNarrowing(DType from, DType to) {
  return from.isFloat() && to.isFloat() && to.width() < from.width();
}

Value Emitter::cast(const Value &value, DType type, Rounding rounding) {
  if (value.isError())
    return value;
  if (value.isNumber())
    return constant(value, type);
  if (!value.isTensor())
    return reporter.error(2021, "expected a number or a tensor, got " +
                                    value.describe());
  DType from = value.dtype();
  if (rounding != Rounding::Default && !isNarrowing(from, type))
    return reporter.error(2024,
                          "expected a narrowing float conversion with "
                          "fp_downcast_rounding, got " +
                              from.spelling() + " to " + type.spelling(),
                          "leave fp_downcast_rounding out");
  if (from == type)
    return wrap(value.ssa(), type);
  if (from.is(Scalar::FP8E4B15))
    return castFromE4B15(value, type);
  if (type.is(Scalar::FP8E4B15) && !from.isPointer())
    return castToE4B15(value, rounding);
  if (from.isPointer() || type.isPointer())
    return castPointer(value, type);
  return from.isFloat() ? castFromFloat(value, type, rounding)
                        : castFromInt(value, type);
}

Value Emitter::castFromFloat(const Value &value, DType type,
                             Rounding rounding) {
  DType from = value.dtype();
  mlir::Type result = typeFor(type, value.shape());
  if (type.isBool())
    return compare(ast::CompareOperator::NotEq, value,
                   constantInt(0, from, value.shape()));
  if (type.isInt()) {
    if (from.width() < 32)
      return cast(cast(value, Scalar::FP32), type);
    return wrap(type.isSigned()
                    ? b.createOrFold<arith::FPToSIOp>(result, value.ssa())
                    : b.createOrFold<arith::FPToUIOp>(result, value.ssa()),
                type);
  }
  if (type.width() > from.width())
    return wrap(b.createOrFold<arith::ExtFOp>(result, value.ssa()), type);
  // Equal widths (fp16 and bf16, two fp8 kinds) meet in fp32.
  if (type.width() == from.width())
    return cast(cast(value, Scalar::FP32), type, rounding);
  auto op = arith::TruncFOp::create(b, result, value.ssa());
  if (rounding == Rounding::TowardZero)
    op.setRoundingmode(arith::RoundingMode::toward_zero);
  if (type.isFP8())
    op->setAttr("tw.saturate", b.getUnitAttr());
  return wrap(op.getResult(), type);
}

Value Emitter::castFromInt(const Value &value, DType type) {
  DType from = value.dtype();
  mlir::Type result = typeFor(type, value.shape());
  if (type.isBool())
    return compare(ast::CompareOperator::NotEq, value,
                   constantInt(0, from, value.shape()));
  if (type.isFP8())
    return cast(cast(value, Scalar::FP32), type);
  if (type.isFloat())
    return wrap(from.isSigned()
                    ? b.createOrFold<arith::SIToFPOp>(result, value.ssa())
                    : b.createOrFold<arith::UIToFPOp>(result, value.ssa()),
                type);
  if (type.width() == from.width())
    return wrap(value.ssa(), type);
  if (type.width() < from.width())
    return wrap(b.createOrFold<arith::TruncIOp>(result, value.ssa()), type);
  return wrap(from.isSigned()
                  ? b.createOrFold<arith::ExtSIOp>(result, value.ssa())
                  : b.createOrFold<arith::ExtUIOp>(result, value.ssa()),
              type);
}

Value Emitter::castPointer(const Value &value, DType type) {
  DType from = value.dtype();
  mlir::Type result = typeFor(type, value.shape());
  if (from.isPointer() && type.isPointer())
    return wrap(b.createOrFold<tile::PtrCastOp>(result, value.ssa()), type);
  if (from.isPointer()) {
    if (!type.isInt())
      return reporter.error(2026, "expected an integer or pointer type to "
                                  "convert a pointer to, got " +
                                      type.spelling());
    Value address =
        wrap(tile::PtrToIntOp::create(b, typeFor(Scalar::I64, value.shape()),
                                      value.ssa()),
             Scalar::I64);
    return cast(address, type);
  }
  if (!from.isInt() || from.isBool())
    return reporter.error(2026, "expected an integer address to convert to " +
                                    type.spelling() + ", got " +
                                    value.describe());
  Value address = cast(value, Scalar::I64);
  return wrap(tile::IntToPtrOp::create(b, result, address.ssa()), type);
}

Value Emitter::bitcast(const Value &input, DType type) {
  Value value = toTensor(input);
  if (value.isError())
    return value;
  DType from = value.dtype();
  if (from.isPointer() || type.isPointer())
    return cast(value, type);
  if (from.width() != type.width())
    return reporter.error(2027, "expected a type of " +
                                    std::to_string(from.width()) +
                                    " bits to bitcast " + value.describe() +
                                    ", got " + type.spelling());
  mlir::Type result = typeFor(type, value.shape());
  if (result == value.ssa().getType())
    return wrap(value.ssa(), type);
  return wrap(b.createOrFold<arith::BitcastOp>(result, value.ssa()), type);
}
