//===- Casts.cpp - Conversions and type queries -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x.to, tl.cast, tl.pointer_type, tl.constexpr, methods of dtypes.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

using namespace tilewright;
using namespace tilewright::sema;

/// Casts have one meaning; the modes that say the same are accepted.
static bool checkOverflowMode(Interpreter &in, CallArgs &args,
                              llvm::StringRef mode, DType type) {
  const Value &input = args["input"];
  bool isFromInt = input.isInt() || input.isBool() ||
                   (input.isTensor() && input.dtype().isInt());
  bool wraps = isFromInt && type.isInt();
  if (mode.empty() || mode == (wraps ? "trunc" : "saturate"))
    return true;
  in.argumentError(args, "overflow_mode", 2216,
                   llvm::Twine("expected '") + (wraps ? "trunc" : "saturate") +
                       "', which is what this cast does, got '" + mode + "'",
                   wraps ? "tl.minimum and tl.maximum keep integers in range"
                         : "");
  return false;
}

static Value emitCast(Interpreter &in, CallArgs &args) {
  std::optional<DType> type = in.constantType(args, "dtype");
  std::optional<bool> isBitcast = in.constantBool(args, "bitcast");
  std::optional<std::string> mode =
      in.constantStr(args, "fp_downcast_rounding");
  if (!type || !isBitcast || !mode)
    return Value::error();
  const Value &input = args["input"];
  std::optional<std::string> overflow = in.constantStr(args, "overflow_mode");
  if (!overflow || !checkOverflowMode(in, args, *overflow, *type))
    return Value::error();
  if (*isBitcast)
    return in.emitter.bitcast(input, *type);
  Rounding rounding = Rounding::Default;
  if (*mode == "rtne")
    rounding = Rounding::NearestEven;
  else if (*mode == "rtz")
    rounding = Rounding::TowardZero;
  else if (!mode->empty())
    return in.argumentError(args, "fp_downcast_rounding", 2214,
                            "expected 'rtne' or 'rtz', got '" + *mode + "'");
  if (input.isNumber() && input.isFloat() && type->isInt())
    return in.emitter.cast(in.emitter.toTensor(input), *type);
  return in.emitter.cast(input, *type, rounding);
}

static Value emitPointerType(Interpreter &in, CallArgs &args) {
  std::optional<DType> type = in.constantType(args, "element_ty");
  if (!type)
    return Value::error();
  return Value::type(type->pointerTo());
}

static Value emitConstexpr(Interpreter &in, CallArgs &args) {
  return args["value"];
}

static Value emitDType(Interpreter &in, CallArgs &args) {
  std::optional<DType> type = in.constantType(args, "name");
  return type ? Value::type(*type) : Value::error();
}

static Value emitIntegerType(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> width = in.constantInt(args, "bitwidth");
  std::optional<bool> isSigned = in.constantBool(args, "signed");
  if (!width || !isSigned)
    return Value::error();
  DType type = DType::integer(*width, *isSigned);
  if (type.isVoid())
    return in.argumentError(args, "bitwidth", 2215,
                            "expected a width of 1, 8, 16, 32 or 64, got " +
                                llvm::Twine(*width));
  return Value::type(type);
}

/// `x.dtype.is_floating()` and its like; the name says which.
static Value emitTypeQuery(Interpreter &in, CallArgs &args) {
  const Value &self = args["self"];
  llvm::StringRef name = args.builtin->name.rsplit('.').second;
  return Value::boolean(*queryType(self.dtype(), self.shape(), name));
}

/// dtype.kind(): 0 for bool, 1 for integers, 2 for floats.
static Value emitKind(Interpreter &in, CallArgs &args) {
  DType type = args["self"].dtype();
  return Value::integer(type.isFloat() ? 2 : type.isBool() ? 0 : 1);
}

static Value emitBlockType(Interpreter &in, CallArgs &args) {
  std::optional<DType> type = in.constantType(args, "element_ty");
  std::optional<std::vector<int64_t>> shape = in.constantShape(args, "shape");
  if (!type || !shape || !in.emitter.checkShape(*shape))
    return Value::error();
  return Value::type(*type, *shape);
}

static Value emitWithElementType(Interpreter &in, CallArgs &args) {
  std::optional<DType> type = in.constantType(args, "scalar_ty");
  if (!type)
    return Value::error();
  return Value::type(*type, args["self"].shape());
}

static Value emitBlockShapes(Interpreter &in, CallArgs &args) {
  std::vector<Value> extents;
  for (int64_t extent : args["self"].shape())
    extents.push_back(Value::integer(extent));
  return Value::tuple(std::move(extents));
}

void sema::registerCasts(BuiltinTable &table) {
  table
      .add("tl.cast",
           "input, dtype, fp_downcast_rounding=None, bitcast=False, "
           "overflow_mode=None",
           emitCast)
      .isMethod = true;
  table
      .add("tensor.to",
           "input, dtype, fp_downcast_rounding=None, bitcast=False, "
           "overflow_mode=None",
           emitCast)
      .isMethod = true;
  table.add("tl.pointer_type", "element_ty, address_space=1, const=False",
            emitPointerType);
  table.add("tl.block_type", "element_ty, shape", emitBlockType);
  table.add("tl.constexpr", "value", emitConstexpr);
  table.add("tl.dtype", "name", emitDType);
  table.add("tl.get_int_dtype", "bitwidth, signed", emitIntegerType);
  static const char *const queries[] = {"is_floating",   "is_standard_floating",
                                        "is_fp8",        "is_fp8e4nv",
                                        "is_fp8e5",      "is_fp8e4b8",
                                        "is_fp8e5b16",   "is_fp8e4b15",
                                        "is_fp16",       "is_bf16",
                                        "is_fp32",       "is_fp64",
                                        "is_int",        "is_bool",
                                        "is_int_signed", "is_int_unsigned",
                                        "is_int1",       "is_int8",
                                        "is_int16",      "is_int32",
                                        "is_int64",      "is_uint8",
                                        "is_uint16",     "is_uint32",
                                        "is_uint64",     "is_ptr",
                                        "is_const",      "is_block",
                                        "is_void"};
  for (const char *query : queries)
    table.add(std::string("dtype.query.") + query, "self", emitTypeQuery);
  table.add("dtype.kind", "self", emitKind);
  table.add("dtype.with_element_ty", "self, scalar_ty", emitWithElementType);
  table.add("dtype.get_block_shapes", "self", emitBlockShapes);
}
