//===- Expression.h - Formulas as C++ expressions ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets an expansion be written as a formula: operators on `Expression` create
// arith and math operations of the operands' shape, which may be a scalar, a
// vector of any rank (scalable too) or a tensor.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_EXPRESSION_H
#define TILEWRIGHT_BACKENDS_MATH_EXPRESSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace tilewright::math {

class Emitter;

/// What formulas may use, and how exact they have to be.
struct FormulaOptions {
  bool hasFma = true;       // math.fma is one instruction
  bool hasRounding = true;  // math.trunc and its like are
  bool hasExp2 = false;     // math.exp2 on f32, to 2 ulp
  bool isFast = false;      // large arguments may be treated less exactly
  bool hasBranches = false; // scf.if may be created
};

/// A value under construction. Integer and float operators share one spelling;
/// `>>` is arithmetic. Comparisons are signed, or ordered for floats, so that
/// they are false for NaN; `!=` on floats is the one that is true for NaN.
struct Expression {
  mlir::Value value;
  Emitter *emitter = nullptr;

  mlir::Type elementType() const {
    return mlir::getElementTypeOrSelf(value.getType());
  }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(elementType()); }
};

/// Creates the operations of one expansion at one place.
class Emitter {
public:
  /// `shape` is any value type of the wanted shape.
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape,
          const FormulaOptions &options = {})
      : builder(builder), loc(loc), options(options), shape(shape) {}

  Expression wrap(mlir::Value value) { return {value, this}; }
  /// The emitter's shape with another element type.
  mlir::Type shaped(mlir::Type element) const;
  mlir::Type bits(unsigned width) const;

  Expression real(mlir::Type element, double value);
  Expression integer(mlir::Type element, const llvm::APInt &value);
  Expression integer(unsigned width, int64_t value);

  Expression select(Expression condition, Expression yes, Expression no);
  Expression select(Expression condition, Expression yes, double no);
  Expression select(Expression condition, double yes, Expression no);
  /// a * b + c with one rounding where that is an instruction, else two; never
  /// relied on for exactness.
  Expression mulAdd(Expression a, Expression b, Expression c);
  Expression mulAdd(Expression a, double b, Expression c);
  /// c[0] + c[1] x + ... by Horner's rule.
  Expression polynomial(Expression x, llvm::ArrayRef<double> c);

  Expression abs(Expression x);
  Expression sqrt(Expression x);
  Expression truncate(Expression x);
  Expression copySign(Expression magnitude, Expression sign);
  /// The integer nearest to x * scale (below 2^51 for f64, 2^22 for f32), found
  /// by adding a constant; `rounded` receives it as a float. The result holds
  /// it in its low bits (9 for f32, 12 or more for f64), which are harmless
  /// garbage, not poison, for NaN and infinity.
  Expression roundToInteger(Expression x, double scale, Expression &rounded);
  /// A small signed integer as a float of its own width.
  Expression smallIntegerToFloat(Expression x);
  Expression clampAbove(Expression x, double limit);
  Expression clampBelow(Expression x, double limit);

  Expression toBits(Expression x);
  Expression fromBits(Expression x, mlir::Type element);
  Expression toFloat(Expression x, mlir::Type element);
  Expression toSingle(Expression x);
  Expression toDouble(Expression x);
  Expression truncateBits(Expression x, unsigned width);
  Expression extendBits(Expression x, unsigned width);
  Expression zeroExtendBits(Expression x, unsigned width);

  Expression compare(mlir::arith::CmpFPredicate predicate, Expression a,
                     Expression b);
  Expression compare(mlir::arith::CmpIPredicate predicate, Expression a,
                     Expression b);
  Expression isNaN(Expression x);
  Expression shiftRightLogical(Expression x, Expression amount);

  template <typename OpTy, typename... Args> Expression create(Args &&...args) {
    return wrap(OpTy::create(builder, loc, std::forward<Args>(args)...));
  }

  /// True if branches are wanted and "any element" can be computed.
  bool canBranch() const;
  /// The values of `rare` if any element satisfies the condition, else those of
  /// `usual`, through a branch.
  llvm::SmallVector<Expression>
  branchIfAny(Expression condition, mlir::TypeRange types,
              llvm::function_ref<llvm::SmallVector<Expression>()> rare,
              llvm::function_ref<llvm::SmallVector<Expression>()> usual);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const FormulaOptions options;

private:
  mlir::Type shape;
};

Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator/(Expression a, Expression b);
Expression operator&(Expression a, Expression b);
Expression operator|(Expression a, Expression b);
Expression operator^(Expression a, Expression b);
Expression operator<<(Expression a, int64_t amount);
Expression operator>>(Expression a, int64_t amount);
Expression operator<(Expression a, Expression b);
Expression operator>(Expression a, Expression b);
Expression operator<=(Expression a, Expression b);
Expression operator>=(Expression a, Expression b);
Expression operator==(Expression a, Expression b);
Expression operator!=(Expression a, Expression b);
Expression operator-(Expression a);

/// A constant of the same type as `like`; integers take the low bits.
Expression constantLike(Expression like, double value);

#define TILEWRIGHT_MATH_MIXED_OPERATOR(op)                                     \
  inline Expression operator op(Expression a, double b) {                      \
    return a op constantLike(a, b);                                            \
  }                                                                            \
  inline Expression operator op(double a, Expression b) {                      \
    return constantLike(b, a) op b;                                            \
  }
TILEWRIGHT_MATH_MIXED_OPERATOR(+)
TILEWRIGHT_MATH_MIXED_OPERATOR(-)
TILEWRIGHT_MATH_MIXED_OPERATOR(*)
TILEWRIGHT_MATH_MIXED_OPERATOR(/)
TILEWRIGHT_MATH_MIXED_OPERATOR(<)
TILEWRIGHT_MATH_MIXED_OPERATOR(>)
TILEWRIGHT_MATH_MIXED_OPERATOR(<=)
TILEWRIGHT_MATH_MIXED_OPERATOR(>=)
TILEWRIGHT_MATH_MIXED_OPERATOR(==)
TILEWRIGHT_MATH_MIXED_OPERATOR(!=)
#undef TILEWRIGHT_MATH_MIXED_OPERATOR

inline Expression operator&(Expression a, int64_t b) {
  return a & a.emitter->integer(a.elementType().getIntOrFloatBitWidth(), b);
}
inline Expression operator|(Expression a, int64_t b) {
  return a | a.emitter->integer(a.elementType().getIntOrFloatBitWidth(), b);
}

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_EXPRESSION_H
