//===- Expression.cpp - Formulas as C++ expressions -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations behind the operators of Expression.h.
//
//===----------------------------------------------------------------------===//

#include "backends/math/expression/Expression.h"
#include "backends/math/single/Formulas.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilewright::math {

Type Emitter::shaped(Type element) const {
  if (auto shapedType = dyn_cast<ShapedType>(shape))
    return shapedType.clone(element);
  return element;
}

Type Emitter::bits(unsigned width) const {
  return shaped(builder.getIntegerType(width));
}

Expression Emitter::real(Type element, double value) {
  Type type = shaped(element);
  TypedAttr attr = FloatAttr::get(element, value);
  if (auto shapedType = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shapedType, Attribute(attr));
  return wrap(arith::ConstantOp::create(builder, loc, type, attr));
}

Expression Emitter::integer(Type element, const APInt &value) {
  Type type = shaped(element);
  TypedAttr attr = IntegerAttr::get(element, value);
  if (auto shapedType = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shapedType, Attribute(attr));
  return wrap(arith::ConstantOp::create(builder, loc, type, attr));
}

Expression Emitter::integer(unsigned width, int64_t value) {
  return integer(builder.getIntegerType(width),
                 APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(width));
}

Expression constantLike(Expression like, double value) {
  Emitter &e = *like.emitter;
  if (like.isFloat())
    return e.real(like.elementType(), value);
  return e.integer(like.elementType().getIntOrFloatBitWidth(),
                   static_cast<int64_t>(value));
}

Expression Emitter::select(Expression condition, Expression yes,
                           Expression no) {
  return create<arith::SelectOp>(condition.value, yes.value, no.value);
}

Expression Emitter::select(Expression condition, Expression yes, double no) {
  return select(condition, yes, constantLike(yes, no));
}

Expression Emitter::select(Expression condition, double yes, Expression no) {
  return select(condition, constantLike(no, yes), no);
}

Expression Emitter::mulAdd(Expression a, Expression b, Expression c) {
  if (!options.hasFma)
    return a * b + c;
  return create<::mlir::math::FmaOp>(a.value, b.value, c.value);
}

Expression Emitter::mulAdd(Expression a, double b, Expression c) {
  return mulAdd(a, constantLike(a, b), c);
}

