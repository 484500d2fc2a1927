//===- Python.cpp - Python's own functions ----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-ins of Python and of its math module that make sense at compile time,
// and the few that also take run-time values (min, max, abs).
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/value/ConstantFolding.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
using ast::CompareOperator;

/// min and max; variant 1 is max.
static Value emitMinMax(Interpreter &in, CallArgs &args) {
  llvm::ArrayRef<Value> values = args["args"].elements();
  if (values.size() == 1 && values[0].isTuple())
    values = values[0].elements();
  if (values.empty())
    return in.error(2310, "expected at least one value");
  bool isMax = args.builtin->variant == 1;
  Value result = values[0];
  for (const Value &value : values.drop_front()) {
    if (result.isTensor() || value.isTensor()) {
      const Builtin *builtin =
          builtinTable().find(isMax ? "tl.maximum" : "tl.minimum");
      result = in.callValue(Value::builtin(builtin), {result, value});
      if (result.isError())
        return result;
      continue;
    }
    Value isBetter = foldCompare(
        in.reporter(), isMax ? CompareOperator::Gt : CompareOperator::Lt, value,
        result);
    if (isBetter.isError())
      return isBetter;
    if (isBetter.boolValue())
      result = value;
  }
  // As for other values of a folded argument.
  bool isTyped =
      llvm::any_of(values, [](const Value &v) { return v.isTyped(); });
  if (isTyped && result.isInt() && !result.isTyped())
    if (std::optional<DType> type = in.emitter.typeOfNumber(result))
      return Value::typed(result, *type);
  return result;
}

static Value emitAbs(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (value.isFloat())
    return Value::number(std::fabs(value.floatValue()));
  if (value.isNumber())
    return Value::integer(value.intValue().isNegative() ? -value.intValue()
                                                        : value.intValue());
  return in.callValue(Value::builtin(builtinTable().find("tl.abs")), {value});
}

static Value emitLen(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (value.isTuple())
    return Value::integer(static_cast<int64_t>(value.elements().size()));
  if (value.isStr())
    return Value::integer(static_cast<int64_t>(value.strValue().size()));
  if (value.isTensor() && !value.shape().empty())
    return Value::integer(value.shape()[0]);
  return in.argumentError(args, "x", 2311,
                          "expected a tuple, a list or text, got " +
                              value.describe());
}

/// int, float and bool of compile-time values; variant is the target.
enum : int64_t { ToInt, ToFloat, ToBool };

static Value emitConversion(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  int64_t target = args.builtin->variant;
  if (value.isTensor()) {
    DType type = target == ToInt     ? Scalar::I32
                 : target == ToFloat ? Scalar::FP32
                                     : Scalar::I1;
    if (target == ToInt && value.dtype().isInt() && !value.dtype().isBool())
      return value;
    return in.emitter.cast(value, type);
  }
  if (target == ToBool)
    if (std::optional<bool> truth = in.truth(value))
      return Value::boolean(*truth);
  if (value.isNumber()) {
    if (target == ToFloat)
      return Value::number(value.toDouble());
    if (!value.isFloat())
      return value.isTyped() && value.isInt()
                 ? value
                 : Value::integer(value.intValue());
    if (std::optional<BigInt> whole = BigInt::fromDouble(value.floatValue()))
      return Value::integer(*whole);
  }
  if (value.isStr()) {
    llvm::StringRef text = value.strValue().trim();
    double number;
    if (target == ToInt)
      if (std::optional<BigInt> whole = BigInt::fromDecimal(text))
        return Value::integer(*whole);
    if (target == ToFloat) {
      bool isNegative = text.consume_front("-");
      if (!isNegative)
        text.consume_front("+");
      double sign = isNegative ? -1 : 1;
      if (text.equals_insensitive("inf") || text.equals_insensitive("infinity"))
        return Value::number(sign * HUGE_VAL);
      if (text.equals_insensitive("nan"))
        return Value::number(NAN);
      if (!text.getAsDouble(number))
        return Value::number(sign * number);
    }
  }
  return in.argumentError(args, "x", 2312,
                          "expected a value that '" + in.nameOf(*args.builtin) +
                              "' converts, got " + value.describe());
}

