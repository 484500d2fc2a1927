//===- Reductions.cpp - Reductions and scans --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules H1 to H7. The extremum functions ignore NaN, prefer the lowest index on
// ties and give index 0 when every element is NaN.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/Combine.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;

/// The operands of a reduction over `axis`; without an axis they are flattened.
static std::optional<int64_t> flattenForAxis(Interpreter &in,
                                             const CallArgs &args,
                                             std::vector<Value> &values) {
  if (!args["axis"].isNone())
    return in.axis(args, "axis", values[0].rank());
  for (Value &value : values) {
    int64_t count = 1;
    for (int64_t extent : value.shape())
      count *= extent;
    value = in.emitter.reshape(value, {count}, /*mayReorder=*/true);
  }
  return 0;
}

/// Puts back what keep_dims asks for.
static Value keepDims(Interpreter &in, const Value &result, Shape before,
                      const CallArgs &args, int64_t axis) {
  std::vector<int64_t> shape(before);
  if (args["axis"].isNone())
    shape.assign(shape.size(), 1);
  else
    shape[axis] = 1;
  return in.emitter.reshape(in.emitter.toTensor(result), shape);
}

static Value reduceSimple(Interpreter &in, const CallArgs &args,
                          const Value &input, Combine combine) {
  std::optional<bool> keeps = in.constantBool(args, "keep_dims");
  std::vector<Value> values = {input};
  std::optional<int64_t> axis =
      keeps ? flattenForAxis(in, args, values) : std::nullopt;
  if (!axis)
    return Value::error();
  Value result = emitReduction(in, values, *axis, combine)[0];
  if (result.isError() || !*keeps)
    return result;
  return keepDims(in, result, input.shape(), args, *axis);
}

/// H1: integers below 32 bits widen.
static DType sumType(DType type) {
  if (type.isInt() && type.width() < 32)
    return DType(type.isSigned() ? Scalar::I32 : Scalar::U32);
  return type;
}

static bool checkNumeric(Interpreter &in, const CallArgs &args) {
  if (!in.expectTile(args, "input"))
    return false;
  if (!args["input"].dtype().isPointer())
    return true;
  in.argumentError(args, "input", 2240,
                   "expected numbers, got " + args["input"].describe());
  return false;
}

/// Converts to the dtype argument or the widened type.
static Value widenForSum(Interpreter &in, const CallArgs &args) {
  const Value &input = args["input"];
  if (args["dtype"].isNone())
    return in.emitter.cast(input, sumType(input.dtype()));
  std::optional<DType> type = in.constantType(args, "dtype");
  return type ? in.emitter.cast(input, *type) : Value::error();
}

static Value emitSum(Interpreter &in, CallArgs &args) {
  if (!checkNumeric(in, args))
    return Value::error();
  Value input = widenForSum(in, args);
  if (input.isError())
    return input;
  return reduceSimple(in, args, input, [&](auto left, auto right) {
    return std::vector<Value>{in.emitter.add(left[0], right[0])};
  });
}

static Value widenBF16(Interpreter &in, const Value &value) {
  return value.dtype().is(Scalar::BF16) ? in.emitter.cast(value, Scalar::FP32)
                                        : value;
}

/// Value and index of the extremum; ties and NaN as the file says.
static std::vector<Value> reduceWithIndex(Interpreter &in, const CallArgs &args,
                                          const Value &given, bool isMax) {
  std::vector<Value> failure(2, Value::error());
  std::optional<bool> keeps = in.constantBool(args, "keep_dims");
  if (!keeps)
    return failure;
  if (args["axis"].isNone() && given.rank() != 1) {
    in.error(2241, "expected an axis together with indices");
    return failure;
  }
  std::vector<Value> values = {widenBF16(in, given)};
  std::optional<int64_t> axis = flattenForAxis(in, args, values);
  if (!axis)
    return failure;
  Emitter &e = in.emitter;
  Shape shape = values[0].shape();
  std::vector<int64_t> rangeShape(shape.size(), 1);
  rangeShape[*axis] = shape[*axis];
  values.push_back(
      e.broadcastTo(e.reshape(e.range(0, shape[*axis]), rangeShape), shape));
  bool isFloat = values[0].dtype().isFloat();
  auto combine = [&](llvm::ArrayRef<Value> l,
                     llvm::ArrayRef<Value> r) -> std::vector<Value> {
    Value better = e.compare(isMax ? CompareOperator::Gt : CompareOperator::Lt,
                             l[0], r[0]);
    Value equal = e.compare(CompareOperator::Eq, l[0], r[0]);
    if (isFloat) {
      Value leftNaN = e.compare(CompareOperator::NotEq, l[0], l[0]);
      Value rightNaN = e.compare(CompareOperator::NotEq, r[0], r[0]);
      Value onlyRight =
          e.binary(BinaryOperator::BitAnd, rightNaN, e.invert(leftNaN));
      better = e.binary(BinaryOperator::BitOr, better, onlyRight);
      equal = e.binary(BinaryOperator::BitOr, equal,
                       e.binary(BinaryOperator::BitAnd, leftNaN, rightNaN));
    }
    Value earlier = e.compare(CompareOperator::Lt, l[1], r[1]);
    Value takesLeft =
        e.binary(BinaryOperator::BitOr, better,
                 e.binary(BinaryOperator::BitAnd, equal, earlier));
    return {e.select(takesLeft, l[0], r[0]), e.select(takesLeft, l[1], r[1])};
  };
  std::vector<Value> results = emitReduction(in, values, *axis, combine);
  if (*keeps)
    for (Value &result : results)
      result = result.isError()
                   ? result
                   : keepDims(in, result, given.shape(), args, *axis);
  return results;
}

