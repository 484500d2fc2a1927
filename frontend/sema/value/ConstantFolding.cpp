//===- ConstantFolding.cpp - Python's operators -----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers without bound, floats as double, tuples and text.
//===----------------------------------------------------------------------===//

#include "frontend/sema/value/ConstantFolding.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;
using ast::UnaryOperator;

const char *sema::spelling(BinaryOperator op) {
  static const char *const names[] = {"+",  "-",  "*", "@", "/", "%", "**",
                                      "<<", ">>", "|", "^", "&", "//"};
  return names[static_cast<size_t>(op)];
}
const char *sema::spelling(CompareOperator op) {
  static const char *const names[] = {"==", "!=", "<",      "<=", ">",
                                      ">=", "is", "is not", "in", "not in"};
  return names[static_cast<size_t>(op)];
}

static Value mismatch(Reporter &reporter, const char *op, const Value &left,
                      const Value &right) {
  return reporter.error(2140, std::string("expected operands that '") + op +
                                  "' takes, got " + left.describe() + " and " +
                                  right.describe());
}

/// Exponentiation by squaring with a bound on the result's size.
static Value power(Reporter &reporter, const BigInt &base,
                   const BigInt &exponent) {
  if (exponent.isNegative())
    return Value::number(std::pow(base.toDouble(), exponent.toDouble()));
  std::optional<int64_t> count = exponent.asInt64();
  bool isTrivial = base.compare(1) <= 0 && base.compare(-1) >= 0;
  if (!isTrivial && (!count || *count > BigInt::MaxBits ||
                     *count * base.signedBits() > BigInt::MaxBits))
    return reporter.error(2141, "expected a power of at most 65536 bits");
  BigInt result(1), factor = base;
  int64_t left = isTrivial ? (exponent & BigInt(1)).isZero() ? 2 : 1 : *count;
  if (exponent.isZero())
    left = 0;
  for (; left; left >>= 1) {
    if (left & 1)
      result = result * factor;
    if (left > 1)
      factor = factor * factor;
  }
  return Value::integer(result);
}

static Value foldIntegers(Reporter &reporter, BinaryOperator op,
                          const BigInt &a, const BigInt &b) {
  bool divides = op == BinaryOperator::Div || op == BinaryOperator::FloorDiv ||
                 op == BinaryOperator::Mod;
  if (divides && b.isZero())
    return reporter.error(2142, "expected a divisor other than 0");
  bool shifts = op == BinaryOperator::LShift || op == BinaryOperator::RShift;
  if (shifts && b.isNegative())
    return reporter.error(2143,
                          "expected a shift of 0 or more, got " + b.str());
  int64_t amount = shifts ? b.asInt64().value_or(BigInt::MaxBits + 1) : 0;
  if (op == BinaryOperator::LShift && !a.isZero() &&
      amount + a.signedBits() > BigInt::MaxBits)
    return reporter.error(2141, "expected a shift to at most 65536 bits");
  switch (op) {
  case BinaryOperator::Add:
    return Value::integer(a + b);
  case BinaryOperator::Sub:
    return Value::integer(a - b);
  case BinaryOperator::Mult:
    if (a.signedBits() + b.signedBits() > BigInt::MaxBits)
      return reporter.error(2141, "expected a product of at most 65536 bits");
    return Value::integer(a * b);
  case BinaryOperator::Div:
    return Value::number(a.trueDivide(b));
  case BinaryOperator::FloorDiv:
    return Value::integer(a.floorDiv(b));
  case BinaryOperator::Mod:
    return Value::integer(a.floorMod(b));
  case BinaryOperator::Pow:
    return power(reporter, a, b);
  case BinaryOperator::LShift:
    return Value::integer(a.isZero() ? a : a.shiftLeft(amount));
  case BinaryOperator::RShift:
    return Value::integer(
        a.shiftRight(std::min<int64_t>(amount, BigInt::MaxBits)));
  case BinaryOperator::BitOr:
    return Value::integer(a | b);
  case BinaryOperator::BitXor:
    return Value::integer(a ^ b);
  case BinaryOperator::BitAnd:
    return Value::integer(a & b);
  case BinaryOperator::MatMult:
    break;
  }
  return Value::error();
}

