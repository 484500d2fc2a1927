//===- Functions.cpp - Functions that the target computes -------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element at a time, or many where the target has a short way for the
// values that are usual.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

/// The number of a function that a target may compute itself.
static std::optional<math::MathFunction> functionOf(Operation *op) {
  using F = math::MathFunction;
  using Answer = std::optional<F>;
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case([](mlir::math::ExpOp) { return Answer(F::Exp); })
      .Case([](mlir::math::Exp2Op) { return Answer(F::Exp2); })
      .Case([](mlir::math::ExpM1Op) { return Answer(F::Expm1); })
      .Case([](mlir::math::LogOp) { return Answer(F::Log); })
      .Case([](mlir::math::Log2Op) { return Answer(F::Log2); })
      .Case([](mlir::math::Log10Op) { return Answer(F::Log10); })
      .Case([](mlir::math::Log1pOp) { return Answer(F::Log1p); })
      .Case([](mlir::math::SinOp) { return Answer(F::Sin); })
      .Case([](mlir::math::CosOp) { return Answer(F::Cos); })
      .Case([](mlir::math::TanOp) { return Answer(F::Tan); })
      .Case([](mlir::math::AsinOp) { return Answer(F::Asin); })
      .Case([](mlir::math::AcosOp) { return Answer(F::Acos); })
      .Case([](mlir::math::AtanOp) { return Answer(F::Atan); })
      .Case([](mlir::math::Atan2Op) { return Answer(F::Atan2); })
      .Case([](mlir::math::SinhOp) { return Answer(F::Sinh); })
      .Case([](mlir::math::CoshOp) { return Answer(F::Cosh); })
      .Case([](mlir::math::TanhOp) { return Answer(F::Tanh); })
      .Case([](mlir::math::AsinhOp) { return Answer(F::Asinh); })
      .Case([](mlir::math::AcoshOp) { return Answer(F::Acosh); })
      .Case([](mlir::math::AtanhOp) { return Answer(F::Atanh); })
      .Case([](mlir::math::PowFOp) { return Answer(F::Pow); })
      .Case([](mlir::math::ErfOp) { return Answer(F::Erf); })
      .Case([](mlir::math::ErfcOp) { return Answer(F::Erfc); })
      .Case([](mlir::math::CbrtOp) { return Answer(F::Cbrt); })
      .Case([](mlir::math::RsqrtOp) { return Answer(F::Rsqrt); })
      .Case([](arith::RemFOp) { return Answer(F::Fmod); })
      .Default([](Operation *) { return Answer(); });
}

/// What the expansions left to the target.
Value *emitFunction(Emitter &e, Operation *op, llvm::ArrayRef<Value *> x) {
  std::optional<math::MathFunction> function = functionOf(op);
  if (!function)
    return nullptr;
  if (Value *value = e.hooks.function(e.b, *function, x))
    return value;
  if (*function == math::MathFunction::Rsqrt)
    return e.hooks.divide(e.b, llvm::ConstantFP::get(x[0]->getType(), 1.0),
                          e.hooks.squareRoot(e.b, x[0]));
  return nullptr;
}

/// The short way is taken by warps of which no lane needs the other one.
bool emitFunctions(Emitter &e, Operation *op, unsigned count,
                   Registers &results) {
  // As for quotients; below, the question costs what it saves.
  constexpr unsigned fewest = 8, most = 32;
  std::optional<math::MathFunction> function = functionOf(op);
  if (!function || op->getNumOperands() != 1 || count < fewest || count > most)
    return false;
  const Registers operands = e.registers(op->getOperand(0));
  if (operands.size() != count || llvm::all_equal(operands))
    return false;
  std::optional<UsualValues> usual =
      e.hooks.usualValues(e.b, *function, operands);
  if (!usual)
    return false;
  results = e.emitIf(usual->isUnusual, usual->values, [&] {
    Registers values;
    for (Value *operand : operands)
      values.push_back(emitFunction(e, op, {operand}));
    return values;
  });
  return true;
}

} // namespace tilewright::simt