/// max and min; variant 1 is max.
static Value emitExtremumReduction(Interpreter &in, CallArgs &args) {
  std::optional<bool> withIndex = in.constantBool(args, "return_indices");
  if (!withIndex || !checkNumeric(in, args))
    return Value::error();
  bool isMax = args.builtin->variant == 1;
  if (*withIndex)
    return Value::tuple(reduceWithIndex(in, args, args["input"], isMax));
  // H2: everything under 32 bits widens.
  Value input = args["input"];
  if (input.dtype().width() < 32)
    input = in.emitter.cast(input, input.dtype().isFloat() ? Scalar::FP32
                                                           : Scalar::I32);
  if (input.isError())
    return input;
  return reduceSimple(in, args, input, [&](auto left, auto right) {
    return std::vector<Value>{in.emitter.extremum(left[0], right[0], isMax)};
  });
}

static Value emitArgExtremum(Interpreter &in, CallArgs &args) {
  if (!checkNumeric(in, args))
    return Value::error();
  return reduceWithIndex(in, args, args["input"],
                         args.builtin->variant == 1)[1];
}

/// xor_sum and reduce_or; the operator is the variant.
static Value emitBitReduction(Interpreter &in, CallArgs &args) {
  if (!checkNumeric(in, args))
    return Value::error();
  const Value &input = args["input"];
  if (!input.dtype().isInt())
    return in.argumentError(args, "input", 2242,
                            "expected integers, got " + input.describe());
  auto op = static_cast<BinaryOperator>(args.builtin->variant);
  return reduceSimple(in, args, input, [&](auto left, auto right) {
    return std::vector<Value>{in.emitter.binary(op, left[0], right[0])};
  });
}

/// Runs a user's combine function on scalars and checks what it gives.
static std::vector<Value> callCombine(Interpreter &in, const Value &function,
                                      llvm::ArrayRef<Value> left,
                                      llvm::ArrayRef<Value> right) {
  std::vector<Value> all(left);
  all.insert(all.end(), right.begin(), right.end());
  Value result = in.callValue(function, all);
  std::vector<Value> failure(left.size(), Value::error());
  if (result.isError())
    return failure;
  std::vector<Value> results;
  if (result.isTuple())
    results = result.elements().vec();
  else
    results.push_back(result);
  if (results.size() != left.size()) {
    in.error(2243, "expected the combine function to return " +
                       llvm::Twine(left.size()) + " values, got " +
                       llvm::Twine(results.size()));
    return failure;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].isNumber())
      results[i] = in.emitter.constant(results[i], left[i].dtype());
    if (!results[i].isScalar() || results[i].dtype() != left[i].dtype()) {
      in.error(2244,
               "expected the combine function to return " + left[i].describe() +
                   ", got " + results[i].describe(),
               "the combine function must keep the types of its operands");
      return failure;
    }
  }
  return results;
}

/// The tensors of a generic reduction or scan; empty after an error.
static std::vector<Value> genericOperands(Interpreter &in,
                                          const CallArgs &args) {
  const Value &input = args["input"];
  std::vector<Value> values;
  if (input.isTuple())
    values = input.elements().vec();
  else
    values.push_back(input);
  for (Value &value : values) {
    bool isTile = value.isTensor() && !value.shape().empty();
    if (!isTile || values.empty()) {
      in.argumentError(args, "input", 2206,
                       "expected a tensor or a tuple of tensors, got " +
                           input.describe());
      return {};
    }
  }
  // H7: all operands have one shape.
  for (size_t i = 1; i < values.size(); ++i)
    if (!in.emitter.broadcastTogether(values[0], values[i]))
      return {};
  for (Value &value : values)
    value = in.emitter.broadcastTo(value, values[0].shape());
  return values;
}

static Value tupleLike(const Value &input, std::vector<Value> results) {
  if (!input.isTuple())
    return results[0];
  for (const Value &result : results)
    if (result.isError())
      return result;
  return Value::tuple(std::move(results));
}

