//===- MathFunctions.h - The numbered list of maths functions ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names every function that the maths expansions know. The numbers are those of
// the CPU driver's `math64` service (TW_CPU_MATH_*), so that a backend can pass
// them on unchanged; numbers are never reused.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_BACKENDS_MATH_MATHFUNCTIONS_H
#define TILEWRIGHT_BACKENDS_MATH_MATHFUNCTIONS_H

#include <cstdint>

namespace tilewright::math {

enum class MathFunction : uint32_t {
  Exp = 1,
  Exp2 = 2,
  Log = 3,
  Log2 = 4,
  Log10 = 5,
  Log1p = 6,
  Expm1 = 7,
  Sin = 8,
  Cos = 9,
  Tan = 10,
  Asin = 11,
  Acos = 12,
  Atan = 13,
  Atan2 = 14, // atan2(a, b): a is the ordinate
  Sinh = 15,
  Cosh = 16,
  Tanh = 17,
  Asinh = 18,
  Acosh = 19,
  Atanh = 20,
  Pow = 21, // pow(a, b)
  Erf = 22,
  Erfc = 23,
  Cbrt = 24,
  Fmod = 25,   // fmod(a, b), C's remainder: the sign of a
  Hypot = 26,  // served at run time only
  Lgamma = 27, // served at run time only
  Tgamma = 28, // served at run time only
  Exp10 = 29,
  Rsqrt = 30,
};

} // namespace tilewright::math

#endif // TILEWRIGHT_BACKENDS_MATH_MATHFUNCTIONS_H
