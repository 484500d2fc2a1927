//===- Dot.cpp - Matrix products --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules I1 to I7. The default precision of fp32 operands is fp32.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::sema;
using kernel::DotPrecision;

/// By name, by allow_tf32, or exact.
static std::optional<DotPrecision> precisionOf(Interpreter &in,
                                               const CallArgs &args) {
  std::optional<std::string> name = in.constantStr(args, "input_precision");
  if (!name)
    return std::nullopt;
  const Value &allow = args["allow_tf32"];
  if (name->empty()) {
    if (allow.isNone())
      return DotPrecision::IEEE;
    std::optional<bool> isAllowed = in.constantBool(args, "allow_tf32");
    if (!isAllowed)
      return std::nullopt;
    return *isAllowed ? DotPrecision::TF32 : DotPrecision::IEEE;
  }
  auto precision = llvm::StringSwitch<std::optional<DotPrecision>>(*name)
                       .Case("ieee", DotPrecision::IEEE)
                       .Case("tf32", DotPrecision::TF32)
                       .Case("tf32x3", DotPrecision::TF32x3)
                       .Case("bf16x3", DotPrecision::BF16x3)
                       .Case("bf16x6", DotPrecision::BF16x6)
                       .Default(std::nullopt);
  if (!precision)
    in.argumentError(args, "input_precision", 2260,
                     "expected 'ieee', 'tf32', 'tf32x3', 'bf16x3' or "
                     "'bf16x6', got '" +
                         *name + "'");
  return precision;
}

/// I4: the accumulator's type; nullopt when the operands have none.
static std::optional<DType> accumulatorType(DType operand, DType wanted) {
  if (operand.is(Scalar::I8))
    return DType(Scalar::I32);
  if (operand.is(Scalar::FP64))
    return DType(Scalar::FP64);
  if (operand.is(Scalar::FP32) || operand.is(Scalar::BF16))
    return DType(Scalar::FP32);
  if (operand.is(Scalar::FP16) || operand.isFP8())
    return wanted.is(Scalar::FP16) ? wanted : DType(Scalar::FP32);
  return std::nullopt;
}

static bool checkOperands(Interpreter &in, const CallArgs &args,
                          const Value &left, const Value &right) {
  if (!in.expectTile(args, "input") || !in.expectTile(args, "other"))
    return false;
  bool sameType = left.dtype() == right.dtype() ||
                  (left.dtype().isFP8() && right.dtype().isFP8());
  if (!sameType) {
    in.error(2261,
             "expected operands of one type, got " + left.describe() + " and " +
                 right.describe(),
             "convert one of them with .to(...)");
    return false;
  }
  int64_t rank = left.rank();
  bool fits = rank >= 2 && right.rank() == rank &&
              left.shape()[rank - 1] == right.shape()[rank - 2];
  for (int64_t i = 0; fits && i + 2 < rank; ++i)
    fits = left.shape()[i] == right.shape()[i];
  if (!fits)
    in.error(2262, "expected operands of shapes [.., M, K] and [.., K, N], "
                   "got " +
                       left.describe() + " and " + right.describe());
  return fits;
}

/// Leading dimensions of tensors of rank 4 and more become one.
static std::vector<int64_t> flattenBatch(Shape shape) {
  if (shape.size() <= 3)
    return shape.vec();
  int64_t batch = 1;
  for (int64_t extent : shape.drop_back(2))
    batch *= extent;
  return {batch, shape[shape.size() - 2], shape[shape.size() - 1]};
}

/// trans_a and trans_b of old kernels swap the last two dimensions.
static Value transposed(Interpreter &in, const CallArgs &args,
                        llvm::StringRef operand, llvm::StringRef flag) {
  std::optional<bool> isSwapped = in.constantBool(args, flag);
  if (!isSwapped)
    return Value::error();
  const Value &value = args[operand];
  if (!*isSwapped || !value.isTensor() || value.rank() < 2)
    return value;
  std::vector<int64_t> order(value.rank());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int64_t>(i);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return in.emitter.transpose(value, order);
}

