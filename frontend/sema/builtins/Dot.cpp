//===- Dot.cpp - Matrix products --------------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules I1 to I7. The default precision of fp32 operands is fp32.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"
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

static bool isScaledFormat(llvm::StringRef format) {
  return format == "e2m1" || format == "e4m3" || format == "e5m2" ||
         format == "bf16" || format == "fp16";
}

/// Operands in u8 storage take the float type that their format names.
static Value scaledOperand(Interpreter &in, const Value &value,
                           llvm::StringRef format) {
  if (format == "e4m3" && value.dtype().isInt())
    return in.emitter.bitcast(value, Scalar::FP8E4NV);
  if (format == "e5m2" && value.dtype().isInt())
    return in.emitter.bitcast(value, Scalar::FP8E5);
  return value;
}

static Value emitDotScaled(Interpreter &in, CallArgs &args) {
  std::optional<std::string> leftFormat = in.constantStr(args, "lhs_format");
  std::optional<std::string> rightFormat = in.constantStr(args, "rhs_format");
  std::optional<bool> fast = in.constantBool(args, "fast_math");
  std::optional<bool> leftPack = in.constantBool(args, "lhs_k_pack");
  std::optional<bool> rightPack = in.constantBool(args, "rhs_k_pack");
  if (!leftFormat || !rightFormat || !fast || !leftPack || !rightPack ||
      !in.expectTile(args, "lhs") || !in.expectTile(args, "rhs"))
    return Value::error();
  for (const auto &[name, format] : {std::pair("lhs_format", *leftFormat),
                                     std::pair("rhs_format", *rightFormat)})
    if (!isScaledFormat(format))
      return in.argumentError(args, name, 2266,
                              "expected a format of e2m1, e4m3, e5m2, bf16 or "
                              "fp16, got '" +
                                  format + "'");
  Value left = scaledOperand(in, args["lhs"], *leftFormat);
  Value right = scaledOperand(in, args["rhs"], *rightFormat);
  if (left.isError() || right.isError())
    return Value::error();
  if (left.rank() != 2 || right.rank() != 2)
    return in.error(2267, "expected 2-D operands, got " + left.describe() +
                              " and " + right.describe());
  bool leftPacksM = *leftFormat == "e2m1" && !*leftPack;
  bool rightPacksN = *rightFormat == "e2m1" && !*rightPack;
  std::vector<int64_t> shape = {left.shape()[0] * (leftPacksM ? 2 : 1),
                                right.shape()[1] * (rightPacksN ? 2 : 1)};
  Value acc = args["acc"].isNone()
                  ? in.emitter.constantInt(0, Scalar::FP32, shape)
                  : args["acc"];
  if (!acc.isTensor() || !acc.dtype().is(Scalar::FP32) ||
      acc.shape() != Shape(shape))
    return in.argumentError(args, "acc", 2264,
                            "expected an accumulator of " +
                                describeType(Scalar::FP32, shape) + ", got " +
                                acc.describe());
  auto scaleOf = [&](llvm::StringRef name) -> std::optional<mlir::Value> {
    const Value &scale = args[name];
    if (scale.isNone())
      return mlir::Value();
    bool fits = scale.isTensor() && scale.rank() == 2 &&
                scale.dtype().isInt() && scale.dtype().width() == 8;
    if (fits)
      return scale.ssa();
    in.argumentError(args, name, 2268,
                     "expected a 2-D tensor of u8 scales or None, got " +
                         scale.describe());
    return std::nullopt;
  };
  std::optional<mlir::Value> leftScale = scaleOf("lhs_scale");
  std::optional<mlir::Value> rightScale = scaleOf("rhs_scale");
  if (!leftScale || !rightScale)
    return Value::error();
  auto op = tile::DotScaledOp::create(
      in.builder(), acc.ssa().getType(), left.ssa(), right.ssa(), acc.ssa(),
      *leftScale, *rightScale, *leftFormat, *rightFormat, *fast, *leftPack,
      *rightPack);
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
