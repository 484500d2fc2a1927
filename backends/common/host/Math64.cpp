//===- Math64.cpp - Functions on double by number ---------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here changes the floating-point environment or errno's meaning.
//===----------------------------------------------------------------------===//
#include "backends/common/host/Math64.h"

#include "backends/math/MathFunctions.h"

#include <cmath>
#include <limits>

namespace tilewright::host {

using math::MathFunction;

double evaluateMath64(uint32_t function, double a, double b) {
  switch (MathFunction(function)) {
  case MathFunction::Exp:
    return std::exp(a);
  case MathFunction::Exp2:
    return std::exp2(a);
  case MathFunction::Log:
    return std::log(a);
  case MathFunction::Log2:
    return std::log2(a);
  case MathFunction::Log10:
    return std::log10(a);
  case MathFunction::Log1p:
    return std::log1p(a);
  case MathFunction::Expm1:
    return std::expm1(a);
  case MathFunction::Sin:
    return std::sin(a);
  case MathFunction::Cos:
    return std::cos(a);
  case MathFunction::Tan:
    return std::tan(a);
  case MathFunction::Asin:
    return std::asin(a);
  case MathFunction::Acos:
    return std::acos(a);
  case MathFunction::Atan:
    return std::atan(a);
  case MathFunction::Atan2:
    return std::atan2(a, b);
  case MathFunction::Sinh:
    return std::sinh(a);
  case MathFunction::Cosh:
    return std::cosh(a);
  case MathFunction::Tanh:
    return std::tanh(a);
  case MathFunction::Asinh:
    return std::asinh(a);
  case MathFunction::Acosh:
    return std::acosh(a);
  case MathFunction::Atanh:
    return std::atanh(a);
  case MathFunction::Pow:
    return std::pow(a, b);
  case MathFunction::Erf:
    return std::erf(a);
  case MathFunction::Erfc:
    return std::erfc(a);
  case MathFunction::Cbrt: // the one on double is off by 3 ulp
    return double(std::cbrt(static_cast<long double>(a)));
  case MathFunction::Fmod:
    return std::fmod(a, b);
  case MathFunction::Hypot:
    return std::hypot(a, b);
  case MathFunction::Lgamma: {
    int sign; // lgamma() writes a global
    return lgamma_r(a, &sign);
  }
  case MathFunction::Tgamma:
    return std::tgamma(a);
  case MathFunction::Exp10:
    return std::pow(10.0, a);
  case MathFunction::Rsqrt:
    return 1.0 / std::sqrt(a);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace tilewright::host