static Value emitStr(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (value.isRuntime())
    return in.argumentError(args, "x", 2313,
                            "expected a compile-time value, got " +
                                value.describe());
  return Value::str(value.pythonStr());
}

static Value emitSequence(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  bool isList = args.builtin->variant == 1;
  if (value.isNone())
    return Value::tuple({}, isList);
  if (value.isTuple())
    return Value::tuple(value.elements().vec(), isList);
  return in.argumentError(
      args, "x", 2311, "expected a tuple or a list, got " + value.describe());
}

static Value emitPythonSum(Interpreter &in, CallArgs &args) {
  const Value &values = args["x"];
  if (!values.isTuple())
    return in.argumentError(
        args, "x", 2311, "expected a tuple or a list, got " + values.describe(),
        "use tl.sum for tensors");
  Value total = Value::integer(0);
  for (const Value &value : values.elements())
    total = in.binary(ast::BinaryOperator::Add, total, value);
  return total;
}

static Value emitRound(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (!value.isNumber())
    return in.argumentError(args, "x", 2313,
                            "expected a compile-time number, got " +
                                value.describe());
  if (!value.isFloat())
    return Value::integer(value.intValue());
  std::optional<BigInt> whole =
      BigInt::fromDouble(std::nearbyint(value.floatValue()));
  return whole ? Value::integer(*whole)
               : in.error(2142, "expected a finite "
                                "number");
}

static bool isInstance(const Value &value, const Value &type) {
  if (type.isTuple())
    return llvm::any_of(type.elements(), [&](const Value &element) {
      return isInstance(value, element);
    });
  if (type.is(Value::Kind::Class)) {
    const RecordLayout *layout = value.recordLayout();
    const auto &wanted = type.payload<ClassPayload>().layout;
    return layout && wanted && layout->name == wanted->name &&
           layout->fields == wanted->fields;
  }
  if (!type.is(Value::Kind::Builtin))
    return false;
  return llvm::StringSwitch<bool>(type.builtinValue()->name)
      .Case("py.int", value.isInt() || value.isBool())
      .Case("py.float", value.isFloat())
      .Case("py.bool", value.isBool())
      .Case("py.str", value.isStr())
      .Case("py.tuple", value.isTuple() && !value.isList())
      .Case("py.list", value.isTuple() && value.isList())
      .Case("tl.tensor", value.isTensor())
      .Case("tl.tuple", value.isTuple())
      .Case("tl.dtype", value.isType())
      .Case("tl.constexpr", !value.isRuntime())
      .Case("tl.tensor_descriptor", value.is(Value::Kind::Descriptor))
      .Default(false);
}

static Value emitIsInstance(Interpreter &in, CallArgs &args) {
  return Value::boolean(isInstance(args["x"], args["type"]));
}

static Value emitGetAttr(Interpreter &in, CallArgs &args) {
  std::optional<std::string> name = in.constantStr(args, "name");
  if (!name)
    return Value::error();
  llvm::ArrayRef<Value> fallback = args["default"].elements();
  if (fallback.empty() && args.builtin->variant == 0)
    return in.attribute(args["x"], *name);
  ++in.reporter().quiet;
  Value value = in.attribute(args["x"], *name);
  --in.reporter().quiet;
  if (args.builtin->variant == 1)
    return Value::boolean(!value.isError());
  return value.isError() ? fallback[0] : value;
}

static Value emitZip(Interpreter &in, CallArgs &args) {
  std::vector<Value> result;
  size_t count = SIZE_MAX;
  for (const Value &list : args["lists"].elements()) {
    if (!list.isTuple())
      return in.argumentError(args, "lists", 2311,
                              "expected tuples or lists, got " +
                                  list.describe());
    count = std::min(count, list.elements().size());
  }
  for (size_t i = 0; i < count && count != SIZE_MAX; ++i) {
    std::vector<Value> row;
    for (const Value &list : args["lists"].elements())
      row.push_back(list.elements()[i]);
    result.push_back(Value::tuple(std::move(row)));
  }
  return Value::tuple(std::move(result), true);
}

