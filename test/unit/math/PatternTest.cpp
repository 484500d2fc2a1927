//===- PatternTest.cpp - The expansions in a pattern driver -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All pattern collections together in the greedy driver: it must come to an end
// and leave nothing to expand. Also the hooks for f64 and native functions.
//
//===----------------------------------------------------------------------===//

#include "backends/cpu/driver/KernelABI.h"
#include "backends/math/MathExpansion.h"
#include "test/unit/math/Jit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cstdio>

using namespace mlir;

namespace tilewright::math::test {

// The numbers are shared with the CPU driver.
#define SAME_NUMBER(name, number)                                              \
  static_assert(uint32_t(MathFunction::name) == TW_CPU_MATH_##number)
SAME_NUMBER(Exp, EXP);
SAME_NUMBER(Exp2, EXP2);
SAME_NUMBER(Log, LOG);
SAME_NUMBER(Log2, LOG2);
SAME_NUMBER(Log10, LOG10);
SAME_NUMBER(Log1p, LOG1P);
SAME_NUMBER(Expm1, EXPM1);
SAME_NUMBER(Sin, SIN);
SAME_NUMBER(Cos, COS);
SAME_NUMBER(Tan, TAN);
SAME_NUMBER(Asin, ASIN);
SAME_NUMBER(Acos, ACOS);
SAME_NUMBER(Atan, ATAN);
SAME_NUMBER(Atan2, ATAN2);
SAME_NUMBER(Sinh, SINH);
SAME_NUMBER(Cosh, COSH);
SAME_NUMBER(Tanh, TANH);
SAME_NUMBER(Asinh, ASINH);
SAME_NUMBER(Acosh, ACOSH);
SAME_NUMBER(Atanh, ATANH);
SAME_NUMBER(Pow, POW);
SAME_NUMBER(Erf, ERF);
SAME_NUMBER(Erfc, ERFC);
SAME_NUMBER(Cbrt, CBRT);
SAME_NUMBER(Fmod, FMOD);
SAME_NUMBER(Hypot, HYPOT);
SAME_NUMBER(Lgamma, LGAMMA);
SAME_NUMBER(Tgamma, TGAMMA);
#undef SAME_NUMBER

static const char *const kMixed = R"(
func.func @mixed(%a: vector<4xf32>, %b: vector<4xbf16>, %i: vector<4xi32>,
                 %s: i64, %e: vector<4xf8E5M2>, %d: f64)
    -> (vector<4xf32>, vector<4xbf16>, vector<4xi32>, i64, vector<4xf16>, f64,
        vector<4xi8>) {
  %0 = math.exp %a : vector<4xf32>
  %1 = math.powf %0, %a : vector<4xf32>
  %2 = arith.maxnumf %1, %a : vector<4xf32>
  %3 = math.tanh %b : vector<4xbf16>
  %4 = arith.divsi %i, %i : vector<4xi32>
  %5 = arith.shrsi %4, %i : vector<4xi32>
  %6 = arith.remui %s, %s : i64
  %7 = arith.extf %e : vector<4xf8E5M2> to vector<4xf16>
  %8 = math.atan2 %d, %d : f64
  %9 = arith.fptoui %a : vector<4xf32> to vector<4xi8>
  return %2, %3, %5, %6, %7, %8, %9 : vector<4xf32>, vector<4xbf16>,
      vector<4xi32>, i64, vector<4xf16>, f64, vector<4xi8>
}
)";

/// Calls `@f64_<number>`, as a backend with a maths service would.
static Value callService(OpBuilder &builder, Location loc,
                         MathFunction function, ValueRange operands) {
  std::string name = "f64_" + std::to_string(uint32_t(function));
  return func::CallOp::create(builder, loc, name,
                              TypeRange(operands[0].getType()), operands)
      .getResult(0);
}

static bool keepsExp(MathFunction function, FloatType type) {
  return function == MathFunction::Exp && type.isF32();
}

void checkPatterns() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      ::mlir::math::MathDialect>();
  auto module = parseSourceString<ModuleOp>(kMixed, &context);
  if (!module)
    return reportFailure("parsing the patterns' input");
  MathExpansionOptions functions;
  functions.lowerFloat64 = callService;
  functions.isNative = keepsExp;
  RewritePatternSet patterns(&context);
  populateMathExpansionPatterns(patterns, functions);
  populateMinMaxPatterns(patterns);
  populateIntegerSemanticsPatterns(patterns, {});
  populateFloatConversionPatterns(patterns, {});
  if (failed(applyPatternsGreedily(*module, std::move(patterns))))
    return reportFailure("the patterns do not come to an end");
  unsigned nativeCount = 0, serviceCount = 0;
  module->walk([&](Operation *op) {
    if (isa<::mlir::math::PowFOp, ::mlir::math::TanhOp, ::mlir::math::Atan2Op,
            arith::MaxNumFOp>(op))
      reportFailure("left by the patterns: " +
                    op->getName().getStringRef().str());
    nativeCount += isa<::mlir::math::ExpOp>(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      serviceCount += call.getCallee() == "f64_14"; // TW_CPU_MATH_ATAN2
  });
  if (nativeCount != 1 || serviceCount != 1)
    reportFailure("hooks for native functions and f64");
  std::printf("patterns checked\n");
}

} // namespace tilewright::math::test
