//===- ValuePrinter.cpp - Values as text ------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's str() and repr() of compile-time values, and the descriptions that
// error messages use.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Builtins.h"
#include "frontend/sema/value/Value.h"
#include "frontend/syntax/ASTDump.h"

using namespace tilewright;
using namespace tilewright::sema;

static std::string floatRepr(double value) {
  if (value != value)
    return "nan";
  ast::ConstantValue constant;
  constant.kind = ast::ConstantKind::Float;
  constant.number = value;
  std::string text = syntax::reprOf(constant);
  // A literal has no spelling for infinity; repr() does.
  if (value == HUGE_VAL)
    return "inf";
  return value == -HUGE_VAL ? "-inf" : text;
}

std::string Value::pythonRepr() const {
  if (isStr()) {
    ast::ConstantValue constant;
    constant.kind = ast::ConstantKind::Str;
    constant.text = {strValue().data(), strValue().size()};
    return syntax::reprOf(constant);
  }
  return pythonStr();
}

std::string Value::pythonStr() const {
  switch (theKind) {
  case Kind::None:
    return "None";
  case Kind::Ellipsis:
    return "Ellipsis";
  case Kind::Bool:
    return flag ? "True" : "False";
  case Kind::Int:
    return bigint.str();
  case Kind::Float:
    return floatRepr(real);
  case Kind::Str:
    return strValue().str();
  case Kind::Type: {
    if (shape().empty())
      return theType.name();
    std::string text = "<[";
    for (size_t i = 0; i < shape().size(); ++i)
      text += (i ? ", " : "") + std::to_string(shape()[i]);
    return text + "], " + theType.name() + ">";
  }
  case Kind::Tuple: {
    std::string text;
    const RecordLayout *layout = recordLayout();
    for (size_t i = 0; i < elements().size(); ++i)
      text += (i ? ", " : "") + (layout ? layout->fields[i] + "=" : "") +
              elements()[i].pythonRepr();
    if (layout)
      return layout->name + "(" + text + ")";
    if (flag)
      return "[" + text + "]";
    return "(" + text + (elements().size() == 1 ? ",)" : ")");
  }
  default:
    return describe();
  }
}

std::string Value::describe() const {
  switch (theKind) {
  case Kind::Error:
    return "an erroneous value";
  case Kind::None:
    return "None";
  case Kind::Ellipsis:
    return "...";
  case Kind::Bool:
    return "bool " + pythonStr();
  case Kind::Int:
    return "int " + pythonStr();
  case Kind::Float:
    return "float " + pythonStr();
  case Kind::Str:
    return "str " + pythonRepr();
  case Kind::Tuple: {
    std::string text;
    const RecordLayout *layout = recordLayout();
    for (size_t i = 0; i < elements().size(); ++i)
      text += (i ? ", " : "") + (layout ? layout->fields[i] + "=" : "") +
              elements()[i].describe();
    if (layout)
      return layout->name + "(" + text + ")";
    return std::string(flag ? "list [" : "tuple (") + text + (flag ? "]" : ")");
  }
  case Kind::Dict:
    return "a dictionary";
  case Kind::Type:
    return "type " + describeType(theType, shape());
  case Kind::Function:
    return "function '" + payload<FunctionPayload>().name + "'";
  case Kind::Builtin:
    return "function '" + theBuiltin->name.str() + "'";
  case Kind::Module:
    return "module '" + payload<ModulePayload>().path + "'";
  case Kind::Class:
    return "class '" + payload<ClassPayload>().name + "'";
  case Kind::Method: {
    const auto &method = payload<MethodPayload>();
    return "method '" +
           (method.method ? method.method->name.str()
                          : method.function.payload<FunctionPayload>().name) +
           "'";
  }
  case Kind::Slice:
    return "a slice";
  case Kind::Range:
    return "a range";
  case Kind::Tensor:
    return describeType(theType, shape());
  case Kind::BlockPointer:
    return "block pointer to " +
           describeType(payload<BlockPointerPayload>().base.dtype().pointee(),
                        shape());
  case Kind::Descriptor:
    return "tensor descriptor of " +
           describeType(theType, payload<DescriptorPayload>().block);
  }
  return "a value";
}