static Value emitEnumerate(Interpreter &in, CallArgs &args) {
  const Value &list = args["x"];
  if (!list.isTuple())
    return in.argumentError(
        args, "x", 2311, "expected a tuple or a list, got " + list.describe());
  std::vector<Value> result;
  for (size_t i = 0; i < list.elements().size(); ++i)
    result.push_back(Value::tuple(
        {Value::integer(static_cast<int64_t>(i)), list.elements()[i]}));
  return Value::tuple(std::move(result), true);
}

static Value emitDict(Interpreter &in, CallArgs &args) {
  return Value::withPayload(Value::Kind::Dict, std::make_shared<DictPayload>());
}

/// A function of Python's math module on a compile-time number.
template <double (*Function)(double)>
static Value emitMath(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (!value.isNumber())
    return in.argumentError(
        args, "x", 2313,
        "expected a compile-time number, got " + value.describe(),
        ("use tl." + args.builtin->name.drop_front(5) + " for run-time values")
            .str());
  return Value::number(Function(value.toDouble()));
}

/// math.ceil, math.floor: give integers; variant 1 is ceil.
static Value emitMathRounding(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"];
  if (value.isInt() || value.isBool())
    return Value::integer(value.intValue());
  double number = value.isFloat() ? value.floatValue() : NAN;
  std::optional<BigInt> whole = BigInt::fromDouble(
      args.builtin->variant ? std::ceil(number) : std::floor(number));
  if (!whole)
    return in.argumentError(args, "x", 2313,
                            "expected a finite compile-time number, got " +
                                value.describe());
  return Value::integer(*whole);
}

static Value emitMathLog(Interpreter &in, CallArgs &args) {
  const Value &value = args["x"], &base = args["base"];
  bool fits = value.isNumber() && value.toDouble() > 0 &&
              (base.isNone() || (base.isNumber() && base.toDouble() > 0));
  if (!fits)
    return in.argumentError(args, "x", 2313,
                            "expected a positive compile-time number, got " +
                                value.describe());
  double result = std::log(value.toDouble());
  return Value::number(base.isNone() ? result
                                     : result / std::log(base.toDouble()));
}

static Value emitMathPow(Interpreter &in, CallArgs &args) {
  const Value &x = args["x"], &y = args["y"];
  if (!x.isNumber() || !y.isNumber())
    return in.error(2313, "expected compile-time numbers");
  return Value::number(std::pow(x.toDouble(), y.toDouble()));
}

static std::optional<uint64_t> positive(Interpreter &in, const CallArgs &args,
                                        llvm::StringRef name) {
  std::optional<int64_t> value = in.constantInt(args, name);
  if (!value)
    return std::nullopt;
  if (*value > 0 && *value <= (int64_t(1) << 62))
    return static_cast<uint64_t>(*value);
  in.argumentError(args, name, 2314,
                   "expected a positive integer, got " + llvm::Twine(*value));
  return std::nullopt;
}

static Value emitNextPowerOf2(Interpreter &in, CallArgs &args) {
  std::optional<uint64_t> value = positive(in, args, "n");
  return value
             ? Value::integer(static_cast<int64_t>(llvm::PowerOf2Ceil(*value)))
             : Value::error();
}

/// tl._log2 of a power of two.
static Value emitLog2(Interpreter &in, CallArgs &args) {
  std::optional<uint64_t> value = positive(in, args, "i");
  return value ? Value::integer(llvm::Log2_64(*value)) : Value::error();
}

static Value emitStrMethod(Interpreter &in, CallArgs &args) {
  llvm::StringRef self = args["self"].strValue();
  std::optional<std::string> other;
  switch (args.builtin->variant) {
  case 0:
    return Value::str(self.lower());
  case 1:
    return Value::str(self.upper());
  default:
    other = in.constantStr(args, "other");
    if (!other)
      return Value::error();
    return Value::boolean(args.builtin->variant == 2 ? self.starts_with(*other)
                                                     : self.ends_with(*other));
  }
}

