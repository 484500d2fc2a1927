//===- Attributes.cpp - x.name and x[...] -----------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of tensors, types, descriptors and modules; indexing of tuples and
// tensors.
//===----------------------------------------------------------------------===//

#include "frontend/library/Library.h"
#include "frontend/sema/Interpreter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::sema;

static Value shapeValue(Shape shape) {
  std::vector<Value> elements;
  for (int64_t extent : shape)
    elements.push_back(Value::integer(extent));
  return Value::tuple(std::move(elements));
}

static Value boundMethod(Interpreter &in, const Value &self,
                         llvm::StringRef name) {
  auto payload = std::make_shared<MethodPayload>();
  payload->self = self;
  payload->method = builtinTable().findMethod(name);
  if (!payload->method && !isLibraryMethod(name))
    return Value::error();
  if (!payload->method)
    payload->function = in.attribute(Value::module("tl"), name);
  return Value::withPayload(Value::Kind::Method, std::move(payload));
}

static Value boundTo(const Value &self, llvm::StringRef builtin) {
  const Builtin *method = builtinTable().find(builtin);
  if (!method)
    return Value::error();
  auto payload = std::make_shared<MethodPayload>();
  payload->self = self;
  payload->method = method;
  return Value::withPayload(Value::Kind::Method, std::move(payload));
}

/// Predicates without arguments: is_floating(), is_ptr(), ...
std::optional<bool> sema::queryType(DType type, Shape shape,
                                    llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<bool>>(name)
      .Case("is_floating", type.isFloat())
      .Case("is_standard_floating", type.isFloat() && !type.isFP8())
      .Case("is_fp8", type.isFP8())
      .Case("is_fp8e4nv", type.is(Scalar::FP8E4NV))
      .Case("is_fp8e5", type.is(Scalar::FP8E5))
      .Case("is_fp8e4b8", type.is(Scalar::FP8E4B8))
      .Case("is_fp8e5b16", type.is(Scalar::FP8E5B16))
      .Case("is_fp8e4b15", type.is(Scalar::FP8E4B15))
      .Case("is_fp16", type.is(Scalar::FP16))
      .Case("is_bf16", type.is(Scalar::BF16))
      .Case("is_fp32", type.is(Scalar::FP32))
      .Case("is_fp64", type.is(Scalar::FP64))
      .Case("is_int", type.isInt())
      .Case("is_bool", type.isBool())
      .Case("is_int_signed", type.isSigned())
      .Case("is_int_unsigned", type.isUnsigned())
      .Case("is_int1", type.is(Scalar::I1))
      .Case("is_int8", type.is(Scalar::I8))
      .Case("is_int16", type.is(Scalar::I16))
      .Case("is_int32", type.is(Scalar::I32))
      .Case("is_int64", type.is(Scalar::I64))
      .Case("is_uint8", type.is(Scalar::U8))
      .Case("is_uint16", type.is(Scalar::U16))
      .Case("is_uint32", type.is(Scalar::U32))
      .Case("is_uint64", type.is(Scalar::U64))
      .Case("is_ptr", type.isPointer())
      .Case("is_const", type.isPointer() && type.readOnly)
      .Case("is_block", !shape.empty())
      .Case("is_void", type.isVoid())
      .Default(std::nullopt);
}

static Value typeAttribute(const Value &value, llvm::StringRef name) {
  DType type = value.dtype();
  if (name == "element_ty") {
    if (!value.shape().empty())
      return Value::type(type);
    return type.isPointer() ? Value::type(type.pointee()) : Value::error();
  }
  if (name == "scalar")
    return Value::type(type);
  if (name == "primitive_bitwidth" || (name == "int_bitwidth" && type.isInt()))
    return Value::integer(type.width());
  if (name == "itemsize")
    return Value::integer((type.width() + 7) / 8);
  if (name == "fp_mantissa_width" && type.isFloat())
    return Value::integer(type.mantissaBits());
  if (name == "name")
    return Value::str(type.spelling());
  if (name == "shape")
    return shapeValue(value.shape());
  if (name == "numel") {
    int64_t count = 1;
    for (int64_t extent : value.shape())
      count *= extent;
    return Value::integer(count);
  }
  if (name == "address_space")
    return Value::integer(1);
  if (queryType(type, value.shape(), name))
    return boundTo(value, "dtype.query." + name.str());
  return boundTo(value, ("dtype." + name).str());
}

static Value tensorAttribute(Interpreter &in, const Value &value,
                             llvm::StringRef name) {
  if (name == "dtype")
    return Value::type(value.dtype());
  if (name == "type")
    return Value::type(value.dtype(), value.shape());
  if (name == "shape")
    return shapeValue(value.shape());
  if (name == "numel")
    return typeAttribute(Value::type(value.dtype(), value.shape()), name);
  return boundMethod(in, value, name);
}