static Value emitDot(Interpreter &in, CallArgs &args) {
  Value left = transposed(in, args, "input", "trans_a");
  Value right = transposed(in, args, "other", "trans_b");
  if (left.isError() || right.isError())
    return Value::error();
  const Value &given = args["acc"];
  std::optional<DotPrecision> precision = precisionOf(in, args);
  if (!precision || !checkOperands(in, args, left, right))
    return Value::error();
  // Every fp8 is an fp16 too, and the products are the same.
  if (left.dtype().is(Scalar::FP8E4B15) || right.dtype().is(Scalar::FP8E4B15)) {
    left = in.emitter.cast(left, Scalar::FP16);
    right = in.emitter.cast(right, Scalar::FP16);
  }
  bool hasType = !args["out_dtype"].isNone();
  std::optional<DType> wanted =
      hasType ? in.constantType(args, "out_dtype") : DType(Scalar::FP32);
  if (!wanted)
    return Value::error();
  if (!hasType && given.isTensor())
    wanted = given.dtype();
  std::optional<DType> type = accumulatorType(left.dtype(), *wanted);
  if (!type)
    return in.error(2263,
                    "expected operands of i8, fp8, fp16, bf16, fp32 or fp64, "
                    "got " +
                        left.describe(),
                    "convert them with .to(...)");
  std::vector<int64_t> shape(left.shape());
  shape.back() = right.shape().back();
  Value acc;
  if (given.isNone()) {
    acc = in.emitter.constantInt(0, *type, shape);
  } else if (given.isNumber() && given.toDouble() == 0) {
    acc = in.emitter.constantInt(0, *type, shape);
  } else if (!given.isTensor() || given.dtype() != *type ||
             given.shape() != Shape(shape)) {
    return in.argumentError(
        args, "acc", 2264,
        "expected an accumulator of " + describeType(*type, shape) + ", got " +
            given.describe(),
        "make it with tl.zeros(..., dtype=tl." + DType(*type).name() + ")");
  } else {
    acc = given;
  }
  if (hasType && *wanted != *type)
    return in.argumentError(
        args, "out_dtype", 2265,
        "expected " + type->spelling() + " as the result type of " +
            left.dtype().spelling() + " operands, got " + wanted->spelling(),
        "convert the result with .to(...)");
  int64_t imprecise = 0;
  if (!args["max_num_imprecise_acc"].isNone()) {
    std::optional<int64_t> value =
        in.constantInt(args, "max_num_imprecise_acc");
    if (!value)
      return Value::error();
    imprecise = left.dtype().isFP8() ? *value : 0;
  }
  left = in.emitter.reshape(left, flattenBatch(left.shape()));
  right = in.emitter.reshape(right, flattenBatch(right.shape()));
  acc = in.emitter.reshape(acc, flattenBatch(shape));
  auto op = tile::DotOp::create(in.builder(), acc.ssa().getType(), left.ssa(),
                                right.ssa(), acc.ssa(), *precision, imprecise);
  return in.emitter.reshape(Value::tensor(op, *type), shape);
}

namespace {
/// An operand of `tl.dot_scaled` with its scales.
struct ScaledOperand {
  Value value;
  mlir::Value scale; ///< null: none
  std::string format;
  bool packsK = true;       ///< of e2m1: two numbers a byte along K
  int64_t k = 0, other = 0; ///< extents in numbers
};
} // namespace

static constexpr int64_t numbersPerScale = 32;

/// Operands in u8 storage take the float type that their format names.
static Value inFormat(Interpreter &in, const Value &value,
                      llvm::StringRef format) {
  bool isByte = value.dtype().isInt() && value.dtype().width() == 8;
  if (format == "e4m3" && isByte)
    return in.emitter.bitcast(value, Scalar::FP8E4NV);
  if (format == "e5m2" && isByte)
    return in.emitter.bitcast(value, Scalar::FP8E5);
  return value;
}

static bool holdsFormat(const Value &value, llvm::StringRef format) {
  if (format == "e2m1")
    return value.dtype().isInt() && value.dtype().width() == 8;
  return value.dtype().is(llvm::StringSwitch<Scalar>(format)
                              .Case("e4m3", Scalar::FP8E4NV)
                              .Case("e5m2", Scalar::FP8E5)
                              .Case("bf16", Scalar::BF16)
                              .Default(Scalar::FP16));
}

