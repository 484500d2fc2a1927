//===- MathExpansion.cpp - From math operations to formulas ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each math operation whether it is expanded, in which type it is
// computed, and calls its formula.
//
//===----------------------------------------------------------------------===//

#include "backends/math/MathExpansion.h"
#include "backends/math/double/Formulas.h"
#include "backends/math/exact/ExactOperations.h"
#include "backends/math/single/Formulas.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::math {

/// The function behind an operation, if it is one of the list.
static std::optional<MathFunction> functionOf(Operation *op) {
  using F = MathFunction;
  using Result = std::optional<MathFunction>;
  namespace m = ::mlir::math;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](m::ExpOp) { return F::Exp; })
      .Case([](m::Exp2Op) { return F::Exp2; })
      .Case([](m::ExpM1Op) { return F::Expm1; })
      .Case([](m::LogOp) { return F::Log; })
      .Case([](m::Log2Op) { return F::Log2; })
      .Case([](m::Log10Op) { return F::Log10; })
      .Case([](m::Log1pOp) { return F::Log1p; })
      .Case([](m::SinOp) { return F::Sin; })
      .Case([](m::CosOp) { return F::Cos; })
      .Case([](m::TanOp) { return F::Tan; })
      .Case([](m::AsinOp) { return F::Asin; })
      .Case([](m::AcosOp) { return F::Acos; })
      .Case([](m::AtanOp) { return F::Atan; })
      .Case([](m::Atan2Op) { return F::Atan2; })
      .Case([](m::SinhOp) { return F::Sinh; })
      .Case([](m::CoshOp) { return F::Cosh; })
      .Case([](m::TanhOp) { return F::Tanh; })
      .Case([](m::AsinhOp) { return F::Asinh; })
      .Case([](m::AcoshOp) { return F::Acosh; })
      .Case([](m::AtanhOp) { return F::Atanh; })
      .Case([](m::PowFOp) { return F::Pow; })
      .Case([](m::ErfOp) { return F::Erf; })
      .Case([](m::ErfcOp) { return F::Erfc; })
      .Case([](m::CbrtOp) { return F::Cbrt; })
      .Case([](m::RsqrtOp) { return F::Rsqrt; })
      .Case([](arith::RemFOp) { return F::Fmod; })
      .Default([](Operation *) { return Result(); });
}

/// `fmodSingle` needs 28 bits of exponent difference for each step.
static unsigned fmodSteps(FloatType type) { return type.isF16() ? 2 : 10; }

using UnaryFormula = Expression (*)(Expression);

namespace {
/// The formulas of one function of one operand, on f32 and f64.
struct UnaryRow {
  MathFunction function;
  UnaryFormula single, twice;
};
} // namespace

static constexpr UnaryRow unaryRows[] = {
    {MathFunction::Exp, expSingle, f64::exp},
    {MathFunction::Exp2, exp2Single, f64::exp2},
    {MathFunction::Exp10, exp10Single, f64::exp10},
    {MathFunction::Expm1, expm1Single, f64::expm1},
    {MathFunction::Log, logSingle, f64::log},
    {MathFunction::Log2, log2Single, f64::log2},
    {MathFunction::Log10, log10Single, f64::log10},
    {MathFunction::Log1p, log1pSingle, f64::log1p},
    {MathFunction::Sin, sinSingle, f64::sin},
    {MathFunction::Cos, cosSingle, f64::cos},
    {MathFunction::Tan, tanSingle, f64::tan},
    {MathFunction::Asin, asinSingle, f64::asin},
    {MathFunction::Acos, acosSingle, f64::acos},
    {MathFunction::Atan, atanSingle, f64::atan},
    {MathFunction::Sinh, sinhSingle, f64::sinh},
    {MathFunction::Cosh, coshSingle, f64::cosh},
    {MathFunction::Tanh, tanhSingle, f64::tanh},
    {MathFunction::Asinh, asinhSingle, f64::asinh},
    {MathFunction::Acosh, acoshSingle, f64::acosh},
    {MathFunction::Atanh, atanhSingle, f64::atanh},
    {MathFunction::Erf, erfSingle, f64::erf},
    {MathFunction::Erfc, erfcSingle, f64::erfc},
    {MathFunction::Cbrt, cbrtSingle, f64::cbrt},
    {MathFunction::Rsqrt, rsqrtSingle, f64::rsqrt},
};

/// Null for functions of two operands.
static UnaryFormula unaryFormula(MathFunction function, bool isDouble) {
  for (const UnaryRow &row : unaryRows)
    if (row.function == function)
      return isDouble ? row.twice : row.single;
  return nullptr;
}

/// Portable results on f64 are those of the formulas everywhere.
static bool isLoweredByTarget(const MathExpansionOptions &options) {
  return options.lowerFloat64 && options.mode != MathMode::Portable;
}

