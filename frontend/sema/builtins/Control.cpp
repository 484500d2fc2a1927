//===- Control.cpp - Ranges, assertions, hints ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// range and its relatives, static_assert, device_print, multiple_of, assume,
// barriers and clocks.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

#include "dialects/tile/TileOps.h"

using namespace tilewright;
using namespace tilewright::sema;

/// range, tl.range and tl.static_range (variant 1).
static Value emitRange(Interpreter &in, CallArgs &args) {
  auto payload = std::make_shared<RangePayload>();
  payload->isStatic = args.builtin->variant == 1;
  const Value &first = args["arg1"], &second = args["arg2"];
  payload->start = second.isNone() ? Value::integer(0) : first;
  payload->stop = second.isNone() ? first : second;
  payload->step = args["step"].isNone() ? Value::integer(1) : args["step"];
  for (size_t i = 3; i < args.values.size(); ++i) {
    const Value &hint = args.values[i];
    if (hint.isNone())
      continue;
    const std::string &name = args.builtin->parameters[i].name;
    if (!hint.isInt() && !hint.isBool())
      return in.argumentError(args, name, 2200,
                              "expected a compile-time value for '" + name +
                                  "', got " + hint.describe());
    payload->hints.emplace_back(name, hint);
  }
  return Value::withPayload(Value::Kind::Range, std::move(payload));
}

static Value emitStaticAssert(Interpreter &in, CallArgs &args) {
  const Value &condition = args["cond"];
  std::optional<bool> holds = in.truth(condition);
  if (!holds)
    return in.argumentError(args, "cond", 2300,
                            "expected a compile-time condition, got " +
                                condition.describe(),
                            "use tl.device_assert for run-time conditions");
  if (*holds)
    return Value::none();
  const Value &message = args["msg"];
  std::string text = message.isNone() ? "" : message.pythonStr();
  return in.error(2301, "static assertion failed" +
                            (text.empty() ? "" : ": " + text));
}

static Value emitStaticPrint(Interpreter &in, CallArgs &args) {
  std::string text;
  for (const Value &value : args["values"].elements())
    text += (text.empty() ? "" : " ") +
            (value.isRuntime() ? value.describe() : value.pythonStr());
  in.reporter().remark(syntax::Severity::Remark, 0, text);
  return Value::none();
}

static Value printValues(Interpreter &in, const std::string &prefix,
                         llvm::ArrayRef<Value> given, bool isHex) {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<bool> signedness;
  for (const Value &value : given) {
    Value tensor = in.emitter.toTensor(value);
    if (tensor.isError())
      return tensor;
    values.push_back(tensor.ssa());
    signedness.push_back(tensor.dtype().isSigned());
  }
  tile::PrintOp::create(in.builder(), prefix, values, signedness, isHex);
  return Value::none();
}

static Value emitDevicePrint(Interpreter &in, CallArgs &args) {
  std::optional<std::string> prefix = in.constantStr(args, "prefix");
  std::optional<bool> isHex = in.constantBool(args, "hex");
  if (!prefix || !isHex)
    return Value::error();
  return printValues(in, *prefix, args["args"].elements(), *isHex);
}

/// Python's print: leading text is the prefix.
static Value emitPrint(Interpreter &in, CallArgs &args) {
  std::string prefix;
  llvm::ArrayRef<Value> rest = args["args"].elements();
  while (!rest.empty() && !rest.front().isRuntime()) {
    prefix += (prefix.empty() ? "" : " ") + rest.front().pythonStr();
    rest = rest.drop_front();
  }
  llvm::SmallVector<Value> values;
  for (const Value &value : rest)
    if (!value.isStr())
      values.push_back(value);
  return printValues(in, prefix, values, false);
}

static Value emitDeviceAssert(Interpreter &in, CallArgs &args) {
  std::optional<std::string> message = in.constantStr(args, "msg");
  const Value &given = args["cond"];
  if (!message)
    return Value::error();
  if (!in.isDebug())
    return Value::none();
  Value condition = given;
  if (std::optional<bool> known = in.truth(given))
    condition = in.emitter.constant(Value::boolean(*known), Scalar::I1);
  condition = in.emitter.cast(condition, Scalar::I1);
  if (condition.isError())
    return condition;
  const Value &mask = args["mask"];
  if (!mask.isNone())
    condition =
        in.emitter.binary(ast::BinaryOperator::BitOr, condition,
                          in.emitter.invert(in.emitter.cast(mask, Scalar::I1)));
  if (condition.isError())
    return condition;
  tile::AssertOp::create(in.builder(), condition.ssa(), *message);
  return Value::none();
}

static Value emitAssume(Interpreter &in, CallArgs &args) {
  const Value &condition = args["cond"];
  if (in.truth(condition))
    return Value::none();
  Value promise = in.emitter.cast(condition, Scalar::I1);
  if (promise.isError())
    return promise;
  tile::AssumeOp::create(in.builder(), promise.ssa());
  return Value::none();
}

/// multiple_of, max_contiguous, max_constancy by variant 0, 1, 2.
static Value emitFact(Interpreter &in, CallArgs &args) {
  std::optional<std::vector<int64_t>> values = in.constantShape(args, "values");
  const Value &input = args["input"];
  if (!values)
    return Value::error();
  if (input.isNumber())
    return input;
  if (!input.isTensor())
    return in.argumentError(args, "input", 2302,
                            "expected a scalar or a tensor, got " +
                                input.describe());
  size_t wanted = std::max<size_t>(1, input.rank());
  if (values->size() != wanted)
    return in.argumentError(args, "values", 2303,
                            "expected " + llvm::Twine(wanted) +
                                " values, one a dimension, got " +
                                llvm::Twine(values->size()));
  for (int64_t value : *values)
    if (value < 1)
      return in.argumentError(args, "values", 2304,
                              "expected values of 1 or more");
  auto &b = in.builder();
  mlir::DenseI64ArrayAttr facts[3];
  facts[args.builtin->variant] = b.getDenseI64ArrayAttr(*values);
  return Value::tensor(tile::FactOp::create(b, input.ssa().getType(),
                                            input.ssa(), facts[0], facts[1],
                                            facts[2]),
                       input.dtype());
}

static Value emitBarrier(Interpreter &in, CallArgs &args) {
  tile::BarrierOp::create(in.builder());
  return Value::none();
}

void sema::registerControl(BuiltinTable &table) {
  // Python's range takes the hints, too, as in Triton.
  for (const char *name : {"py.range", "tl.range"})
    table.add(name,
              "arg1, arg2=None, step=None, num_stages=None, "
              "loop_unroll_factor=None, disallow_acc_multi_buffer=None, "
              "flatten=None, warp_specialize=None, disable_licm=None",
              emitRange);
  table.add("tl.static_range", "arg1, arg2=None, step=None", emitRange)
      .variant = 1;
  table.add("tl.static_assert", "cond, msg=None", emitStaticAssert);
  table.add("tl.static_print", "*values", emitStaticPrint);
  table.add("tl.device_print", "prefix, *args, hex=False", emitDevicePrint);
  table.add("py.print", "*args", emitPrint);
  table.add("tl.device_assert", "cond, msg='', mask=None", emitDeviceAssert);
  table.add("tl.assume", "cond", emitAssume);
  table.add("tl.multiple_of", "input, values", emitFact).variant = 0;
  table.add("tl.max_contiguous", "input, values", emitFact).variant = 1;
  table.add("tl.max_constancy", "input, values", emitFact).variant = 2;
  table.add("tl.debug_barrier", "", emitBarrier);
}