Expression Emitter::polynomial(Expression x, ArrayRef<double> c) {
  Expression result = constantLike(x, c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    result = mulAdd(result, x, constantLike(x, coefficient));
  return result;
}

Expression Emitter::abs(Expression x) {
  return create<::mlir::math::AbsFOp>(x.value);
}

Expression Emitter::sqrt(Expression x) {
  return create<::mlir::math::SqrtOp>(x.value);
}

Expression Emitter::truncate(Expression x) {
  if (!options.hasRounding)
    return truncateByAddition(x);
  return create<::mlir::math::TruncOp>(x.value);
}

Expression Emitter::copySign(Expression magnitude, Expression sign) {
  return create<::mlir::math::CopySignOp>(magnitude.value, sign.value);
}

/// 1.5 * 2^(p-1): after adding it, the last bit of a sum has weight one.
static double integerMagic(Expression x) {
  return x.elementType().isF64() ? 0x1.8p52 : 0x1.8p23;
}

Expression Emitter::roundToInteger(Expression x, double scale,
                                   Expression &rounded) {
  double magic = integerMagic(x);
  Expression sum =
      scale == 1.0 ? x + magic : mulAdd(x, scale, constantLike(x, magic));
  rounded = sum - magic;
  return toBits(sum);
}

Expression Emitter::smallIntegerToFloat(Expression x) {
  bool isDouble = x.elementType().isInteger(64);
  Type element = isDouble ? Type(builder.getF64Type()) : builder.getF32Type();
  Expression magic = real(element, isDouble ? 0x1.8p52 : 0x1.8p23);
  return fromBits(x + toBits(magic), element) - magic;
}

/// Written so that NaN passes and x86 needs one instruction.
Expression Emitter::clampAbove(Expression x, double limit) {
  return select(x > limit, limit, x);
}

Expression Emitter::clampBelow(Expression x, double limit) {
  return select(x < limit, limit, x);
}

Expression Emitter::toBits(Expression x) {
  return create<arith::BitcastOp>(bits(x.elementType().getIntOrFloatBitWidth()),
                                  x.value);
}

Expression Emitter::fromBits(Expression x, Type element) {
  return create<arith::BitcastOp>(shaped(element), x.value);
}

Expression Emitter::toFloat(Expression x, Type element) {
  unsigned from = x.elementType().getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (x.elementType() == element)
    return x;
  assert(from != to && "two formats of one width need a wider one between");
  if (from < to)
    return create<arith::ExtFOp>(shaped(element), x.value);
  return create<arith::TruncFOp>(shaped(element), x.value);
}

Expression Emitter::toSingle(Expression x) {
  return toFloat(x, builder.getF32Type());
}

Expression Emitter::toDouble(Expression x) {
  return toFloat(x, builder.getF64Type());
}

Expression Emitter::truncateBits(Expression x, unsigned width) {
  if (x.elementType().isInteger(width))
    return x;
  return create<arith::TruncIOp>(bits(width), x.value);
}

Expression Emitter::extendBits(Expression x, unsigned width) {
  if (x.elementType().isInteger(width))
    return x;
  return create<arith::ExtSIOp>(bits(width), x.value);
}

Expression Emitter::zeroExtendBits(Expression x, unsigned width) {
  if (x.elementType().isInteger(width))
    return x;
  return create<arith::ExtUIOp>(bits(width), x.value);
}

Expression Emitter::compare(arith::CmpFPredicate predicate, Expression a,
                            Expression b) {
  return create<arith::CmpFOp>(predicate, a.value, b.value);
}

Expression Emitter::compare(arith::CmpIPredicate predicate, Expression a,
                            Expression b) {
  return create<arith::CmpIOp>(predicate, a.value, b.value);
}

Expression Emitter::isNaN(Expression x) {
  return compare(arith::CmpFPredicate::UNO, x, x);
}

Expression Emitter::shiftRightLogical(Expression x, Expression amount) {
  return create<arith::ShRUIOp>(x.value, amount.value);
}

bool Emitter::canBranch() const {
  auto vectorType = dyn_cast<VectorType>(shape);
  return options.hasBranches &&
         (!isa<ShapedType>(shape) || (vectorType && vectorType.getRank() == 1 &&
                                      !vectorType.isScalable()));
}

SmallVector<Expression>
Emitter::branchIfAny(Expression condition, TypeRange types,
                     llvm::function_ref<SmallVector<Expression>()> rare,
                     llvm::function_ref<SmallVector<Expression>()> usual) {
  Value any = condition.value;
  if (isa<VectorType>(any.getType()))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      any);
  auto branch = scf::IfOp::create(builder, loc, types, any,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto fill = [&](Block *block,
                  llvm::function_ref<SmallVector<Expression>()> make) {
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> values;
    for (Expression result : make())
      values.push_back(result.value);
    scf::YieldOp::create(builder, loc, values);
  };
  fill(branch.thenBlock(), rare);
  fill(branch.elseBlock(), usual);
  return llvm::map_to_vector(branch.getResults(),
                             [&](Value value) { return wrap(value); });
}

template <typename FloatOp, typename IntegerOp>
static Expression arithmetic(Expression a, Expression b) {
  if (a.isFloat())
    return a.emitter->create<FloatOp>(a.value, b.value);
  return a.emitter->create<IntegerOp>(a.value, b.value);
}

static Expression comparison(Expression a, Expression b,
                             arith::CmpFPredicate onFloats,
                             arith::CmpIPredicate onIntegers) {
  if (a.isFloat())
    return a.emitter->compare(onFloats, a, b);
  return a.emitter->compare(onIntegers, a, b);
}

Expression operator+(Expression a, Expression b) {
  return arithmetic<arith::AddFOp, arith::AddIOp>(a, b);
}
Expression operator-(Expression a, Expression b) {
  return arithmetic<arith::SubFOp, arith::SubIOp>(a, b);
}
Expression operator*(Expression a, Expression b) {
  return arithmetic<arith::MulFOp, arith::MulIOp>(a, b);
}
Expression operator/(Expression a, Expression b) {
  return arithmetic<arith::DivFOp, arith::DivSIOp>(a, b);
}
Expression operator&(Expression a, Expression b) {
  return a.emitter->create<arith::AndIOp>(a.value, b.value);
}
Expression operator|(Expression a, Expression b) {
  return a.emitter->create<arith::OrIOp>(a.value, b.value);
}
Expression operator^(Expression a, Expression b) {
  return a.emitter->create<arith::XOrIOp>(a.value, b.value);
}
Expression operator<<(Expression a, int64_t amount) {
  Expression by = constantLike(a, static_cast<double>(amount));
  return a.emitter->create<arith::ShLIOp>(a.value, by.value);
}
Expression operator>>(Expression a, int64_t amount) {
  Expression by = constantLike(a, static_cast<double>(amount));
  return a.emitter->create<arith::ShRSIOp>(a.value, by.value);
}
Expression operator<(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt);
}
Expression operator>(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt);
}
Expression operator<=(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle);
}
Expression operator>=(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge);
}
Expression operator==(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
}
Expression operator!=(Expression a, Expression b) {
  return comparison(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne);
}
Expression operator-(Expression a) {
  if (a.isFloat())
    return a.emitter->create<arith::NegFOp>(a.value);
  return constantLike(a, 0) - a;
}

} // namespace tilewright::math
