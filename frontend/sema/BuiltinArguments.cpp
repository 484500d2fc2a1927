//===- BuiltinArguments.cpp - Reading arguments of built-ins ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access with uniform errors at the argument's place.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"

using namespace tilewright;
using namespace tilewright::sema;
using llvm::StringRef;

Value Interpreter::argumentError(const CallArgs &args, StringRef name,
                                 unsigned code, const llvm::Twine &message,
                                 StringRef hint) {
  return theReporter.errorAt(args.rangeOf(name), code, message, hint);
}

std::string Interpreter::nameOf(const Builtin &builtin) const {
  StringRef name = builtin.name;
  name.consume_front("py.");
  std::string result = name.str();
  for (const CallFrame *frame = theReporter.frame;
       frame && frame->module && frame->module->isLibrary();
       frame = frame->caller)
    result = "tl." + frame->functionName;
  return result;
}

static const char *const decayHint =
    "a plain assignment turns numbers into run-time values; annotate the name "
    "with tl.constexpr";

std::optional<int64_t> Interpreter::constantInt(const CallArgs &args,
                                                StringRef name) {
  const Value &value = args[name];
  if (value.isInt() || value.isBool())
    if (std::optional<int64_t> number = value.intValue().asInt64())
      return number;
  argumentError(args, name, 2200,
                "expected a compile-time integer for '" + name + "' of '" +
                    nameOf(*args.builtin) + "', got " + value.describe(),
                value.isTensor() ? decayHint : "");
  return std::nullopt;
}

std::optional<bool> Interpreter::constantBool(const CallArgs &args,
                                              StringRef name) {
  const Value &value = args[name];
  if (value.isNumber() || value.isNone())
    return truth(value);
  argumentError(args, name, 2201,
                "expected a compile-time bool for '" + name + "' of '" +
                    nameOf(*args.builtin) + "', got " + value.describe(),
                value.isTensor() ? decayHint : "");
  return std::nullopt;
}

std::optional<std::string> Interpreter::constantStr(const CallArgs &args,
                                                    StringRef name) {
  const Value &value = args[name];
  if (value.isStr())
    return value.strValue().str();
  if (value.isNone())
    return std::string();
  argumentError(args, name, 2202,
                "expected text for '" + name + "' of '" +
                    nameOf(*args.builtin) + "', got " + value.describe());
  return std::nullopt;
}

std::optional<DType> Interpreter::constantType(const CallArgs &args,
                                               StringRef name) {
  const Value &value = args[name];
  if (value.isType() && value.shape().empty())
    return value.dtype();
  if (value.isStr())
    if (std::optional<DType> type = DType::parse(value.strValue()))
      return type;
  argumentError(args, name, 2203,
                "expected a type for '" + name + "' of '" +
                    nameOf(*args.builtin) + "', got " + value.describe(),
                "types are tl.int1, tl.int8 to tl.int64, tl.uint8 to "
                "tl.uint64, tl.float16, tl.bfloat16, tl.float32, tl.float64, "
                "tl.float8e4nv and tl.float8e5");
  return std::nullopt;
}

std::optional<std::vector<int64_t>>
Interpreter::constantShape(const CallArgs &args, StringRef name) {
  const Value &value = args[name];
  std::vector<Value> elements;
  if (value.isTuple())
    elements = value.elements().vec();
  else
    elements.push_back(value);
  // `f(x, (2, 4))` for a parameter `*shape`.
  if (elements.size() == 1 && elements[0].isTuple())
    elements = elements[0].elements().vec();
  std::vector<int64_t> shape;
  for (const Value &element : elements) {
    std::optional<int64_t> extent =
        element.isInt() ? element.intValue().asInt64() : std::nullopt;
    if (!extent) {
      argumentError(args, name, 2204,
                    "expected compile-time integers for '" + name + "' of '" +
                        nameOf(*args.builtin) + "', got " + element.describe(),
                    element.isTensor() ? decayHint : "");
      return std::nullopt;
    }
    shape.push_back(*extent);
  }
  return shape;
}

std::optional<int64_t> Interpreter::axis(const CallArgs &args, StringRef name,
                                         int64_t rank) {
  std::optional<int64_t> value = constantInt(args, name);
  if (!value)
    return std::nullopt;
  if (*value >= -rank && *value < rank)
    return *value < 0 ? *value + rank : *value;
  argumentError(args, name, 2205,
                "expected an axis from " + llvm::Twine(-rank) + " to " +
                    llvm::Twine(rank - 1) + ", got " + llvm::Twine(*value));
  return std::nullopt;
}

bool Interpreter::expectTile(const CallArgs &args, StringRef name) {
  const Value &value = args[name];
  if (value.isTensor() && !value.shape().empty())
    return true;
  argumentError(args, name, 2206,
                "expected a tensor for '" + name + "' of '" +
                    nameOf(*args.builtin) + "', got " + value.describe());
  return false;
}