static double floorMod(double a, double b) {
  double result = std::fmod(a, b);
  if (result != 0 && (result < 0) != (b < 0))
    result += b;
  return result;
}

static Value foldFloats(Reporter &reporter, BinaryOperator op,
                        const Value &left, const Value &right) {
  double a = left.toDouble(), b = right.toDouble();
  bool divides = op == BinaryOperator::Div || op == BinaryOperator::FloorDiv ||
                 op == BinaryOperator::Mod;
  if (divides && b == 0)
    return reporter.error(2142, "expected a divisor other than 0");
  switch (op) {
  case BinaryOperator::Add:
    return Value::number(a + b);
  case BinaryOperator::Sub:
    return Value::number(a - b);
  case BinaryOperator::Mult:
    return Value::number(a * b);
  case BinaryOperator::Div:
    return Value::number(a / b);
  case BinaryOperator::FloorDiv:
    return Value::number(std::floor(a / b));
  case BinaryOperator::Mod:
    return Value::number(floorMod(a, b));
  case BinaryOperator::Pow:
    return Value::number(std::pow(a, b));
  default:
    return mismatch(reporter, spelling(op), left, right);
  }
}

Value sema::foldBinary(Reporter &reporter, BinaryOperator op, const Value &left,
                       const Value &right) {
  if (op == BinaryOperator::MatMult)
    return reporter.error(2045, "the operator '@' is not part of the language",
                          "use tl.dot");
  if (left.isNumber() && right.isNumber()) {
    bool isLogic = op == BinaryOperator::BitAnd ||
                   op == BinaryOperator::BitOr || op == BinaryOperator::BitXor;
    if (left.isBool() && right.isBool() && isLogic) {
      bool a = left.boolValue(), b = right.boolValue();
      return Value::boolean(op == BinaryOperator::BitAnd  ? a && b
                            : op == BinaryOperator::BitOr ? a || b
                                                          : a != b);
    }
    if (left.isFloat() || right.isFloat())
      return foldFloats(reporter, op, left, right);
    return foldIntegers(reporter, op, left.intValue(), right.intValue());
  }
  if (op == BinaryOperator::Add && left.isStr() && right.isStr())
    return Value::str((left.strValue() + right.strValue()).str());
  if (op == BinaryOperator::Add && left.isTuple() && right.isTuple()) {
    std::vector<Value> elements = left.elements().vec();
    elements.insert(elements.end(), right.elements().begin(),
                    right.elements().end());
    return Value::tuple(std::move(elements), left.isList());
  }
  if (op == BinaryOperator::Mult && (left.isInt() || right.isInt())) {
    const Value &sequence = left.isInt() ? right : left;
    std::optional<int64_t> count =
        (left.isInt() ? left : right).intValue().asInt64();
    if (count && *count <= 4096 && sequence.isTuple()) {
      std::vector<Value> elements;
      for (int64_t i = 0; i < *count; ++i)
        elements.insert(elements.end(), sequence.elements().begin(),
                        sequence.elements().end());
      return Value::tuple(std::move(elements), sequence.isList());
    }
    if (count && *count <= 4096 && sequence.isStr()) {
      std::string text;
      for (int64_t i = 0; i < *count; ++i)
        text += sequence.strValue();
      return Value::str(std::move(text));
    }
  }
  return mismatch(reporter, spelling(op), left, right);
}

