//===- Math.cpp - Elementwise functions -------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp to ceil, abs, maximum and minimum, clamp, where, fma and the arithmetic
// functions.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/FloatFunctions.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
namespace math = mlir::math;
namespace arith = mlir::arith;

/// Variant of the functions whose result is rounded correctly.
static constexpr int64_t kExact = 1;

/// `afn` allows errors of 2 ulp, in fp32 and below.
static arith::FastMathFlags approximation(bool isExact, DType type) {
  return isExact || type.is(Scalar::FP64) ? arith::FastMathFlags::none
                                          : arith::FastMathFlags::afn;
}

static Value emitSquareRoot(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  return Value::tensor(
      math::SqrtOp::create(
          in.builder(), x.ssa(),
          approximation(args.builtin->variant == kExact, x.dtype())),
      x.dtype());
}

static Value emitAbs(Interpreter &in, CallArgs &args) {
  Value value = in.emitter.toTensor(args["x"]);
  if (value.isError())
    return value;
  DType type = value.dtype();
  auto &b = in.builder();
  if (type.isPointer())
    return in.argumentError(args, "x", 2231,
                            "expected a number, got " + value.describe());
  if (type.isUnsigned())
    return value;
  if (type.isInt())
    return Value::tensor(math::AbsIOp::create(b, value.ssa()), type);
  if (type.isFP8()) {
    Value bits = in.emitter.bitcast(value, Scalar::U8);
    bits =
        in.emitter.binary(BinaryOperator::BitAnd, bits, Value::integer(0x7f));
    return in.emitter.bitcast(bits, type);
  }
  return Value::tensor(math::AbsFOp::create(b, value.ssa()), type);
}

/// H5: bf16 becomes fp32 first, also in the result.
static Value widenBF16(Interpreter &in, const Value &value) {
  if (value.isTensor() && value.dtype().is(Scalar::BF16))
    return in.emitter.cast(value, Scalar::FP32);
  return value;
}

/// Larger or smaller of two values; variant 1 is the larger.
static Value emitExtremum(Interpreter &in, CallArgs &args) {
  std::optional<bool> propagates = in.constantBool(args, "propagate_nan");
  Value left = widenBF16(in, args["x"]), right = widenBF16(in, args["y"]);
  if (left.isNumber() && right.isNumber()) {
    left = in.emitter.toTensor(left);
    right = in.emitter.toTensor(right);
  }
  if (!propagates || !in.emitter.promote(left, right, {}))
    return Value::error();
  return in.emitter.extremum(left, right, args.builtin->variant == 1,
                             *propagates);
}

static Value emitClamp(Interpreter &in, CallArgs &args) {
  std::optional<bool> propagates = in.constantBool(args, "propagate_nan");
  Value x = widenBF16(in, in.emitter.toTensor(args["x"]));
  Value low = widenBF16(in, args["min"]), high = widenBF16(in, args["max"]);
  if (!propagates || x.isError())
    return Value::error();
  if (!x.dtype().isFloat())
    return in.argumentError(args, "x", 2232,
                            "expected a float to clamp, got " + x.describe(),
                            "use tl.minimum(tl.maximum(x, lo), hi)");
  if (!in.emitter.promote(x, low, {}) || !in.emitter.promote(x, high, {}))
    return Value::error();
  if (!in.emitter.promote(low, x, {}))
    return Value::error();
  Value raised = in.emitter.extremum(x, low, /*isMax=*/true, *propagates);
  return in.emitter.extremum(raised, high, /*isMax=*/false, *propagates);
}

static Value emitWhere(Interpreter &in, CallArgs &args) {
  return in.emitter.select(args["condition"], args["x"], args["y"]);
}

static Value emitFma(Interpreter &in, CallArgs &args) {
  Value x = args["x"], y = args["y"], z = args["z"];
  for (Value *value : {&x, &y, &z})
    *value = in.emitter.toTensor(*value);
  if (!in.emitter.promote(x, y, {}) || !in.emitter.promote(y, z, {}) ||
      !in.emitter.promote(x, z, {}) || !in.emitter.promote(y, x, {}))
    return Value::error();
  DType type = x.dtype();
  if (!type.isFloat())
    return in.error(2233,
                    "expected floats for '" + in.nameOf(*args.builtin) +
                        "', got " + x.describe(),
                    "write x * y + z for integers");
  // 8-bit floats have no arithmetic of their own.
  if (type.isFP8())
    for (Value *value : {&x, &y, &z})
      *value = in.emitter.cast(*value, Scalar::FP32);
  Value result = Value::tensor(
      math::FmaOp::create(in.builder(), x.ssa(), y.ssa(), z.ssa()), x.dtype());
  return in.emitter.cast(result, type);
}

