//===- DoubleDouble.h - Numbers of twice the precision ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unevaluated sum of two f64, about 104 bits: the usual error-free sums and
// products (Dekker, Knuth; products by fma). They need arithmetic that is
// neither contracted nor reassociated, which these operations are.
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_DOUBLE_DOUBLEDOUBLE_H
#define TILEWRIGHT_BACKENDS_MATH_DOUBLE_DOUBLEDOUBLE_H

#include "backends/math/expression/Expression.h"

namespace tilewright::math {

/// high + low, where |low| is at most half an ulp of high.
struct DoubleDouble {
  Expression high, low;
};

/// Constants of that precision.
struct Constant2 {
  double high, low;
};

inline constexpr Constant2 kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr Constant2 kLn10 = {0x1.26bb1bbb55516p+1,
                                    -0x1.f48ad494ea3e9p-53};
inline constexpr Constant2 kLog2OfE = {0x1.71547652b82fep+0,
                                       0x1.777d0ffda0d24p-56};
inline constexpr Constant2 kLog10OfE = {0x1.bcb7b1526e50ep-2,
                                        0x1.95355baaafad3p-57};
inline constexpr Constant2 kHalfPi = {0x1.921fb54442d18p+0,
                                      0x1.1a62633145c07p-54};

/// a * b + c with one rounding, whatever the options say.
Expression fused(Expression a, Expression b, Expression c);

DoubleDouble widened(Expression x);
DoubleDouble constantOf(Expression like, Constant2 value);
/// a + b exactly, and where |a| >= |b| or a is 0.
DoubleDouble sum(Expression a, Expression b);
DoubleDouble quickSum(Expression a, Expression b);
/// a * b exactly, unless the lower part is denormal.
DoubleDouble product(Expression a, Expression b);

DoubleDouble operator+(DoubleDouble a, DoubleDouble b);
DoubleDouble operator+(DoubleDouble a, Expression b);
DoubleDouble operator-(DoubleDouble a);
DoubleDouble operator-(DoubleDouble a, DoubleDouble b);
DoubleDouble operator*(DoubleDouble a, DoubleDouble b);
DoubleDouble operator*(DoubleDouble a, Expression b);
DoubleDouble operator/(DoubleDouble a, DoubleDouble b);
/// Of a power of two.
DoubleDouble scaled(DoubleDouble a, double factor);
DoubleDouble squareRoot(DoubleDouble a);
DoubleDouble select(Expression condition, DoubleDouble yes, DoubleDouble no);
/// Rounded to f64.
inline Expression rounded(DoubleDouble a) { return a.high + a.low; }

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_DOUBLE_DOUBLEDOUBLE_H