bool sema::constantsEqual(const Value &left, const Value &right) {
  if (left.isNumber() && right.isNumber()) {
    if (left.isFloat() || right.isFloat())
      return left.toDouble() == right.toDouble();
    return left.intValue() == right.intValue();
  }
  if (left.isTuple() && right.isTuple()) {
    if (left.elements().size() != right.elements().size())
      return false;
    for (size_t i = 0; i < left.elements().size(); ++i)
      if (!constantsEqual(left.elements()[i], right.elements()[i]))
        return false;
    return true;
  }
  return Value::same(left, right);
}

/// Python's `is` for values of which there is one.
static bool identical(const Value &left, const Value &right) {
  return left.kind() == right.kind() && constantsEqual(left, right);
}

static std::optional<bool> contains(const Value &item, const Value &sequence) {
  if (sequence.isTuple())
    return llvm::any_of(sequence.elements(), [&](const Value &element) {
      return constantsEqual(item, element);
    });
  if (sequence.isStr() && item.isStr())
    return sequence.strValue().contains(item.strValue());
  if (sequence.is(Value::Kind::Dict) && item.isStr())
    return sequence.payload<DictPayload>().find(item.strValue()) != nullptr;
  return std::nullopt;
}

static bool isNaN(const Value &value) {
  return value.isFloat() && value.floatValue() != value.floatValue();
}

/// Negative, 0 or positive as `left` comes before `right`; nullopt for values
/// without an order. Sequences are ordered by their first difference.
static std::optional<int> orderOf(const Value &left, const Value &right) {
  if (left.isNumber() && right.isNumber()) {
    if (!left.isFloat() && !right.isFloat())
      return left.intValue().compare(right.intValue());
    double a = left.toDouble(), b = right.toDouble();
    return a < b ? -1 : a > b;
  }
  if (left.isStr() && right.isStr())
    return left.strValue().compare(right.strValue());
  if (!left.isTuple() || !right.isTuple())
    return std::nullopt;
  llvm::ArrayRef<Value> a = left.elements(), b = right.elements();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    std::optional<int> order = orderOf(a[i], b[i]);
    if (!order || *order != 0)
      return order;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size();
}

Value sema::foldCompare(Reporter &reporter, CompareOperator op,
                        const Value &left, const Value &right) {
  switch (op) {
  case CompareOperator::Is:
    return Value::boolean(identical(left, right));
  case CompareOperator::IsNot:
    return Value::boolean(!identical(left, right));
  case CompareOperator::Eq:
    return Value::boolean(constantsEqual(left, right));
  case CompareOperator::NotEq:
    return Value::boolean(!constantsEqual(left, right));
  case CompareOperator::In:
  case CompareOperator::NotIn: {
    std::optional<bool> found = contains(left, right);
    if (!found)
      return mismatch(reporter, spelling(op), left, right);
    return Value::boolean(*found == (op == CompareOperator::In));
  }
  default:
    break;
  }
  if (isNaN(left) || isNaN(right))
    return Value::boolean(false);
  std::optional<int> found = orderOf(left, right);
  if (!found)
    return mismatch(reporter, spelling(op), left, right);
  int order = *found;
  switch (op) {
  case CompareOperator::Lt:
    return Value::boolean(order < 0);
  case CompareOperator::LtE:
    return Value::boolean(order <= 0);
  case CompareOperator::Gt:
    return Value::boolean(order > 0);
  default:
    return Value::boolean(order >= 0);
  }
}

Value sema::foldUnary(Reporter &reporter, UnaryOperator op,
                      const Value &operand) {
  if (operand.isNumber()) {
    switch (op) {
    case UnaryOperator::UAdd:
      return operand.isBool() ? Value::integer(operand.intValue()) : operand;
    case UnaryOperator::USub:
      return operand.isFloat() ? Value::number(-operand.floatValue())
                               : Value::integer(-operand.intValue());
    case UnaryOperator::Invert:
      if (!operand.isFloat())
        return Value::integer(~operand.intValue());
      break;
    case UnaryOperator::Not:
      break;
    }
  }
  return reporter.error(2144, "expected a number, got " + operand.describe());
}
