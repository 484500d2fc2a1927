//===- Arithmetic.cpp - Operators on run-time values ------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules C1 to C7 (arithmetic) and D1, D2 (comparison, logic) of the language.
//===----------------------------------------------------------------------===//

#include "frontend/sema/emit/Emitter.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;
namespace arith = mlir::arith;

/// Marks sums and products of unsigned values: they wrap as written, so that
/// the lowering may not take them for exact index arithmetic.
static mlir::Value markUnsigned(mlir::Value value, DType type) {
  mlir::Operation *op = value.getDefiningOp();
  if (type.isUnsigned() &&
      mlir::isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    op->setAttr("tw.unsigned", mlir::UnitAttr::get(op->getContext()));
  return value;
}

/// 8-bit floats have no arithmetic of their own: it happens in fp32, and the
/// result is rounded back.
static bool bothFP8(const Value &left, const Value &right) {
  return left.isTensor() && right.isTensor() && left.dtype().isFP8() &&
         left.dtype() == right.dtype();
}

/// fp8e4b15 with a number, which need not be one of its few values.
static bool isLegacyWithNumber(const Value &left, const Value &right) {
  auto isLegacy = [](const Value &v) {
    return v.isTensor() && v.dtype().is(Scalar::FP8E4B15);
  };
  return (isLegacy(left) && right.isNumber()) ||
         (left.isNumber() && isLegacy(right));
}

Value Emitter::binary(BinaryOperator op, Value left, Value right) {
  if (isLegacyWithNumber(left, right))
    return cast(binary(op, cast(left, Scalar::FP32), cast(right, Scalar::FP32)),
                Scalar::FP8E4B15);
  if (bothFP8(left, right))
    return cast(binary(op, cast(left, Scalar::FP32), cast(right, Scalar::FP32)),
                left.dtype());
  switch (op) {
  case BinaryOperator::Add:
  case BinaryOperator::Sub:
    return addOrSubtract(op == BinaryOperator::Add, left, right);
  case BinaryOperator::Mult: {
    if (!promote(left, right, {}))
      return Value::error();
    DType type = left.dtype();
    if (type.isFloat())
      return wrap(arith::MulFOp::create(b, left.ssa(), right.ssa(), fastMath()),
                  type);
    return wrap(
        markUnsigned(b.createOrFold<arith::MulIOp>(left.ssa(), right.ssa()),
                     type),
        type);
  }
  case BinaryOperator::Div:
    return divide(left, right);
  case BinaryOperator::FloorDiv:
  case BinaryOperator::Mod:
    return integerDivide(left, right, op == BinaryOperator::Mod);
  case BinaryOperator::Pow:
    return reporter.error(2044,
                          "expected compile-time operands of '**', got " +
                              left.describe() + " and " + right.describe(),
                          "use tl.exp2, or libdevice.pow for run-time values");
  case BinaryOperator::MatMult:
    return reporter.error(2045, "the operator '@' is not part of the language",
                          "use tl.dot");
  default:
    return bitwise(op, left, right);
  }
}

/// Offsets are signed numbers of 32 or 64 bits; others keep their value.
Value Emitter::signedOffset(const Value &offset) {
  DType type = offset.dtype();
  if (type.isUnsigned())
    return cast(offset, Scalar::I64);
  return type.width() < 32 ? cast(offset, Scalar::I32) : offset;
}

Value Emitter::addPointer(const Value &pointer, const Value &offset) {
  Value left = pointer, right = offset;
  if (!broadcastTogether(left, right))
    return Value::error();
  right = signedOffset(right);
  DType type = left.dtype();
  return wrap(
      tile::AddPtrOp::create(b, left.ssa().getType(), left.ssa(), right.ssa()),
      type);
}

Value Emitter::addOrSubtract(bool isAdd, Value left, Value right) {
  auto isPointer = [](const Value &v) {
    return v.isTensor() && v.dtype().isPointer();
  };
  if (isPointer(right) && (!isAdd || isPointer(left)))
    return reporter.error(2043,
                          std::string("expected an integer offset to ") +
                              (isAdd ? "add to" : "subtract from") +
                              " a pointer, got " + right.describe(),
                          "convert pointers with .to(tl.int64) to compute "
                          "with addresses");
  if (isPointer(right))
    std::swap(left, right);
  if (isPointer(left)) {
    Value offset = toTensor(right);
    if (offset.isError())
      return offset;
    if (!offset.dtype().isInt())
      return reporter.error(2043,
                            "expected an integer offset to add to a pointer, "
                            "got " +
                                right.describe());
    // Widened first: the negative of an unsigned or smallest number is none.
    offset = signedOffset(offset);
    bool mayOverflow =
        !isAdd && right.isTensor() && offset.dtype().width() < 64;
    if (mayOverflow)
      offset = cast(offset, Scalar::I64);
    return addPointer(left, isAdd ? offset : negate(offset));
  }
  if (!promote(left, right, {}))
    return Value::error();
  DType type = left.dtype();
  mlir::Value l = left.ssa(), r = right.ssa();
  if (type.isFloat())
    return wrap(isAdd ? arith::AddFOp::create(b, l, r, fastMath()).getResult()
                      : arith::SubFOp::create(b, l, r, fastMath()).getResult(),
                type);
  return wrap(markUnsigned(isAdd ? b.createOrFold<arith::AddIOp>(l, r)
                                 : b.createOrFold<arith::SubIOp>(l, r),
                           type),
              type);
}

Value Emitter::divide(Value left, Value right) {
  if (!promote(left, right, {false, false, true, true}))
    return Value::error();
  if (left.dtype().isInt()) {
    left = cast(left, Scalar::FP32);
    right = cast(right, Scalar::FP32);
  }
  auto flags = left.dtype().is(Scalar::FP64) ? arith::FastMathFlags::none
                                             : arith::FastMathFlags::afn;
  return wrap(arith::DivFOp::create(b, left.ssa(), right.ssa(), flags),
              left.dtype());
}

/// Kernel IR neither divides nor shifts i1: bytes do, and their low bit stays.
Value Emitter::binaryOnBits(BinaryOperator op, const Value &left,
                            const Value &right) {
  Value wide = binary(op, cast(left, Scalar::U8), cast(right, Scalar::U8));
  return cast(binary(BinaryOperator::BitAnd, wide, Value::integer(1)),
              Scalar::I1);
}

Value Emitter::integerDivide(Value left, Value right, bool isRemainder) {
  if (!promote(left, right, {false, false, true, true}))
    return Value::error();
  DType type = left.dtype();
  if (type.isBool())
    return binaryOnBits(isRemainder ? BinaryOperator::Mod
                                    : BinaryOperator::FloorDiv,
                        left, right);
  mlir::Value l = left.ssa(), r = right.ssa();
  if (type.isFloat()) {
    if (isRemainder)
      return wrap(arith::RemFOp::create(b, l, r), type);
    return reporter.error(2046,
                          "expected integers for '//', got " + left.describe() +
                              " and " + right.describe(),
                          "use tl.floor(x / y)");
  }
  if (isRemainder)
    return wrap(type.isSigned() ? b.createOrFold<arith::RemSIOp>(l, r)
                                : b.createOrFold<arith::RemUIOp>(l, r),
                type);
  return wrap(type.isSigned() ? b.createOrFold<arith::DivSIOp>(l, r)
                              : b.createOrFold<arith::DivUIOp>(l, r),
              type);
}

Value Emitter::bitwise(BinaryOperator op, Value left, Value right) {
  std::string before = left.describe() + " and " + right.describe();
  if (!promote(left, right, {}))
    return Value::error();
  DType type = left.dtype();
  if (!type.isInt())
    return reporter.error(
        2047, "expected integers for a bit operation, got " + before,
        "reinterpret floats with .to(..., bitcast=True)");
  bool isShift = op == BinaryOperator::LShift || op == BinaryOperator::RShift;
  if (type.isBool() && isShift)
    return binaryOnBits(op, left, right);
  mlir::Value l = left.ssa(), r = right.ssa();
  switch (op) {
  case BinaryOperator::BitAnd:
    return wrap(b.createOrFold<arith::AndIOp>(l, r), type);
  case BinaryOperator::BitOr:
    return wrap(b.createOrFold<arith::OrIOp>(l, r), type);
  case BinaryOperator::BitXor:
    return wrap(b.createOrFold<arith::XOrIOp>(l, r), type);
  case BinaryOperator::LShift:
    return wrap(b.createOrFold<arith::ShLIOp>(l, r), type);
  default:
    return wrap(type.isSigned() ? b.createOrFold<arith::ShRSIOp>(l, r)
                                : b.createOrFold<arith::ShRUIOp>(l, r),
                type);
  }
}

static arith::CmpFPredicate floatPredicate(CompareOperator op) {
  switch (op) {
  case CompareOperator::Eq:
    return arith::CmpFPredicate::OEQ;
  case CompareOperator::NotEq:
    return arith::CmpFPredicate::UNE;
  case CompareOperator::Lt:
    return arith::CmpFPredicate::OLT;
  case CompareOperator::LtE:
    return arith::CmpFPredicate::OLE;
  case CompareOperator::Gt:
    return arith::CmpFPredicate::OGT;
  default:
    return arith::CmpFPredicate::OGE;
  }
}

static arith::CmpIPredicate intPredicate(CompareOperator op, bool isSigned) {
  using P = arith::CmpIPredicate;
  switch (op) {
  case CompareOperator::Eq:
    return P::eq;
  case CompareOperator::NotEq:
    return P::ne;
  case CompareOperator::Lt:
    return isSigned ? P::slt : P::ult;
  case CompareOperator::LtE:
    return isSigned ? P::sle : P::ule;
  case CompareOperator::Gt:
    return isSigned ? P::sgt : P::ugt;
  default:
    return isSigned ? P::sge : P::uge;
  }
}

Value Emitter::compare(CompareOperator op, Value left, Value right) {
  if (op > CompareOperator::GtE)
    return reporter.error(
        2048, "expected compile-time operands of '" +
                  std::string(op == CompareOperator::Is      ? "is"
                              : op == CompareOperator::IsNot ? "is not"
                              : op == CompareOperator::In    ? "in"
                                                             : "not in") +
                  "', got " + left.describe() + " and " + right.describe());
  auto isPointer = [](const Value &v) {
    return v.isTensor() && v.dtype().isPointer();
  };
  // Addresses compare as unsigned integers.
  if (isPointer(left))
    left = bitcast(cast(left, Scalar::I64), Scalar::U64);
  if (isPointer(right))
    right = bitcast(cast(right, Scalar::I64), Scalar::U64);
  if (bothFP8(left, right) || isLegacyWithNumber(left, right)) {
    left = cast(left, Scalar::FP32);
    right = cast(right, Scalar::FP32);
  }
  if (!promote(left, right, {}))
    return Value::error();
  DType type = left.dtype();
  if (type.isFloat())
    return wrap(b.createOrFold<arith::CmpFOp>(floatPredicate(op), left.ssa(),
                                              right.ssa()),
                Scalar::I1);
  return wrap(b.createOrFold<arith::CmpIOp>(intPredicate(op, type.isSigned()),
                                            left.ssa(), right.ssa()),
              Scalar::I1);
}

Value Emitter::negate(const Value &input) {
  Value value = toTensor(input);
  if (value.isError())
    return value;
  DType type = value.dtype();
  if (type.isPointer() || type.isBool())
    return reporter.error(
        2049, "expected a number to negate, got " + value.describe(),
        type.isBool() ? "use ~ or not for a logical not" : "");
  if (type.is(Scalar::FP8E4B15))
    return cast(negate(cast(value, Scalar::FP32)), type);
  if (type.isFloat())
    return wrap(b.createOrFold<arith::NegFOp>(value.ssa()), type);
  Value zero = constantInt(0, type, value.shape());
  return wrap(markUnsigned(
                  b.createOrFold<arith::SubIOp>(zero.ssa(), value.ssa()), type),
              type);
}

Value Emitter::invert(const Value &input) {
  Value value = toTensor(input);
  if (value.isError())
    return value;
  DType type = value.dtype();
  if (!type.isInt())
    return reporter.error(2047,
                          "expected integers for '~', got " + value.describe());
  Value ones = constantInt(-1, type, value.shape());
  return wrap(b.createOrFold<arith::XOrIOp>(value.ssa(), ones.ssa()), type);
}

Value Emitter::logicalNot(const Value &value) {
  if (value.isError())
    return value;
  if (value.isTensor() && !value.dtype().isBool())
    return reporter.error(
        2050, "expected an i1 operand of 'not', got " + value.describe(),
        "compare with zero: x == 0");
  return invert(value);
}

Value Emitter::logicalAnd(Value left, Value right, bool isOr) {
  for (Value *value : {&left, &right}) {
    if (value->isError())
      return *value;
    if (value->isNumber())
      *value = constant(Value::boolean(value->toDouble() != 0), Scalar::I1);
    if (!value->isTensor() || !value->dtype().isBool())
      return reporter.error(2050,
                            std::string("expected i1 operands of '") +
                                (isOr ? "or" : "and") + "', got " +
                                value->describe(),
                            "compare with zero: x != 0");
  }
  return bitwise(isOr ? BinaryOperator::BitOr : BinaryOperator::BitAnd, left,
                 right);
}

Value Emitter::select(const Value &condition, const Value &x, const Value &y) {
  Value test = condition;
  if (test.isNumber())
    test = constant(Value::boolean(test.toDouble() != 0), Scalar::I1);
  test = cast(test, Scalar::I1);
  Value left = x, right = y;
  if (test.isError() || !promote(left, right, {true, true}))
    return Value::error();
  if (left.dtype() != right.dtype())
    return reporter.error(2051, "expected two values of one type, got " +
                                    left.describe() + " and " +
                                    right.describe());
  if (!broadcastTogether(test, left) || !broadcastTogether(left, right))
    return Value::error();
  test = broadcastTo(test, left.shape());
  return wrap(
      b.createOrFold<arith::SelectOp>(test.ssa(), left.ssa(), right.ssa()),
      left.dtype());
}

Value Emitter::extremum(const Value &left, const Value &right, bool isMax,
                        bool propagatesNaN) {
  DType type = left.dtype();
  if (type.is(Scalar::FP8E4B15))
    return cast(extremum(cast(left, Scalar::FP32), cast(right, Scalar::FP32),
                         isMax, propagatesNaN),
                type);
  mlir::Value l = left.ssa(), r = right.ssa();
  if (type.isFloat()) {
    if (propagatesNaN)
      return wrap(isMax ? arith::MaximumFOp::create(b, l, r).getResult()
                        : arith::MinimumFOp::create(b, l, r).getResult(),
                  type);
    return wrap(isMax ? arith::MaxNumFOp::create(b, l, r).getResult()
                      : arith::MinNumFOp::create(b, l, r).getResult(),
                type);
  }
  if (type.isSigned())
    return wrap(isMax ? b.createOrFold<arith::MaxSIOp>(l, r)
                      : b.createOrFold<arith::MinSIOp>(l, r),
                type);
  return wrap(isMax ? b.createOrFold<arith::MaxUIOp>(l, r)
                    : b.createOrFold<arith::MinUIOp>(l, r),
              type);
}
