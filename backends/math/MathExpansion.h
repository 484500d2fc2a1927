//===- MathExpansion.h - Expanding what a target lacks ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public interface of the maths library: options, pattern collections and
// one-operation functions, all target-independent. What they create is arith
// and math operations that LLVM lowers to plain instructions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_MATHEXPANSION_H
#define TILEWRIGHT_BACKENDS_MATH_MATHEXPANSION_H

#include "backends/math/MathFunctions.h"

#include "mlir/IR/PatternMatch.h"

#include <functional>

namespace tilewright::math {

/// Unit attribute on `arith.truncf` and on int-to-float casts: values beyond
/// the largest finite number, infinities included, become that number.
constexpr llvm::StringLiteral kSaturateAttrName = "tw.saturate";
/// Unit attribute on integer operations whose operands were already made safe.
constexpr llvm::StringLiteral kTotalAttrName = "tw.total";

enum class MathMode {
  Accurate, // at most 2 ulp; native units where the target says so
  Portable, // the same bits on every target: nothing native, explicit fma
  Fast,     // sin and cos exact up to 2^24 only; native units preferred
};

struct MathExpansionOptions {
  MathMode mode = MathMode::Accurate;
  /// Whether f32 and f64 fma are single instructions.
  bool hasFma = true;
  /// Whether floor, ceil, trunc, round and roundeven are instructions.
  bool hasRounding = true;
  /// Whether sin, cos and tan may create an `scf.if` that skips the reduction
  /// of arguments beyond 2^24 when no element needs it. The scf and vector
  /// dialects must be loaded then; only for scalars and 1-D vectors.
  bool hasBranches = false;
  /// Functions that the target computes itself well enough for `mode`; such
  /// operations are left alone. Null means none. Not asked in portable mode.
  /// A native exp2 on f32 also serves exp, tanh and erf.
  std::function<bool(MathFunction, mlir::FloatType)> isNative;
  /// Lowers one f64 function on operands of equal type, but in portable mode.
  /// Null: by formulas.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::Location, MathFunction,
                            mlir::ValueRange)>
      lowerFloat64;
};

struct FloatConversionOptions {
  /// Formats whose casts from and to f32 are native. All other formats below 32
  /// bits, roundings and saturation use integer operations.
  bool hasNativeFloat16 = true;
  bool hasNativeBFloat16 = false;
};

struct SmallFloatOptions {
  /// Whether + - * / and comparisons of f16 are instructions.
  bool hasFloat16Arithmetic = false;
};

struct IntegerSemanticsOptions {
  /// Divide vectors of at most 32 bits through floats of twice the precision,
  /// for targets without a vector integer division.
  bool divideVectorsThroughFloat = true;
};

/// Everything that one target lacks.
struct ArithmeticOptions {
  MathExpansionOptions functions;
  /// Whether `math.fma` itself is an instruction; `functions.hasFma` says
  /// whether expansions may create it.
  bool hasFma = true;
  FloatConversionOptions casts;
  IntegerSemanticsOptions integers;
  SmallFloatOptions smallFloats;
  /// Whether maxnum and minnum of f32 are instructions that ignore NaN and put
  /// -0 below +0.
  bool hasNumberMinMax = false;
};

/// Expands all operations under `root`, those that expansions create included.
void expandArithmetic(mlir::Operation *root, const ArithmeticOptions &options);

/// Creates `function` on operands of one float type (f64 through
/// `lowerFloat64` where there is one); null when it has no expansion for it.
mlir::Value expandMathFunction(mlir::OpBuilder &builder, mlir::Location loc,
                               MathFunction function, mlir::ValueRange operands,
                               const MathExpansionOptions &options);

// The arith and math dialects must be loaded before any of these is used.
//
// One operation each; failure means that nothing was to be done. Passes walk
// with these, which is cheaper than a greedy pattern driver.
llvm::LogicalResult expandMathOperation(mlir::RewriterBase &rewriter,
                                        mlir::Operation *op,
                                        const MathExpansionOptions &options);
llvm::LogicalResult
expandFloatConversion(mlir::RewriterBase &rewriter, mlir::Operation *op,
                      const FloatConversionOptions &options);
/// Arithmetic on floats below 32 bits in f32, which rounds to the same result
/// for + - * / (twice the precision plus two bits).
llvm::LogicalResult expandSmallFloat(mlir::RewriterBase &rewriter,
                                     mlir::Operation *op,
                                     const SmallFloatOptions &options);
/// math.isnan, isinf and isfinite as comparisons.
llvm::LogicalResult expandClassTest(mlir::RewriterBase &rewriter,
                                    mlir::Operation *op);
llvm::LogicalResult
expandIntegerSemantics(mlir::RewriterBase &rewriter, mlir::Operation *op,
                       const IntegerSemanticsOptions &options);
llvm::LogicalResult expandMinMax(mlir::RewriterBase &rewriter,
                                 mlir::Operation *op);

void populateMathExpansionPatterns(mlir::RewritePatternSet &patterns,
                                   const MathExpansionOptions &options);
void populateFloatConversionPatterns(mlir::RewritePatternSet &patterns,
                                     const FloatConversionOptions &options);
void populateIntegerSemanticsPatterns(mlir::RewritePatternSet &patterns,
                                      const IntegerSemanticsOptions &options);
void populateMinMaxPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_MATHEXPANSION_H
