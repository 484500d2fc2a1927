//===- Value.cpp - What an expression evaluates to --------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, comparison and taking apart of values. Printing is in
// ValuePrinter.cpp.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/Value.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
using llvm::ArrayRef;

Value Value::boolean(bool value) {
  Value result(Kind::Bool);
  result.flag = value;
  return result;
}
Value Value::integer(BigInt value) {
  Value result(Kind::Int);
  result.bigint = std::move(value);
  return result;
}
Value Value::number(double value) {
  Value result(Kind::Float);
  result.real = value;
  return result;
}
Value Value::typed(Value number, DType type) {
  number.theType = type;
  return number;
}
Value Value::str(std::string value) {
  auto payload = std::make_shared<StrPayload>();
  payload->text = std::move(value);
  return withPayload(Kind::Str, std::move(payload));
}
Value Value::tuple(std::vector<Value> elements, bool isList) {
  auto payload = std::make_shared<TuplePayload>();
  payload->elements = std::move(elements);
  Value result = withPayload(Kind::Tuple, std::move(payload));
  result.flag = isList;
  return result;
}
Value Value::record(std::vector<Value> elements,
                    std::shared_ptr<const RecordLayout> layout) {
  auto payload = std::make_shared<TuplePayload>();
  payload->elements = std::move(elements);
  payload->layout = std::move(layout);
  return withPayload(Kind::Tuple, std::move(payload));
}
const RecordLayout *Value::recordLayout() const {
  return isTuple() ? payload<TuplePayload>().layout.get() : nullptr;
}
Value Value::withElements(std::vector<Value> elements) const {
  Value result = record(std::move(elements), payload<TuplePayload>().layout);
  result.flag = flag;
  return result;
}
std::optional<size_t> RecordLayout::find(llvm::StringRef field) const {
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i] == field)
      return i;
  return std::nullopt;
}
bool RecordLayout::matches(const RecordLayout *other) const {
  return other && name == other->name && fields == other->fields &&
         def == other->def;
}
Value Value::type(DType type, ArrayRef<int64_t> shape) {
  Value result(Kind::Type);
  result.theType = type;
  if (!shape.empty()) {
    auto payload = std::make_shared<TypePayload>();
    payload->shape = shape.vec();
    result.heap = std::move(payload);
  }
  return result;
}
Value Value::tensor(mlir::Value value, DType type) {
  Value result(Kind::Tensor);
  result.theValue = value;
  result.theType = type;
  return result;
}
Value Value::builtin(const Builtin *builtin) {
  Value result(Kind::Builtin);
  result.theBuiltin = builtin;
  return result;
}
Value Value::module(std::string path) {
  auto payload = std::make_shared<ModulePayload>();
  payload->path = std::move(path);
  return withPayload(Kind::Module, std::move(payload));
}
Value Value::descriptor(mlir::Value handle, DType element,
                        std::shared_ptr<const Payload> payload) {
  Value result = withPayload(Kind::Descriptor, std::move(payload));
  result.theValue = handle;
  result.theType = element;
  return result;
}
Value Value::withPayload(Kind kind, std::shared_ptr<const Payload> payload) {
  Value result(kind);
  result.heap = std::move(payload);
  return result;
}

Value Value::fromConstant(const Constant &constant) {
  switch (constant.kind) {
  case Constant::Kind::None:
    return none();
  case Constant::Kind::Bool:
    return boolean(constant.boolean);
  case Constant::Kind::Int:
    return integer(constant.integer);
  case Constant::Kind::Float:
    return number(constant.number);
  case Constant::Kind::Str:
    return str(constant.text);
  case Constant::Kind::Type:
    return type(constant.type);
  case Constant::Kind::Module:
    return module(constant.text);
  case Constant::Kind::Tuple: {
    std::vector<Value> elements;
    for (const Constant &element : constant.elements)
      elements.push_back(fromConstant(element));
    return tuple(std::move(elements));
  }
  case Constant::Kind::Function:
    break;
  }
  return error();
}

double Value::toDouble() const {
  return isFloat() ? real : isBool() ? double(flag) : bigint.toDouble();
}
llvm::StringRef Value::strValue() const { return payload<StrPayload>().text; }
ArrayRef<Value> Value::elements() const {
  return payload<TuplePayload>().elements;
}

bool Value::isRuntime() const {
  switch (theKind) {
  case Kind::Tensor:
  case Kind::BlockPointer:
  case Kind::Descriptor:
    return true;
  case Kind::Tuple:
    return llvm::any_of(elements(),
                        [](const Value &e) { return e.isRuntime(); });
  default:
    return false;
  }
}

ArrayRef<int64_t> Value::shape() const {
  if (isTensor())
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(theValue.getType()))
      return type.getShape();
  if (isType() && heap)
    return payload<TypePayload>().shape;
  if (is(Kind::BlockPointer))
    return payload<BlockPointerPayload>().block;
  return {};
}

const Value *DictPayload::find(llvm::StringRef key) const {
  for (const auto &entry : entries)
    if (entry.first == key)
      return &entry.second;
  return nullptr;
}