/// Compile-time numbers behave as the scalars they would become (rule N2).
static Value numberAttribute(Interpreter &interpreter, const Value &value,
                             llvm::StringRef name) {
  if (name == "value")
    return value;
  if (name == "shape")
    return shapeValue({});
  if (name == "dtype" || name == "type") {
    std::optional<DType> type = interpreter.emitter.typeOfNumber(value);
    return type ? Value::type(*type) : Value::error();
  }
  return boundMethod(interpreter, value, name);
}

static Value descriptorAttribute(const Value &value, llvm::StringRef name) {
  const auto &descriptor = value.payload<DescriptorPayload>();
  if (name == "dtype")
    return Value::type(value.dtype());
  if (name == "block_shape")
    return shapeValue(descriptor.block);
  if (name == "block_type" || name == "type")
    return Value::type(value.dtype(), descriptor.block);
  if (name == "shape" && !descriptor.shape.empty())
    return Value::tuple(descriptor.shape);
  if (name == "strides" && !descriptor.strides.empty())
    return Value::tuple(descriptor.strides);
  return boundTo(value, ("descriptor." + name).str());
}

static Value blockPointerAttribute(const Value &value, llvm::StringRef name) {
  // One pointer, whatever it points to: `x.to(p.type.element_ty)` is a cast to
  // the element type.
  if (name == "dtype" || name == "type")
    return Value::type(value.payload<BlockPointerPayload>().base.dtype());
  if (name == "shape")
    return shapeValue({});
  if (name == "advance" || name == "store")
    return boundTo(value, ("tl." + name).str());
  return Value::error();
}

static Value strAttribute(const Value &value, llvm::StringRef name) {
  return boundTo(value, ("str." + name).str());
}

Value Interpreter::attribute(const Value &base, llvm::StringRef name) {
  if (base.isError())
    return base;
  Value result;
  switch (base.kind()) {
  case Value::Kind::Module:
    return moduleAttribute(base.payload<ModulePayload>(), name);
  case Value::Kind::Class:
    return classAttribute(base.payload<ClassPayload>(), name);
  case Value::Kind::Tensor:
    if (name == "T")
      return callBuiltin(*builtinTable().find("tl.trans"),
                         {{"", base, theReporter.range}});
    result = tensorAttribute(*this, base, name);
    break;
  case Value::Kind::Type:
    if (name == "value")
      return base;
    result = typeAttribute(base, name);
    break;
  case Value::Kind::Bool:
  case Value::Kind::Int:
  case Value::Kind::Float:
    result = numberAttribute(*this, base, name);
    break;
  case Value::Kind::Descriptor:
    result = descriptorAttribute(base, name);
    break;
  case Value::Kind::BlockPointer:
    result = blockPointerAttribute(base, name);
    break;
  case Value::Kind::Str:
    if (name == "value")
      return base;
    result = strAttribute(base, name);
    break;
  case Value::Kind::Tuple:
    if (base.recordLayout())
      return recordAttribute(base, name);
    if (name == "value" || name == "values")
      return base;
    if (name == "index" || name == "count")
      result = boundTo(base, ("tuple." + name).str());
    break;
  case Value::Kind::Dict:
    if (const Value *entry = base.payload<DictPayload>().find(name))
      return *entry;
    result = boundTo(base, ("dict." + name).str());
    break;
  case Value::Kind::Function:
    if (name == "fn" || name == "value")
      return base;
    if (name == "__name__")
      return Value::str(base.payload<FunctionPayload>().name);
    break;
  case Value::Kind::None:
    if (name == "value")
      return base;
    return error(2150,
                 "expected a value with the attribute '" + name + "', got None",
                 "the argument is None in this specialisation; test it with "
                 "'is None' first");
  default:
    break;
  }
  if (!result.isError())
    return result;
  std::vector<std::string> names = builtinTable().namesUnder("tl.");
  return error(2150,
               "expected a value with the attribute '" + name + "', got " +
                   base.describe(),
               didYouMean(name, names));
}

/// Python's index into a sequence of the given length; nullopt out of range.
static std::optional<size_t> sequenceIndex(const Value &index, size_t length) {
  std::optional<int64_t> at = index.intValue().asInt64();
  if (!at)
    return std::nullopt;
  int64_t position = *at < 0 ? *at + static_cast<int64_t>(length) : *at;
  if (position < 0 || position >= static_cast<int64_t>(length))
    return std::nullopt;
  return static_cast<size_t>(position);
}

