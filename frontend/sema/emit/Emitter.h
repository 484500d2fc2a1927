//===- Emitter.h - Typed emission of tile IR --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's type rules over an op builder: promotion, casts, broadcasting
// and the operators. Takes compile-time numbers and run-time values, gives
// run-time values. Mistakes are reported at the reporter's current range.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_EMITTER_H
#define TILEWRIGHT_FRONTEND_SEMA_EMITTER_H

#include "frontend/sema/Reporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tilewright::sema {

using Shape = llvm::ArrayRef<int64_t>;

/// What a binary operator allows; see Emitter::promote.
struct PromotionRules {
  bool leftPointer = false;
  bool rightPointer = false;
  /// False keeps both types and only broadcasts.
  bool arithmetic = true;
  bool isDivision = false;
};

enum class Rounding : uint8_t { Default, NearestEven, TowardZero };

class Emitter {
public:
  Emitter(mlir::MLIRContext *context, Reporter &reporter)
      : b(mlir::UnknownLoc::get(context), context), reporter(reporter) {}

  mlir::ImplicitLocOpBuilder b;
  Reporter &reporter;
  /// Whether float adds and multiplies may be contracted into fma.
  bool contract = true;

  //===--- Constants and casts (Casting.cpp) ------------------------------===//

  /// The type that a compile-time number takes when it becomes run-time.
  std::optional<DType> typeOfNumber(const Value &number);
  /// A run-time value for a compile-time number; run-time values unchanged.
  Value toTensor(const Value &value);
  /// A constant of the given type, splat to the shape.
  Value constant(const Value &number, DType type, Shape shape = {});
  Value constantInt(int64_t value, DType type, Shape shape = {}) {
    return constant(Value::integer(value), type, shape);
  }
  Value zeroLike(mlir::Type type, DType element);
  Value cast(const Value &value, DType type,
             Rounding rounding = Rounding::Default);
  Value bitcast(const Value &value, DType type);
  /// A boolean scalar for a condition: numbers and scalars, nonzero is true.
  Value toCondition(const Value &value);
  /// A run-time scalar integer of the given type; for sizes and offsets.
  Value toScalarInt(const Value &value, DType type, llvm::StringRef what);

  //===--- Shapes (Shaping.cpp) -------------------------------------------===//

  mlir::Type typeFor(DType type, Shape shape);
  Value broadcastTo(const Value &value, Shape shape);
  /// Broadcasts both to their common shape; false after an error.
  bool broadcastTogether(Value &left, Value &right);
  /// The common shape of two, or nullopt.
  static std::optional<std::vector<int64_t>> commonShape(Shape a, Shape b);
  Value reshape(const Value &value, Shape shape, bool mayReorder = false);
  Value expandDims(const Value &value, int64_t axis);
  Value transpose(const Value &value, llvm::ArrayRef<int64_t> order);
  Value range(int64_t start, int64_t end);
  /// Reports extents that are not powers of two or a product that is too big.
  bool checkShape(Shape shape);

  //===--- Operators (Arithmetic.cpp) -------------------------------------===//

  /// Converts two operands to a common type and shape; false after an error.
  bool promote(Value &left, Value &right, const PromotionRules &rules);
  Value binary(ast::BinaryOperator op, Value left, Value right);
  Value compare(ast::CompareOperator op, Value left, Value right);
  Value negate(const Value &value);
  Value invert(const Value &value);
  Value logicalNot(const Value &value);
  Value logicalAnd(Value left, Value right, bool isOr);
  Value add(const Value &l, const Value &r) {
    return binary(ast::BinaryOperator::Add, l, r);
  }
  Value mul(const Value &l, const Value &r) {
    return binary(ast::BinaryOperator::Mult, l, r);
  }
  Value addPointer(const Value &pointer, const Value &offset);
  Value select(const Value &condition, const Value &x, const Value &y);
  /// Larger or smaller of two values of one type; a number beats NaN unless
  /// NaN is to be propagated.
  Value extremum(const Value &l, const Value &r, bool isMax,
                 bool propagatesNaN = false);
  mlir::arith::FastMathFlags fastMath() const {
    return contract ? mlir::arith::FastMathFlags::contract
                    : mlir::arith::FastMathFlags::none;
  }

private:
  Value castFromFloat(const Value &value, DType type, Rounding rounding);
  Value castFromE4B15(const Value &value, DType type);
  Value castToE4B15(const Value &value, Rounding rounding);
  Value castFromInt(const Value &value, DType type);
  Value castPointer(const Value &value, DType type);
  Value signedOffset(const Value &offset);
  /// `/`: within 2 ulp, which the flag `afn` says; exact on fp64.
  Value divide(Value left, Value right);
  Value integerDivide(Value left, Value right, bool isRemainder);
  Value bitwise(ast::BinaryOperator op, Value left, Value right);
  Value binaryOnBits(ast::BinaryOperator op, const Value &left,
                     const Value &right);
  Value addOrSubtract(bool isAdd, Value left, Value right);
  std::optional<DType> promotedType(const Value &left, const Value &right,
                                    bool isDivision);
  bool checkNumber(const Value &number, DType type);
  Value wrap(mlir::Value value, DType type) {
    return Value::tensor(value, type);
  }
};

/// Types of two run-time operands after promotion (rules B3 to B5); nullopt
/// when they do not mix.
std::optional<DType> promoteTypes(DType a, DType b, bool isDivision);
/// C's usual arithmetic conversions (rule B4).
DType promoteIntegers(DType a, DType b);

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_EMITTER_H
