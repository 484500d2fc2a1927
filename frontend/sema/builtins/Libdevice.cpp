//===- Libdevice.cpp - The device library's names ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule L2: libdevice.* takes fp32 and fp64 and means the same on every target.
// Its fast_* names are the accurate functions.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/FloatFunctions.h"

using namespace tilewright;
using namespace tilewright::sema;
namespace math = mlir::math;
namespace arith = mlir::arith;

/// 10^x as 2^(x log2 10) loses too much; pow(10, x) does not.
static Value emitExp10(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  Value ten = in.emitter.constantInt(10, x.dtype(), x.shape());
  return Value::tensor(math::PowFOp::create(in.builder(), ten.ssa(), x.ssa()),
                       x.dtype());
}

static Value emitReciprocal(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  Value one = in.emitter.constantInt(1, x.dtype(), x.shape());
  return Value::tensor(arith::DivFOp::create(in.builder(), one.ssa(), x.ssa()),
                       x.dtype());
}

/// Rounds to the nearest integer and converts; the variant is the width.
static Value emitRoundToInt(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  Value rounded = Value::tensor(
      math::RoundEvenOp::create(in.builder(), x.ssa()), x.dtype());
  return in.emitter.cast(rounded, DType::integer(args.builtin->variant, true));
}

static Value emitSignBit(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  Value bits = in.emitter.bitcast(x, DType::integer(x.dtype().width(), true));
  return in.emitter.cast(
      in.emitter.compare(ast::CompareOperator::Lt, bits, Value::integer(0)),
      Scalar::I32);
}

/// Bit counts of integers: popc, clz, ffs by variant 0, 1, 2.
static Value emitBitCount(Interpreter &in, CallArgs &args) {
  Value x = in.emitter.toTensor(args["x"]);
  if (x.isError())
    return x;
  if (!x.dtype().isInt() || x.dtype().width() < 32)
    return in.argumentError(args, "x", 2234,
                            "expected integers of 32 or 64 bits, got " +
                                x.describe());
  auto &b = in.builder();
  if (args.builtin->variant == 0)
    return in.emitter.cast(
        Value::tensor(math::CtPopOp::create(b, x.ssa()), x.dtype()),
        Scalar::I32);
  if (args.builtin->variant == 1)
    return in.emitter.cast(
        Value::tensor(math::CountLeadingZerosOp::create(b, x.ssa()), x.dtype()),
        Scalar::I32);
  Value zeros = in.emitter.cast(
      Value::tensor(math::CountTrailingZerosOp::create(b, x.ssa()), x.dtype()),
      Scalar::I32);
  Value isZero =
      in.emitter.compare(ast::CompareOperator::Eq, x, Value::integer(0));
  return in.emitter.select(isZero, Value::integer(0),
                           in.emitter.add(zeros, Value::integer(1)));
}

void sema::registerLibdevice(BuiltinTable &table) {
  auto unary = [&](std::initializer_list<const char *> names,
                   Value (*emit)(Interpreter &, CallArgs &)) {
    for (const char *name : names)
      table.add(std::string("libdevice.") + name, "x", emit);
  };
  unary({"tanh", "fast_tanhf"}, emitUnaryFloat<math::TanhOp>);
  unary({"log1p"}, emitUnaryFloat<math::Log1pOp>);
  unary({"expm1"}, emitUnaryFloat<math::ExpM1Op>);
  unary({"log10", "fast_log10f"}, emitUnaryFloat<math::Log10Op>);
  unary({"tan", "fast_tanf"}, emitUnaryFloat<math::TanOp>);
  unary({"asin"}, emitUnaryFloat<math::AsinOp>);
  unary({"acos"}, emitUnaryFloat<math::AcosOp>);
  unary({"atan"}, emitUnaryFloat<math::AtanOp>);
  unary({"sinh"}, emitUnaryFloat<math::SinhOp>);
  unary({"cosh"}, emitUnaryFloat<math::CoshOp>);
  unary({"asinh"}, emitUnaryFloat<math::AsinhOp>);
  unary({"acosh"}, emitUnaryFloat<math::AcoshOp>);
  unary({"atanh"}, emitUnaryFloat<math::AtanhOp>);
  unary({"cbrt"}, emitUnaryFloat<math::CbrtOp>);
  unary({"erfc"}, emitUnaryFloat<math::ErfcOp>);
  unary({"trunc"}, emitUnaryFloat<math::TruncOp>);
  unary({"round"}, emitUnaryFloat<math::RoundOp>);
  unary({"rint", "nearbyint"}, emitUnaryFloat<math::RoundEvenOp>);
  // The same functions as tl's, so that either import gives one value.
  for (const char *name : {"exp", "exp2", "log", "log2", "sin", "cos", "sqrt",
                           "sqrt_rn", "rsqrt", "erf", "floor", "ceil"})
    table.alias(std::string("libdevice.") + name, std::string("tl.") + name);
  for (auto [name, existing] :
       {std::pair("fast_expf", "tl.exp"), std::pair("fast_logf", "tl.log"),
        std::pair("fast_log2f", "tl.log2"), std::pair("fast_sinf", "tl.sin"),
        std::pair("fast_cosf", "tl.cos"), std::pair("rsqrt_rn", "tl.rsqrt")})
    table.alias(std::string("libdevice.") + name, existing);
  unary({"fabs"}, emitUnaryFloat<math::AbsFOp>);
  unary({"exp10", "fast_exp10f"}, emitExp10);
  unary({"rcp_rn", "rcp64h"}, emitReciprocal);
  unary({"isnan"}, emitFloatTest<math::IsNaNOp>);
  unary({"isinf"}, emitFloatTest<math::IsInfOp>);
  unary({"finitef", "isfinited", "isfinite"}, emitFloatTest<math::IsFiniteOp>);
  unary({"signbit"}, emitSignBit);
  for (const char *name : {"llrint", "float2ll_rn", "double2ll_rn"})
    table.add(std::string("libdevice.") + name, "x", emitRoundToInt).variant =
        64;
  for (const char *name : {"float2int_rn", "double2int_rn"})
    table.add(std::string("libdevice.") + name, "x", emitRoundToInt).variant =
        32;
  table.add("libdevice.popc", "x", emitBitCount).variant = 0;
  table.add("libdevice.clz", "x", emitBitCount).variant = 1;
  table.add("libdevice.ffs", "x", emitBitCount).variant = 2;
  auto binary = [&](std::initializer_list<const char *> names,
                    Value (*emit)(Interpreter &, CallArgs &)) {
    for (const char *name : names)
      table.add(std::string("libdevice.") + name, "x, y", emit);
  };
  binary({"pow", "fast_powf"}, emitBinaryFloat<math::PowFOp>);
  binary({"atan2"}, emitBinaryFloat<math::Atan2Op>);
  binary({"copysign"}, emitBinaryFloat<math::CopySignOp>);
  binary({"fmod"}, emitBinaryFloat<arith::RemFOp>);
  binary({"div_rn", "fast_dividef", "fast_fdividef"},
         emitBinaryFloat<arith::DivFOp>);
  binary({"fmax", "max"}, emitBinaryFloat<arith::MaxNumFOp>);
  binary({"fmin", "min"}, emitBinaryFloat<arith::MinNumFOp>);
  table.alias("libdevice.fma", "tl.fma");
  table.alias("libdevice.abs", "tl.abs");
  table.alias("libdevice.umulhi", "tl.umulhi");
}