static Value sliceTuple(Interpreter &interpreter, const Value &base,
                        const SlicePayload &slice) {
  int64_t length = static_cast<int64_t>(base.elements().size());
  auto bound = [&](const Value &value, int64_t fallback, int64_t low,
                   int64_t high) -> std::optional<int64_t> {
    if (value.isNone())
      return fallback;
    std::optional<int64_t> at =
        value.isInt() ? value.intValue().asInt64() : std::nullopt;
    if (!at)
      return std::nullopt;
    int64_t position = *at < 0 ? *at + length : *at;
    return std::clamp(position, low, high);
  };
  std::optional<int64_t> step = slice.step.isNone() ? 1
                                : slice.step.isInt()
                                    ? slice.step.intValue().asInt64()
                                    : std::nullopt;
  if (!step || *step == 0)
    return interpreter.error(2151, "expected a nonzero compile-time step");
  bool up = *step > 0;
  std::optional<int64_t> from = bound(slice.lower, up ? 0 : length - 1,
                                      up ? 0 : -1, up ? length : length - 1);
  std::optional<int64_t> to = bound(slice.upper, up ? length : -1, up ? 0 : -1,
                                    up ? length : length - 1);
  if (!from || !to)
    return interpreter.error(2151, "expected compile-time bounds of a slice");
  std::vector<Value> elements;
  for (int64_t i = *from; up ? i < *to : i > *to; i += *step)
    elements.push_back(base.elements()[i]);
  return Value::tuple(std::move(elements), base.isList());
}

/// F3: `:` keeps a dimension, None adds one.
static Value subscriptTensor(Interpreter &interpreter, const Value &base,
                             const Value &index) {
  llvm::SmallVector<Value> entries;
  if (index.isTuple())
    entries.append(index.elements().begin(), index.elements().end());
  else
    entries.push_back(index);
  Shape shape = base.shape();
  size_t kept = 0, ellipsisAt = entries.size();
  for (size_t i = 0; i < entries.size(); ++i) {
    const Value &entry = entries[i];
    bool isFull = entry.is(Value::Kind::Slice);
    if (isFull) {
      const auto &slice = entry.payload<SlicePayload>();
      isFull =
          slice.lower.isNone() && slice.upper.isNone() && slice.step.isNone();
    }
    if (entry.is(Value::Kind::Ellipsis))
      ellipsisAt = i;
    else if (isFull)
      ++kept;
    else if (!entry.isNone())
      return interpreter.error(
          2152,
          "expected only ':' and None as indices of a tensor, got " +
              entry.describe(),
          "load with computed pointers, or use tl.gather for elements of a "
          "tensor");
  }
  // A scalar fits every shape: each None adds a dimension, ':' has none to
  // keep.
  bool isScalar = shape.empty();
  if (kept > shape.size() && !isScalar)
    return interpreter.error(2153, "expected at most " +
                                       llvm::Twine(shape.size()) +
                                       " ':' indices for " + base.describe() +
                                       ", got " + llvm::Twine(kept));
  std::vector<int64_t> result;
  size_t next = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i == ellipsisAt)
      for (size_t k = kept; k < shape.size(); ++k)
        result.push_back(shape[next++]);
    else if (entries[i].isNone())
      result.push_back(1);
    else if (!isScalar)
      result.push_back(shape[next++]);
  }
  while (next < shape.size())
    result.push_back(shape[next++]);
  return interpreter.emitter.reshape(base, result);
}

Value Interpreter::subscript(const Value &base, const Value &index) {
  if (base.isError() || index.isError())
    return Value::error();
  switch (base.kind()) {
  case Value::Kind::Tuple:
    if (index.isInt() || index.isBool()) {
      if (auto at = sequenceIndex(index, base.elements().size()))
        return base.elements()[*at];
      return error(2154, "expected an index below " +
                             llvm::Twine(base.elements().size()) + ", got " +
                             index.pythonStr());
    }
    if (index.is(Value::Kind::Slice))
      return sliceTuple(*this, base, index.payload<SlicePayload>());
    return error(2155,
                 "expected a compile-time index into a tuple, got " +
                     index.describe(),
                 "use tl.static_range, or a chain of tl.where");
  case Value::Kind::Dict:
    if (index.isStr()) {
      if (const Value *entry =
              base.payload<DictPayload>().find(index.strValue()))
        return *entry;
      return error(2156, "expected a key of the dictionary, got " +
                             index.pythonRepr());
    }
    break;
  case Value::Kind::Str:
    if (index.isInt()) {
      if (auto at = sequenceIndex(index, base.strValue().size()))
        return Value::str(base.strValue().substr(*at, 1).str());
      return error(2154, "expected an index below " +
                             llvm::Twine(base.strValue().size()) + ", got " +
                             index.pythonStr());
    }
    break;
  case Value::Kind::Tensor:
    return subscriptTensor(*this, base, index);
  case Value::Kind::Function:
    return error(2157, "expected a call, got a launch with a grid",
                 "kernels call helper functions directly, without [grid]");
  default:
    break;
  }
  if (base.isNumber() && (index.isNone() || index.isTuple()))
    return subscriptTensor(*this, emitter.toTensor(base), index);
  return error(2158,
               "expected a tensor or a tuple to index, got " + base.describe());
}