void Value::flatten(llvm::SmallVectorImpl<mlir::Value> &out) const {
  switch (theKind) {
  case Kind::Tensor:
  case Kind::Descriptor:
    out.push_back(theValue);
    return;
  case Kind::Tuple:
    for (const Value &element : elements())
      element.flatten(out);
    return;
  case Kind::BlockPointer: {
    const auto &pointer = payload<BlockPointerPayload>();
    pointer.base.flatten(out);
    for (const auto *list :
         {&pointer.shape, &pointer.strides, &pointer.offsets})
      for (const Value &value : *list)
        value.flatten(out);
    return;
  }
  default:
    return;
  }
}

static std::vector<Value> rebuildAll(ArrayRef<Value> list,
                                     ArrayRef<mlir::Value> &values) {
  std::vector<Value> result;
  for (const Value &value : list)
    result.push_back(value.rebuild(values));
  return result;
}

Value Value::rebuild(ArrayRef<mlir::Value> &values) const {
  switch (theKind) {
  case Kind::Tensor:
  case Kind::Descriptor: {
    Value result = *this;
    bool isOther = result.theValue != values.front();
    result.theValue = values.front();
    values = values.drop_front();
    if (is(Kind::Descriptor) && isOther) {
      // Which tensor it describes now is known at run time only.
      auto descriptor =
          std::make_shared<DescriptorPayload>(payload<DescriptorPayload>());
      descriptor->shape.clear();
      descriptor->strides.clear();
      result.heap = std::move(descriptor);
    }
    return result;
  }
  case Kind::Tuple:
    return withElements(rebuildAll(elements(), values));
  case Kind::BlockPointer: {
    auto pointer =
        std::make_shared<BlockPointerPayload>(payload<BlockPointerPayload>());
    pointer->base = pointer->base.rebuild(values);
    pointer->shape = rebuildAll(pointer->shape, values);
    pointer->strides = rebuildAll(pointer->strides, values);
    pointer->offsets = rebuildAll(pointer->offsets, values);
    return withPayload(theKind, std::move(pointer));
  }
  default:
    return *this;
  }
}

static bool haveSameNames(const Value &a, const Value &b) {
  const RecordLayout *left = a.recordLayout(), *right = b.recordLayout();
  return left == right || (left && left->matches(right));
}

bool Value::compatible(const Value &a, const Value &b) {
  if (a.theKind != b.theKind)
    return false;
  switch (a.theKind) {
  case Kind::Tensor:
    return a.theType == b.theType &&
           a.theValue.getType() == b.theValue.getType();
  case Kind::Descriptor:
    return a.theType == b.theType &&
           a.theValue.getType() == b.theValue.getType();
  case Kind::BlockPointer:
    return a.payload<BlockPointerPayload>().block ==
               b.payload<BlockPointerPayload>().block &&
           compatible(a.payload<BlockPointerPayload>().base,
                      b.payload<BlockPointerPayload>().base);
  case Kind::Tuple: {
    ArrayRef<Value> left = a.elements(), right = b.elements();
    if (left.size() != right.size() || !haveSameNames(a, b))
      return false;
    for (size_t i = 0; i < left.size(); ++i)
      if (!compatible(left[i], right[i]))
        return false;
    return true;
  }
  default:
    return same(a, b);
  }
}

bool Value::same(const Value &a, const Value &b) {
  if (a.theKind != b.theKind)
    return false;
  switch (a.theKind) {
  case Kind::Error:
  case Kind::None:
  case Kind::Ellipsis:
    return true;
  case Kind::Bool:
    return a.flag == b.flag;
  case Kind::Int:
    return a.bigint == b.bigint;
  case Kind::Float:
    return a.real == b.real ? std::signbit(a.real) == std::signbit(b.real)
                            : a.real != a.real && b.real != b.real;
  case Kind::Str:
    return a.strValue() == b.strValue();
  case Kind::Builtin:
    return a.theBuiltin == b.theBuiltin;
  case Kind::Module:
    return a.payload<ModulePayload>().path == b.payload<ModulePayload>().path;
  case Kind::Function:
    return a.payload<FunctionPayload>().node ==
           b.payload<FunctionPayload>().node;
  case Kind::Class:
    return a.heap == b.heap ||
           (a.payload<ClassPayload>().def &&
            a.payload<ClassPayload>().def == b.payload<ClassPayload>().def);
  case Kind::Type:
    return a.theType == b.theType && a.shape() == b.shape();
  case Kind::Tensor:
  case Kind::Descriptor:
    return a.theValue == b.theValue && a.theType == b.theType;
  case Kind::Tuple: {
    ArrayRef<Value> left = a.elements(), right = b.elements();
    return left.size() == right.size() && haveSameNames(a, b) &&
           std::equal(left.begin(), left.end(), right.begin(), Value::same);
  }
  case Kind::BlockPointer: {
    llvm::SmallVector<mlir::Value> left, right;
    a.flatten(left);
    b.flatten(right);
    return compatible(a, b) && left == right;
  }
  default:
    return a.heap == b.heap;
  }
}
