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

/// Within 2 ulp, which the flag `afn` says.
static Value emitFastDivision(Interpreter &in, CallArgs &args) {
  Value result = emitBinaryFloat<arith::DivFOp>(in, args);
  if (result.isTensor() && result.dtype().is(Scalar::FP32))
    result.ssa().getDefiningOp<arith::DivFOp>().setFastmath(
        arith::FastMathFlags::afn);
  return result;
}

static Value emitReciprocal(Interpreter &in, CallArgs &args) {
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  Value one = in.emitter.constantInt(1, x.dtype(), x.shape());
  return Value::tensor(arith::DivFOp::create(in.builder(), one.ssa(), x.ssa()),
                       x.dtype());
}

namespace {
/// A conversion such as float2uint_rd: "rd" and an unsigned type of 32 bits.
enum class Direction : uint8_t { Nearest, Zero, Down, Up };
struct Conversion {
  Direction direction;
  uint8_t width;
  bool isSigned;

  int64_t encoded() const {
    return static_cast<int64_t>(direction) << 16 | width << 8 | isSigned;
  }
  static Conversion decode(int64_t value) {
    return {static_cast<Direction>(value >> 16),
            static_cast<uint8_t>(value >> 8 & 0xff), (value & 1) != 0};
  }
};
} // namespace

/// Rounds in the direction that the name says and converts; the variant is a
/// Conversion.
static Value emitRoundToInt(Interpreter &in, CallArgs &args) {
  Conversion conversion = Conversion::decode(args.builtin->variant);
  Value x = floatOperand(in, args, "x");
  if (x.isError())
    return x;
  auto &b = in.builder();
  mlir::Value rounded = x.ssa();
  switch (conversion.direction) {
  case Direction::Nearest:
    rounded = math::RoundEvenOp::create(b, rounded);
    break;
  case Direction::Zero:
    break;
  case Direction::Down:
    rounded = math::FloorOp::create(b, rounded);
    break;
  case Direction::Up:
    rounded = math::CeilOp::create(b, rounded);
    break;
  }
  return in.emitter.cast(Value::tensor(rounded, x.dtype()),
                         DType::integer(conversion.width, conversion.isSigned));
}

/// int2float_rn and its like: a cast; the variant is the width of the result.
static Value emitToFloat(Interpreter &in, CallArgs &args) {
  return in.emitter.cast(in.emitter.toTensor(args["x"]),
                         args.builtin->variant == 64 ? Scalar::FP64
                                                     : Scalar::FP32);
}

static void registerConversions(BuiltinTable &table) {
  using std::pair;
  for (const char *source : {"float", "double"})
    for (auto [target, width, isSigned] :
         {std::tuple("int", 32, true), std::tuple("uint", 32, false),
          std::tuple("ll", 64, true), std::tuple("ull", 64, false)})
      for (auto [suffix, direction] :
           {pair("rn", Direction::Nearest), pair("rz", Direction::Zero),
            pair("rd", Direction::Down), pair("ru", Direction::Up)}) {
        Conversion conversion = {direction, static_cast<uint8_t>(width),
                                 isSigned};
        table
            .add(std::string("libdevice.") + source + "2" + target + "_" +
                     suffix,
                 "x", emitRoundToInt)
            .variant = conversion.encoded();
      }
  Conversion nearest = {Direction::Nearest, 64, true};
  table.add("libdevice.llrint", "x", emitRoundToInt).variant =
      nearest.encoded();
  for (const char *name : {"int2float_rn", "uint2float_rn", "ll2float_rn",
                           "ull2float_rn", "double2float_rn"})
    table.add(std::string("libdevice.") + name, "x", emitToFloat).variant = 32;
  for (const char *name :
       {"int2double_rn", "uint2double_rn", "ll2double_rn", "ull2double_rn"})
    table.add(std::string("libdevice.") + name, "x", emitToFloat).variant = 64;
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
      table.add(std::string("libdevice.") + name, "x", emit).takesMathMode =
          true;
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
  registerConversions(table);
  table.add("libdevice.popc", "x", emitBitCount).variant = 0;
  table.add("libdevice.clz", "x", emitBitCount).variant = 1;
  table.add("libdevice.ffs", "x", emitBitCount).variant = 2;
  auto binary = [&](std::initializer_list<const char *> names,
                    Value (*emit)(Interpreter &, CallArgs &)) {
    for (const char *name : names)
      table.add(std::string("libdevice.") + name, "x, y", emit).takesMathMode =
          true;
  };
  binary({"pow", "fast_powf"}, emitBinaryFloat<math::PowFOp>);
  binary({"atan2"}, emitBinaryFloat<math::Atan2Op>);
  binary({"copysign"}, emitBinaryFloat<math::CopySignOp>);
  binary({"fmod"}, emitBinaryFloat<arith::RemFOp>);
  binary({"div_rn"}, emitBinaryFloat<arith::DivFOp>);
  binary({"fast_dividef", "fast_fdividef"}, emitFastDivision);
  binary({"fmax", "max"}, emitBinaryFloat<arith::MaxNumFOp>);
  binary({"fmin", "min"}, emitBinaryFloat<arith::MinNumFOp>);
  binary({"add_rn"}, emitBinaryFloat<arith::AddFOp>);
  binary({"sub_rn"}, emitBinaryFloat<arith::SubFOp>);
  binary({"mul_rn"}, emitBinaryFloat<arith::MulFOp>);
  table.alias("libdevice.fma", "tl.fma");
  table.alias("libdevice.fma_rn", "tl.fma");
  table.alias("libdevice.abs", "tl.abs");
  table.alias("libdevice.umulhi", "tl.umulhi");
}