static Value emitReduce(Interpreter &in, CallArgs &args) {
  std::optional<bool> keeps = in.constantBool(args, "keep_dims");
  std::vector<Value> values = genericOperands(in, args);
  if (!keeps || values.empty())
    return Value::error();
  std::vector<int64_t> before(values[0].shape());
  std::optional<int64_t> axis = flattenForAxis(in, args, values);
  if (!axis)
    return Value::error();
  std::vector<Value> results =
      emitReduction(in, values, *axis, [&](auto left, auto right) {
        return callCombine(in, args["combine_fn"], left, right);
      });
  if (*keeps)
    for (Value &result : results)
      if (!result.isError())
        result = keepDims(in, result, before, args, *axis);
  return tupleLike(args["input"], std::move(results));
}

static Value emitAssociativeScan(Interpreter &in, CallArgs &args) {
  std::optional<bool> isReverse = in.constantBool(args, "reverse");
  std::vector<Value> values = genericOperands(in, args);
  if (!isReverse || values.empty())
    return Value::error();
  std::optional<int64_t> axis = in.axis(args, "axis", values[0].rank());
  if (!axis)
    return Value::error();
  return tupleLike(
      args["input"],
      emitScan(in, values, *axis, *isReverse, [&](auto left, auto right) {
        return callCombine(in, args["combine_fn"], left, right);
      }));
}

/// cumsum and cumprod; the operator is the variant.
static Value emitCumulative(Interpreter &in, CallArgs &args) {
  std::optional<bool> isReverse = in.constantBool(args, "reverse");
  if (!isReverse || !checkNumeric(in, args))
    return Value::error();
  auto op = static_cast<BinaryOperator>(args.builtin->variant);
  Value input =
      op == BinaryOperator::Add ? widenForSum(in, args) : args["input"];
  if (input.isError())
    return input;
  input = widenBF16(in, input);
  std::optional<int64_t> axis = in.axis(args, "axis", input.rank());
  if (!axis)
    return Value::error();
  return emitScan(in, {input}, *axis, *isReverse, [&](auto left, auto right) {
    return std::vector<Value>{in.emitter.binary(op, left[0], right[0])};
  })[0];
}

static Value emitHistogram(Interpreter &in, CallArgs &args) {
  std::optional<int64_t> bins = in.constantInt(args, "num_bins");
  if (!bins || !in.expectTile(args, "input"))
    return Value::error();
  Value input = args["input"];
  const Value &mask = args["mask"];
  if (input.rank() != 1 || !input.dtype().isInt())
    return in.argumentError(args, "input", 2245,
                            "expected a 1-D tensor of integers, got " +
                                input.describe());
  if (!in.emitter.checkShape({*bins}))
    return Value::error();
  mlir::Value maskValue;
  if (!mask.isNone()) {
    Value condition = in.emitter.broadcastTo(in.emitter.cast(mask, Scalar::I1),
                                             input.shape());
    if (condition.isError())
      return condition;
    maskValue = condition.ssa();
  }
  // The operation reads its bins as signed: 200 of u8 would be -56.
  if (input.dtype().isUnsigned())
    input = in.emitter.cast(input, input.dtype().width() < 32 ? Scalar::I32
                                                              : Scalar::I64);
  auto &b = in.builder();
  return Value::tensor(
      tile::HistogramOp::create(b, in.emitter.typeFor(Scalar::I32, {*bins}),
                                input.ssa(), maskValue),
      Scalar::I32);
}

void sema::registerReductions(BuiltinTable &table) {
  auto method = [&](llvm::StringRef name, llvm::StringRef parameters,
                    Value (*emit)(Interpreter &, CallArgs &),
                    int64_t variant = 0) {
    Builtin &builtin = table.add(name, parameters, emit);
    builtin.isMethod = true;
    builtin.variant = variant;
  };
  method("tl.sum", "input, axis=None, keep_dims=False, dtype=None", emitSum);
  const char *extremum = "input, axis=None, return_indices=False, "
                         "return_indices_tie_break_left=True, keep_dims=False";
  method("tl.max", extremum, emitExtremumReduction, 1);
  method("tl.min", extremum, emitExtremumReduction);
  const char *index = "input, axis, tie_break_left=True, keep_dims=False";
  method("tl.argmax", index, emitArgExtremum, 1);
  method("tl.argmin", index, emitArgExtremum);
  method("tl.xor_sum", "input, axis=None, keep_dims=False", emitBitReduction,
         int64_t(BinaryOperator::BitXor));
  method("tl.reduce_or", "input, axis=None, keep_dims=False", emitBitReduction,
         int64_t(BinaryOperator::BitOr));
  method("tl.reduce_and", "input, axis=None, keep_dims=False", emitBitReduction,
         int64_t(BinaryOperator::BitAnd));
  method("tl.reduce", "input, axis, combine_fn, keep_dims=False", emitReduce);
  method("tl.associative_scan", "input, axis, combine_fn, reverse=False",
         emitAssociativeScan);
  method("tl.cumsum", "input, axis=0, reverse=False, dtype=None",
         emitCumulative, int64_t(BinaryOperator::Add));
  method("tl.cumprod", "input, axis=0, reverse=False", emitCumulative,
         int64_t(BinaryOperator::Mult));
  method("tl.histogram", "input, num_bins, mask=None", emitHistogram);
}