static FormulaOptions formulaOptions(MLIRContext *context,
                                     const MathExpansionOptions &options) {
  FormulaOptions result;
  result.hasFma = options.hasFma;
  result.hasRounding = options.hasRounding;
  result.hasBranches = options.hasBranches;
  result.isFast = options.mode == MathMode::Fast;
  result.hasExp2 =
      options.mode != MathMode::Portable && options.isNative &&
      options.isNative(MathFunction::Exp2, Float32Type::get(context));
  return result;
}

/// A function on f64; null when it has no formula.
static Value expandDouble(OpBuilder &builder, Location loc,
                          MathFunction function, ValueRange operands,
                          const FormulaOptions &options) {
  Emitter e(builder, loc, operands[0].getType(), options);
  if (UnaryFormula unary = unaryFormula(function, /*isDouble=*/true))
    return unary(e.wrap(operands[0])).value;
  auto binary = [&](Expression (*formula)(Expression, Expression)) {
    return formula(e.wrap(operands[0]), e.wrap(operands[1])).value;
  };
  switch (function) {
  case MathFunction::Atan2:
    return binary(f64::atan2);
  case MathFunction::Pow:
    return binary(f64::pow);
  case MathFunction::Fmod:
    return binary(f64::fmod);
  default:
    return {};
  }
}

Value expandMathFunction(OpBuilder &builder, Location loc,
                         MathFunction function, ValueRange operands,
                         const MathExpansionOptions &options) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(operands[0].getType()));
  FormulaOptions formula = formulaOptions(builder.getContext(), options);
  if (type && type.isF64())
    return isLoweredByTarget(options)
               ? options.lowerFloat64(builder, loc, function, operands)
               : expandDouble(builder, loc, function, operands, formula);
  if (!type || !isExpandedFloat(type))
    return {};
  // No f16 is large enough to need the long reduction.
  formula.isFast |= type.isF16();
  Emitter e(builder, loc, operands[0].getType(), formula);
  auto operand = [&](unsigned i) { return e.toSingle(e.wrap(operands[i])); };
  Expression result;
  if (UnaryFormula unary = unaryFormula(function, /*isDouble=*/false))
    result = unary(operand(0));
  else if (function == MathFunction::Atan2)
    result = atan2Single(operand(0), operand(1));
  else if (function == MathFunction::Pow)
    result = powSingle(operand(0), operand(1));
  else if (function == MathFunction::Fmod)
    result = fmodSingle(operand(0), operand(1), fmodSteps(type));
  else
    return {};
  return e.toFloat(result, type).value;
}

/// x^1 and x^2 for constant exponents, exactly rounded.
static Value expandConstantPower(RewriterBase &rewriter, Operation *op) {
  Value base = op->getOperand(0);
  APFloat real(0.0f);
  APInt integer;
  double exponent = 0;
  if (matchPattern(op->getOperand(1), m_ConstantFloat(&real)))
    exponent = real.convertToDouble();
  else if (matchPattern(op->getOperand(1), m_ConstantInt(&integer)))
    exponent = static_cast<double>(integer.getSExtValue());
  if (exponent == 1)
    return base;
  if (exponent == 2)
    return arith::MulFOp::create(rewriter, op->getLoc(), base, base);
  return {};
}

/// Powers of 2 and 10 are exponentials; drops the base from the operands then.
static MathFunction functionOfPower(SmallVectorImpl<Value> &operands) {
  APFloat base(0.0f);
  if (!matchPattern(operands[0], m_ConstantFloat(&base)))
    return MathFunction::Pow;
  double value = base.convertToDouble();
  if (value != 2 && value != 10)
    return MathFunction::Pow;
  operands.erase(operands.begin());
  return value == 2 ? MathFunction::Exp2 : MathFunction::Exp10;
}

static LogicalResult expandIntegerPower(RewriterBase &rewriter,
                                        ::mlir::math::FPowIOp op,
                                        const MathExpansionOptions &options) {
  if (Value value = expandConstantPower(rewriter, op)) {
    rewriter.replaceOp(op, value);
    return success();
  }
  Type type = getElementTypeOrSelf(op.getType());
  Type integer = getElementTypeOrSelf(op.getRhs().getType());
  if (integer.getIntOrFloatBitWidth() > 32)
    return rewriter.notifyMatchFailure(op, "exponent of more than 32 bits");
  Emitter e(rewriter, op.getLoc(), op.getType(),
            formulaOptions(op.getContext(), options));
  Expression n = e.wrap(op.getRhs());
  if (type.isF64()) {
    Value y = e.create<arith::SIToFPOp>(op.getType(), n.value).value;
    rewriter.replaceOp(op, expandMathFunction(rewriter, op.getLoc(),
                                              MathFunction::Pow,
                                              {op.getLhs(), y}, options));
    return success();
  }
  if (!isExpandedFloat(type))
    return rewriter.notifyMatchFailure(op, "type has no expansion");
  Expression result = powIntegerSingle(e.toSingle(e.wrap(op.getLhs())), n);
  rewriter.replaceOp(op, e.toFloat(result, type).value);
  return success();
}

