//===- Formulas.h - Maths functions on f64 as formulas ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One C++ function for each maths function, from f64 to f64, within 1.75 ulp.
// Nearly all are made of two: the exponential and the logarithm with twice the
// precision.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_DOUBLE_FORMULAS_H
#define TILEWRIGHT_BACKENDS_MATH_DOUBLE_FORMULAS_H

#include "backends/math/double/DoubleDouble.h"

namespace tilewright::math::f64 {

// Exponential.cpp
/// e^x = (1 + rest) * 2^exponent, the exponent as an integral i64.
struct Exponential {
  DoubleDouble rest;
  Expression exponent;
};
/// For |x| <= 1100.
Exponential exponential(DoubleDouble x);
/// e^x rounded, for any x but NaN's and infinity's low parts.
Expression roundedExponential(DoubleDouble x);
/// y * 2^k for |k| <= 2000.
Expression scaleBy(Expression y, Expression k);
Expression exp(Expression x);
Expression exp2(Expression x);
Expression exp10(Expression x);
Expression expm1(Expression x);
Expression sinh(Expression x);
Expression cosh(Expression x);
Expression tanh(Expression x);

// Logarithm.cpp
/// log(x) for positive finite x.
DoubleDouble logarithm(Expression x);
/// log(1 + x) for finite x > -1.
DoubleDouble logarithmOfOnePlus(DoubleDouble x);
Expression log(Expression x);
Expression log2(Expression x);
Expression log10(Expression x);
Expression log1p(Expression x);
Expression asinh(Expression x);
Expression acosh(Expression x);
Expression atanh(Expression x);

// Trigonometric.cpp
Expression sin(Expression x);
Expression cos(Expression x);
Expression tan(Expression x);
std::pair<Expression, Expression> sinCos(Expression x);

// InverseTrigonometric.cpp
Expression asin(Expression x);
Expression acos(Expression x);
Expression atan(Expression x);
Expression atan2(Expression y, Expression x);

// ErrorFunction.cpp
Expression erf(Expression x);
Expression erfc(Expression x);

// Power.cpp
Expression pow(Expression x, Expression y);
Expression cbrt(Expression x);
Expression rsqrt(Expression x);
/// C's fmod.
Expression fmod(Expression x, Expression y);

} // namespace tilewright::math::f64

#endif // TILEWRIGHT_BACKENDS_MATH_DOUBLE_FORMULAS_H
