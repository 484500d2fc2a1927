//===- Passes.td - Passes of the maths library -------------*- tablegen -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expansions of MathExpansion.h as passes. Their order in a pipeline is:
// functions, min and max, integers, float conversions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_PASSES
#define TILEWRIGHT_BACKENDS_MATH_PASSES

include "mlir/Pass/PassBase.td"

def MathExpandFloatConversionsPass : Pass<"math-expand-float-conversions"> {
  let summary = "Casts from and to small floats by integer operations";
  let description = [{
    Replaces casts that involve floats of 8 and 16 bits and that are not native
    by integer operations with exactly one rounding. `arith.truncf` rounds to
    nearest even, or towards zero when it says so; the unit attribute
    `tw.saturate` makes values beyond the largest finite number, infinities
    included, become that number instead of infinity or NaN.

    ```mlir
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    ```
    becomes
    ```mlir
    %1 = arith.bitcast %0 : vector<8xbf16> to vector<8xi16>
    %2 = arith.extui %1 : vector<8xi16> to vector<8xi32>
    %3 = arith.shli %2, %sixteen : vector<8xi32>
    %4 = arith.bitcast %3 : vector<8xi32> to vector<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [
    Option<"nativeFloat16", "native-f16", "bool", /*default=*/"true",
           "The target casts between f16 and f32 itself">,
    Option<"nativeBFloat16", "native-bf16", "bool", /*default=*/"false",
           "The target casts between bf16 and f32 itself">
  ];
}

def MathExpandFunctionsPass : Pass<"math-expand-functions"> {
  let summary = "Expand math functions on f32, f16 and bf16";
  let description = [{
    Replaces transcendental `math` operations (and `arith.remf`) on f32, f16 and
    bf16 by arithmetic that is right to 2 ulp for every argument. Small floats
    are widened to f32 and rounded once; their `math.fma` is exactly rounded. f64 operations stay as they are.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>
    ```
    becomes about 25 operations of `arith` and `math.fma`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"mode", "mode", "::tilewright::math::MathMode",
           /*default=*/"::tilewright::math::MathMode::Accurate",
           "How exact the results are",
           [{::llvm::cl::values(
             clEnumValN(::tilewright::math::MathMode::Accurate, "accurate",
                        "at most 2 ulp"),
             clEnumValN(::tilewright::math::MathMode::Portable, "portable",
                        "the same bits on every target"),
             clEnumValN(::tilewright::math::MathMode::Fast, "fast",
                        "sin and cos exact up to 2^24 only"))}]>,
    Option<"hasFma", "has-fma", "bool", /*default=*/"true",
           "The target has a fused multiply-add instruction">,
    Option<"hasRounding", "has-rounding", "bool", /*default=*/"true",
           "The target rounds to integers by an instruction">,
    Option<"hasBranches", "has-branches", "bool", /*default=*/"false",
           "Whether scf.if may be created to skip rare cases">,
    Option<"nativeExp2", "native-exp2", "bool", /*default=*/"false",
           "The target computes math.exp2 on f32 to 2 ulp; not for portable">
  ];
}

def MathExpandIntegersPass : Pass<"math-expand-integers"> {
  let summary = "Give integer operations their total meaning";
  let description = [{
    Guards divisions, shifts and float-to-int casts so that they have the
    results of the language where LLVM leaves them undefined: x / 0 = -1,
    x % 0 = x, INT_MIN / -1 = INT_MIN, INT_MIN % -1 = 0; shifts by the width or
    more give 0 or the sign; casts saturate and give 0 for NaN.

    ```mlir
    %2 = arith.shrsi %0, %1 : i32
    ```
    becomes
    ```mlir
    %2 = arith.minui %1, %c31 : i32
    %3 = arith.shrsi %0, %2 {tw.total} : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"divideVectorsThroughFloat", "divide-vectors-through-float", "bool",
           /*default=*/"true",
           "Divide vectors of at most 32 bits in floating point">
  ];
}

def MathExpandMinMaxPass : Pass<"math-expand-min-max"> {
  let summary = "Expand minimum and maximum of floats";
  let description = [{
    Replaces `arith.maximumf`, `minimumf` (NaN propagates) and `maxnumf`,
    `minnumf` (NaN is ignored) by comparisons, with -0 below +0, for targets
    whose own instructions differ and for the portable mode.

    ```mlir
    %2 = arith.maxnumf %0, %1 : f32
    ```
    becomes three comparisons, an `and` of the bits and three selects.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // TILEWRIGHT_BACKENDS_MATH_PASSES
