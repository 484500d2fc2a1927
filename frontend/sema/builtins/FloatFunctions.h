//===- FloatFunctions.h - Functions of floats -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates for built-ins that are one operation of the math dialect.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_SEMA_BUILTINS_FLOATFUNCTIONS_H
#define TILEWRIGHT_FRONTEND_SEMA_BUILTINS_FLOATFUNCTIONS_H

#include "frontend/sema/Interpreter.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace tilewright::sema {

/// Rule L1: an fp32 or fp64 value (a number becomes fp32), or an error.
inline Value floatOperand(Interpreter &in, const CallArgs &args,
                          llvm::StringRef name) {
  const Value &given = args[name];
  Value value = given.isNumber() ? in.emitter.toTensor(given) : given;
  if (value.isTensor() &&
      (value.dtype().is(Scalar::FP32) || value.dtype().is(Scalar::FP64)))
    return value;
  if (given.isInt() || given.isBool())
    return in.emitter.constant(given, Scalar::FP32);
  return in.argumentError(
      args, name, 2230,
      "expected fp32 or fp64 for '" + in.nameOf(*args.builtin) + "', got " +
          given.describe(),
      given.isTensor() ? "convert with .to(tl.float32)" : "");
}

/// One operand, result of its type.
template <typename Op> Value emitUnaryFloat(Interpreter &in, CallArgs &args) {
  Value value = floatOperand(in, args, args.builtin->parameters[0].name);
  if (value.isError())
    return value;
  return Value::tensor(Op::create(in.builder(), value.ssa()), value.dtype());
}

/// One operand, an i1 result.
template <typename Op> Value emitFloatTest(Interpreter &in, CallArgs &args) {
  Value value = floatOperand(in, args, args.builtin->parameters[0].name);
  if (value.isError())
    return value;
  return Value::tensor(Op::create(in.builder(),
                                  in.emitter.typeFor(Scalar::I1, value.shape()),
                                  value.ssa()),
                       Scalar::I1);
}

/// Two operands of one type after promotion.
template <typename Op> Value emitBinaryFloat(Interpreter &in, CallArgs &args) {
  Value left = args[args.builtin->parameters[0].name];
  Value right = args[args.builtin->parameters[1].name];
  if (!in.emitter.promote(left, right, {}))
    return Value::error();
  if (!left.dtype().is(Scalar::FP32) && !left.dtype().is(Scalar::FP64))
    return in.error(2230,
                    "expected fp32 or fp64 for '" + in.nameOf(*args.builtin) +
                        "', got " + left.describe(),
                    "convert with .to(tl.float32)");
  return Value::tensor(Op::create(in.builder(), left.ssa(), right.ssa()),
                       left.dtype());
}

} // namespace tilewright::sema

#endif // TILEWRIGHT_FRONTEND_SEMA_BUILTINS_FLOATFUNCTIONS_H