/// High half of the unsigned product of 32- or 64-bit integers.
static Value emitUMulHi(Interpreter &in, CallArgs &args) {
  Value x = args["x"], y = args["y"];
  if (x.isNumber() && y.isNumber())
    x = in.emitter.toTensor(x);
  if (!in.emitter.promote(x, y, {}))
    return Value::error();
  if (!x.dtype().isInt() || x.dtype().width() < 32)
    return in.error(2234,
                    "expected integers of 32 or 64 bits, got " + x.describe());
  return Value::tensor(
      tile::MulHiOp::create(in.builder(), x.ssa().getType(), x.ssa(), y.ssa()),
      x.dtype());
}

/// Division that keeps the type: within 2 ulp, which the flag `afn` says, or
/// rounded correctly.
static Value emitFloatDivision(Interpreter &in, CallArgs &args) {
  Value x = args["x"], y = args["y"];
  bool isExact = args.builtin->variant == kExact;
  if (!isExact) {
    std::optional<bool> asked = in.constantBool(args, "ieee_rounding");
    if (!asked)
      return Value::error();
    isExact = *asked;
  }
  if (!in.emitter.promote(x, y, {}))
    return Value::error();
  if (!x.dtype().isFloat() || x.dtype().isFP8())
    return in.error(2233,
                    "expected floats for '" + in.nameOf(*args.builtin) +
                        "', got " + x.describe(),
                    "use / for integers");
  return Value::tensor(arith::DivFOp::create(in.builder(), x.ssa(), y.ssa(),
                                             approximation(isExact, x.dtype())),
                       x.dtype());
}

/// tl.add, tl.sub, tl.mul: the operator is the variant.
static Value emitArithmetic(Interpreter &in, CallArgs &args) {
  return in.binary(static_cast<BinaryOperator>(args.builtin->variant),
                   args["x"], args["y"]);
}

void sema::registerMath(BuiltinTable &table) {
  auto unary = [&](llvm::StringRef name,
                   Value (*emit)(Interpreter &, CallArgs &)) {
    Builtin &row = table.add(name, "x", emit);
    row.isMethod = row.takesMathMode = true;
    return std::ref(row);
  };
  unary("tl.exp", emitUnaryFloat<math::ExpOp>);
  unary("tl.exp2", emitUnaryFloat<math::Exp2Op>);
  unary("tl.log", emitUnaryFloat<math::LogOp>);
  unary("tl.log2", emitUnaryFloat<math::Log2Op>);
  unary("tl.sin", emitUnaryFloat<math::SinOp>);
  unary("tl.cos", emitUnaryFloat<math::CosOp>);
  unary("tl.sqrt", emitSquareRoot);
  unary("tl.sqrt_rn", emitSquareRoot).get().variant = kExact;
  unary("tl.rsqrt", emitUnaryFloat<math::RsqrtOp>);
  unary("tl.erf", emitUnaryFloat<math::ErfOp>);
  unary("tl.floor", emitUnaryFloat<math::FloorOp>);
  unary("tl.ceil", emitUnaryFloat<math::CeilOp>);
  unary("tl.abs", emitAbs);
  table.add("tl.maximum", "x, y, propagate_nan=False", emitExtremum).variant =
      1;
  table.add("tl.minimum", "x, y, propagate_nan=False", emitExtremum);
  table.add("tl.clamp", "x, min, max, propagate_nan=False", emitClamp);
  table.add("tl.where", "condition, x, y", emitWhere);
  table.add("tl.fma", "x, y, z", emitFma);
  table.add("tl.umulhi", "x, y", emitUMulHi);
  table.add("tl.fdiv", "x, y, ieee_rounding=False", emitFloatDivision)
      .takesMathMode = true;
  table.add("tl.div_rn", "x, y", emitFloatDivision).variant = kExact;
  table.add("tl.add", "x, y, sanitize_overflow=True", emitArithmetic).variant =
      int64_t(BinaryOperator::Add);
  table.add("tl.sub", "x, y, sanitize_overflow=True", emitArithmetic).variant =
      int64_t(BinaryOperator::Sub);
  table.add("tl.mul", "x, y, sanitize_overflow=True", emitArithmetic).variant =
      int64_t(BinaryOperator::Mult);
}
