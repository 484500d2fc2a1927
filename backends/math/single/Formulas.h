//===- Formulas.h - Maths functions as formulas ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One C++ function for each maths function, from f32 to f32, building its
// operations through Expression.h. The hot ones compute in f32, the others in
// f64 and round once, which also settles denormals and overflow.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_FORMULAS_H
#define TILEWRIGHT_BACKENDS_MATH_FORMULAS_H

#include "backends/math/expression/Expression.h"

namespace tilewright::math {

// Exponential.cpp
Expression expSingle(Expression x);
Expression exp2Single(Expression x);
Expression exp10Single(Expression x);
Expression expm1Single(Expression x);
Expression sinhSingle(Expression x);
Expression coshSingle(Expression x);
Expression tanhSingle(Expression x);
/// exp(x) for x in [-87, 88], without range checks.
Expression expSingleInRange(Expression x);
/// exp(x) in f64 to 2^-45 for |x| <= 700.
Expression expDouble(Expression x);

// Logarithm.cpp
Expression logSingle(Expression x);
Expression log2Single(Expression x);
Expression log10Single(Expression x);
Expression log1pSingle(Expression x);
Expression asinhSingle(Expression x);
Expression acoshSingle(Expression x);
Expression atanhSingle(Expression x);
/// log(x) in f64 to 2^-44 for any x; denormal x count as zero.
Expression logDouble(Expression x);

// Trigonometric.cpp
Expression sinSingle(Expression x);
Expression cosSingle(Expression x);
Expression tanSingle(Expression x);
/// sin and cos of one argument, sharing its reduction.
std::pair<Expression, Expression> sinCosSingle(Expression x);

// InverseTrigonometric.cpp
Expression asinSingle(Expression x);
Expression acosSingle(Expression x);
Expression atanSingle(Expression x);
Expression atan2Single(Expression y, Expression x);

// ErrorFunction.cpp
Expression erfSingle(Expression x);
Expression erfcSingle(Expression x);

// Power.cpp
Expression powSingle(Expression x, Expression y);
/// x to an integer power given as an integer of at most 32 bits.
Expression powIntegerSingle(Expression x, Expression n);
Expression cbrtSingle(Expression x);
Expression rsqrtSingle(Expression x);
/// C's fmod for f32 operands; `steps` * 28 bounds the difference of exponents.
Expression fmodSingle(Expression x, Expression y, unsigned steps);

// Rounding.cpp: f32 and f64, for targets without such instructions
Expression truncateByAddition(Expression x);
Expression floorByAddition(Expression x);
Expression ceilByAddition(Expression x);
Expression roundByAddition(Expression x);
Expression roundEvenByAddition(Expression x);
/// a * b + c in f64, rounded to odd, for operands that have at most 24
/// significant bits: rounding it again to f32 or less is as good as once.
Expression fusedToOddDouble(Expression a, Expression b, Expression c);

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_FORMULAS_H