static LogicalResult expandSinCos(RewriterBase &rewriter,
                                  ::mlir::math::SincosOp op,
                                  const MathExpansionOptions &options) {
  Type type = getElementTypeOrSelf(op.getOperand().getType());
  if (!isExpandedFloat(type)) {
    if (!type.isF64())
      return rewriter.notifyMatchFailure(op, "type has no expansion");
    Value x = op.getOperand();
    Location loc = op.getLoc();
    Value sine = ::mlir::math::SinOp::create(rewriter, loc, x);
    Value cosine = ::mlir::math::CosOp::create(rewriter, loc, x);
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
  FormulaOptions formula = formulaOptions(op.getContext(), options);
  formula.isFast |= type.isF16();
  Emitter e(rewriter, op.getLoc(), op.getOperand().getType(), formula);
  auto [sine, cosine] = sinCosSingle(e.toSingle(e.wrap(op.getOperand())));
  rewriter.replaceOp(
      op, {e.toFloat(sine, type).value, e.toFloat(cosine, type).value});
  return success();
}

/// An operation may ask for another mode than its module.
static MathExpansionOptions optionsOf(Operation *op,
                                      MathExpansionOptions options) {
  if (auto mode = op->getAttrOfType<StringAttr>("tw.math"))
    options.mode = llvm::StringSwitch<MathMode>(mode.getValue())
                       .Case("portable", MathMode::Portable)
                       .Case("fast", MathMode::Fast)
                       .Default(MathMode::Accurate);
  return options;
}

LogicalResult expandMathOperation(RewriterBase &rewriter, Operation *op,
                                  const MathExpansionOptions &given) {
  MathExpansionOptions options = optionsOf(op, given);
  if (succeeded(expandExactOperation(
          rewriter, op, formulaOptions(op->getContext(), options))))
    return success();
  if (auto power = dyn_cast<::mlir::math::FPowIOp>(op))
    return expandIntegerPower(rewriter, power, options);
  if (auto sinCos = dyn_cast<::mlir::math::SincosOp>(op))
    return expandSinCos(rewriter, sinCos, options);
  std::optional<MathFunction> function = functionOf(op);
  if (!function)
    return failure();
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
  if (!type)
    return rewriter.notifyMatchFailure(op, "not a float");
  auto isNative = [&](MathFunction candidate) {
    return options.mode != MathMode::Portable && options.isNative &&
           options.isNative(candidate, type);
  };
  if (isNative(*function))
    return rewriter.notifyMatchFailure(op, "native on the target");
  SmallVector<Value> operands(op->getOperands());
  if (*function == MathFunction::Pow) {
    if (Value value = expandConstantPower(rewriter, op)) {
      rewriter.replaceOp(op, value);
      return success();
    }
    function = functionOfPower(operands);
    if (*function == MathFunction::Exp2 && isNative(*function)) {
      rewriter.replaceOpWithNewOp<::mlir::math::Exp2Op>(op, operands[0]);
      return success();
    }
  }
  Value result =
      expandMathFunction(rewriter, op->getLoc(), *function, operands, options);
  if (!result)
    return rewriter.notifyMatchFailure(op, "type has no expansion");
  rewriter.replaceOp(op, result);
  return success();
}

namespace {
/// Expands one operation kind in a pattern driver.
template <typename OpTy>
struct ExpandMathPattern : public OpRewritePattern<OpTy> {
  ExpandMathPattern(MLIRContext *context, const MathExpansionOptions &options)
      : OpRewritePattern<OpTy>(context), options(options) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return expandMathOperation(rewriter, op, options);
  }

  MathExpansionOptions options;
};
} // namespace

template <typename... OpTys>
static void addPatterns(RewritePatternSet &patterns,
                        const MathExpansionOptions &options) {
  patterns.add<ExpandMathPattern<OpTys>...>(patterns.getContext(), options);
}

void populateMathExpansionPatterns(RewritePatternSet &patterns,
                                   const MathExpansionOptions &options) {
  namespace m = ::mlir::math;
  addPatterns<m::ExpOp, m::Exp2Op, m::ExpM1Op, m::LogOp, m::Log2Op, m::Log10Op,
              m::Log1pOp, m::SinOp, m::CosOp, m::TanOp, m::SincosOp, m::AsinOp,
              m::AcosOp, m::AtanOp, m::Atan2Op, m::SinhOp, m::CoshOp, m::TanhOp,
              m::AsinhOp, m::AcoshOp, m::AtanhOp, m::PowFOp, m::FPowIOp,
              m::ErfOp, m::ErfcOp, m::CbrtOp, m::RsqrtOp, m::FloorOp, m::CeilOp,
              m::SqrtOp, m::TruncOp, m::RoundOp, m::RoundEvenOp, m::FmaOp,
              m::ClampFOp, arith::RemFOp>(patterns, options);
}

} // namespace tilewright::math