static Value emitDictGet(Interpreter &in, CallArgs &args) {
  std::optional<std::string> key = in.constantStr(args, "key");
  if (!key)
    return Value::error();
  const Value *entry = args["self"].payload<DictPayload>().find(*key);
  return entry ? *entry : args["default"];
}

/// The condition of a while loop; its option is a hint.
static Value emitCondition(Interpreter &in, CallArgs &args) {
  return args["arg"];
}

/// The method forms of `and` and `or`; variant 1 is `or`.
static Value emitLogical(Interpreter &in, CallArgs &args) {
  return in.emitter.logicalAnd(args["self"], args["other"],
                               args.builtin->variant == 1);
}

static Value emitLogicalNot(Interpreter &in, CallArgs &args) {
  return in.emitter.logicalNot(args["self"]);
}

static Value emitTensorType(Interpreter &in, CallArgs &args) {
  return in.emitter.toTensor(args["x"]);
}

void sema::registerPython(BuiltinTable &table) {
  table.add("py.min", "*args", emitMinMax);
  table.add("py.max", "*args", emitMinMax).variant = 1;
  table.add("py.abs", "x", emitAbs);
  table.add("py.len", "x", emitLen);
  table.add("py.int", "x", emitConversion).variant = ToInt;
  table.add("py.float", "x", emitConversion).variant = ToFloat;
  table.add("py.bool", "x", emitConversion).variant = ToBool;
  table.add("py.str", "x", emitStr);
  table.add("py.repr", "x", emitStr);
  table.add("py.tuple", "x=None", emitSequence);
  table.add("py.list", "x=None", emitSequence).variant = 1;
  table.add("py.sum", "x", emitPythonSum);
  table.add("py.round", "x", emitRound);
  table.add("py.isinstance", "x, type", emitIsInstance);
  table.add("py.getattr", "x, name, *default", emitGetAttr);
  table.add("py.hasattr", "x, name, *default", emitGetAttr).variant = 1;
  table.add("py.zip", "*lists", emitZip);
  table.add("py.enumerate", "x", emitEnumerate);
  table.add("py.dict", "", emitDict);
  table.add("tl.tensor", "x", emitTensorType);
  table.add("tl.tuple", "x=None", emitSequence);
  table.add("tl.tensor_descriptor", "x", emitTensorType);
  table.alias("tl.tensor_descriptor_base", "tl.tensor_descriptor");
  table.add("tl.condition", "arg, disable_licm=False", emitCondition);
  table.add("tensor.logical_and", "self, other", emitLogical).isMethod = true;
  Builtin &logicalOr =
      table.add("tensor.logical_or", "self, other", emitLogical);
  logicalOr.isMethod = true;
  logicalOr.variant = 1;
  table.add("tensor.logical_not", "self", emitLogicalNot).isMethod = true;
  table.add("triton.next_power_of_2", "n", emitNextPowerOf2);
  table.alias("tl.next_power_of_2", "triton.next_power_of_2");
  table.add("tl._log2", "i", emitLog2);
  table.add("math.sqrt", "x", emitMath<std::sqrt>);
  table.add("math.exp", "x", emitMath<std::exp>);
  table.add("math.log2", "x", emitMath<std::log2>);
  table.add("math.log10", "x", emitMath<std::log10>);
  table.add("math.sin", "x", emitMath<std::sin>);
  table.add("math.cos", "x", emitMath<std::cos>);
  table.add("math.fabs", "x", emitMath<std::fabs>);
  table.add("math.log", "x, base=None", emitMathLog);
  table.add("math.pow", "x, y", emitMathPow);
  table.add("math.floor", "x", emitMathRounding);
  table.add("math.ceil", "x", emitMathRounding).variant = 1;
  table.add("str.lower", "self", emitStrMethod).variant = 0;
  table.add("str.upper", "self", emitStrMethod).variant = 1;
  table.add("str.startswith", "self, other", emitStrMethod).variant = 2;
  table.add("str.endswith", "self, other", emitStrMethod).variant = 3;
  table.add("dict.get", "self, key, default=None", emitDictGet);
}