/// `side` is "lhs" or "rhs"; K is the dimension `dimensionK`.
static bool readScaledOperand(Interpreter &in, CallArgs &args,
                              llvm::StringRef side, unsigned dimensionK,
                              ScaledOperand &operand) {
  std::string name = side.str();
  auto format = in.constantStr(args, name + "_format");
  auto packsK = in.constantBool(args, name + "_k_pack");
  if (!format || !packsK || !in.expectTile(args, side))
    return false;
  if (!llvm::is_contained({"e2m1", "e4m3", "e5m2", "bf16", "fp16"}, *format)) {
    in.argumentError(args, name + "_format", 2266,
                     "expected a format of e2m1, e4m3, e5m2, bf16 or fp16, "
                     "got '" +
                         *format + "'");
    return false;
  }
  operand.value = inFormat(in, args[side], *format);
  if (operand.value.isError())
    return false;
  if (!holdsFormat(operand.value, *format)) {
    in.argumentError(
        args, side, 2266,
        "expected " +
            std::string(*format == "e2m1" ? "u8 with two numbers a byte"
                                          : "numbers of the format or u8") +
            " for format '" + *format + "', got " + operand.value.describe());
    return false;
  }
  if (operand.value.rank() != 2) {
    in.argumentError(args, side, 2267,
                     "expected a 2-D operand, got " + operand.value.describe());
    return false;
  }
  operand.format = *format;
  operand.packsK = *packsK;
  operand.k = operand.value.shape()[dimensionK];
  operand.other = operand.value.shape()[1 - dimensionK];
  if (*format == "e2m1")
    (operand.packsK ? operand.k : operand.other) *= 2;
  return true;
}

static bool readScale(Interpreter &in, CallArgs &args, llvm::StringRef side,
                      ScaledOperand &operand) {
  std::string name = side.str() + "_scale";
  const Value &scale = args[name];
  if (scale.isNone())
    return true;
  std::vector<int64_t> shape = {operand.other, operand.k / numbersPerScale};
  if (scale.isTensor() && scale.dtype().isInt() && scale.dtype().width() == 8 &&
      operand.k % numbersPerScale == 0 && scale.shape() == Shape(shape)) {
    operand.scale = scale.ssa();
    return true;
  }
  in.argumentError(
      args, name, 2268,
      operand.k % numbersPerScale
          ? "expected None for " + std::to_string(operand.k) +
                " numbers along K, of which 32 share a scale, got " +
                scale.describe()
          : "expected " + describeType(Scalar::U8, shape) +
                " (a scale for 32 numbers along K) or None, got " +
                scale.describe());
  return false;
}

static Value emitDotScaled(Interpreter &in, CallArgs &args) {
  ScaledOperand left, right;
  std::optional<bool> fast = in.constantBool(args, "fast_math");
  if (!fast || !readScaledOperand(in, args, "lhs", 1, left) ||
      !readScaledOperand(in, args, "rhs", 0, right))
    return Value::error();
  if (left.k != right.k)
    return in.error(2262,
                    "expected operands of shapes [M, K] and [K, N], got " +
                        left.value.describe() + " in " + left.format + " and " +
                        right.value.describe() + " in " + right.format +
                        ": K is " + std::to_string(left.k) + " and " +
                        std::to_string(right.k),
                    "e2m1 holds two numbers a byte along K, with "
                    "lhs_k_pack=False along M, with rhs_k_pack=False along N");
  if (!readScale(in, args, "lhs", left) || !readScale(in, args, "rhs", right))
    return Value::error();
  std::vector<int64_t> shape = {left.other, right.other};
  Value acc = args["acc"].isNone()
                  ? in.emitter.constantInt(0, Scalar::FP32, shape)
                  : args["acc"];
  if (!acc.isTensor() || !acc.dtype().is(Scalar::FP32) ||
      acc.shape() != Shape(shape))
    return in.argumentError(args, "acc", 2264,
                            "expected an accumulator of " +
                                describeType(Scalar::FP32, shape) + ", got " +
                                acc.describe());
  auto op = tile::DotScaledOp::create(
      in.builder(), acc.ssa().getType(), left.value.ssa(), right.value.ssa(),
      acc.ssa(), left.scale, right.scale, left.format, right.format, *fast,
      left.packsK, right.packsK);
  return Value::tensor(op, Scalar::FP32);
}

void sema::registerDot(BuiltinTable &table) {
  table.add("tl.dot",
            "input, other, acc=None, input_precision=None, allow_tf32=None, "
            "max_num_imprecise_acc=None, out_dtype=None, trans_a=False, "
            "trans_b=False",
            emitDot);
  table.add("tl.dot_scaled",
            "lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, "
            "acc=None, fast_math=False, lhs_k_pack=True, rhs_k_pack=True, "
            "out_dtype=None",
            emitDotScaled);
}
