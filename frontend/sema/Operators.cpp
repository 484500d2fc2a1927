//===- Operators.cpp - Compile time or run time -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether an operator is computed now, by Python's rules, or emitted,
// by the language's run-time rules.
//===----------------------------------------------------------------------===//

#include "frontend/sema/Interpreter.h"
#include "frontend/sema/value/ConstantFolding.h"
#include "mlir/IR/Matchers.h"

using namespace tilewright;
using namespace tilewright::sema;

std::optional<bool> Interpreter::truth(const Value &value) {
  switch (value.kind()) {
  case Value::Kind::None:
    return false;
  case Value::Kind::Bool:
    return value.boolValue();
  case Value::Kind::Int:
    return !value.intValue().isZero();
  case Value::Kind::Float:
    return value.floatValue() != 0;
  case Value::Kind::Str:
    return !value.strValue().empty();
  case Value::Kind::Tuple:
    return !value.elements().empty();
  case Value::Kind::Dict:
    return !value.payload<DictPayload>().entries.empty();
  case Value::Kind::Function:
  case Value::Kind::Builtin:
  case Value::Kind::Module:
  case Value::Kind::Class:
  case Value::Kind::Method:
  case Value::Kind::Type:
  case Value::Kind::Descriptor:
  case Value::Kind::BlockPointer:
    return true;
  default:
    return std::nullopt;
  }
}

Value Interpreter::decay(const Value &value) {
  if (value.isNumber())
    return emitter.toTensor(value);
  if (!value.isTuple())
    return value;
  std::vector<Value> elements;
  const RecordLayout *layout = value.recordLayout();
  for (size_t i = 0; i < value.elements().size(); ++i) {
    const Value &element = value.elements()[i];
    bool staysConstant = layout && layout->areConstexpr[i];
    elements.push_back(staysConstant ? element : decay(element));
    if (elements.back().isError())
      return Value::error();
  }
  return value.withElements(std::move(elements));
}

/// The integer or bool that a run-time scalar surely has, as a typed number;
/// other values as they are.
static Value known(const Value &value) {
  llvm::APInt bits;
  if (!value.isScalar() || !value.dtype().isInt() ||
      !mlir::matchPattern(value.ssa(), mlir::m_ConstantInt(&bits)))
    return value;
  if (value.dtype().isBool())
    return Value::typed(Value::boolean(!bits.isZero()), value.dtype());
  bits = value.dtype().isSigned() ? bits : bits.zext(bits.getBitWidth() + 1);
  return Value::typed(Value::integer(BigInt::fromSigned(bits)), value.dtype());
}

Value Interpreter::binary(ast::BinaryOperator op, const Value &left,
                          const Value &right) {
  if (left.isError() || right.isError())
    return Value::error();
  bool joins =
      op == ast::BinaryOperator::Add && left.isTuple() && right.isTuple();
  bool areTyped = (left.isTyped() && right.isNumber()) ||
                  (left.isNumber() && right.isTyped());
  if (areTyped)
    return known(emitter.binary(op, left, right));
  if (joins || (!left.isTensor() && !right.isTensor()))
    return foldBinary(theReporter, op, left, right);
  return emitter.binary(op, left, right);
}

Value Interpreter::compare(ast::CompareOperator op, const Value &left,
                           const Value &right) {
  if (left.isError() || right.isError())
    return Value::error();
  bool isIdentity =
      op == ast::CompareOperator::Is || op == ast::CompareOperator::IsNot;
  bool isEquality =
      op == ast::CompareOperator::Eq || op == ast::CompareOperator::NotEq;
  // A run-time value is never None, text or a type.
  auto isNumeric = [](const Value &v) { return v.isTensor() || v.isNumber(); };
  bool isContainment =
      op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn;
  bool areTyped = (left.isTyped() && right.isNumber()) ||
                  (left.isNumber() && right.isTyped());
  if (areTyped && !isIdentity && !isContainment)
    return known(emitter.compare(op, left, right));
  if (isIdentity || (isEquality && !(isNumeric(left) && isNumeric(right))) ||
      (!left.isTensor() && !right.isTensor()))
    return foldCompare(theReporter, op, left, right);
  return emitter.compare(op, left, right);
}

Value Interpreter::unary(ast::UnaryOperator op, const Value &operand) {
  if (operand.isError())
    return operand;
  if (op == ast::UnaryOperator::Not) {
    if (std::optional<bool> isTrue = truth(operand)) {
      Value result = Value::boolean(!*isTrue);
      return operand.isTyped() ? Value::typed(result, Scalar::I1) : result;
    }
    return emitter.logicalNot(operand);
  }
  if (!operand.isTensor() && !operand.isTyped())
    return foldUnary(theReporter, op, operand);
  switch (op) {
  case ast::UnaryOperator::Invert:
    return known(emitter.invert(operand));
  case ast::UnaryOperator::USub:
    return known(emitter.negate(operand));
  default:
    return operand;
  }
}
