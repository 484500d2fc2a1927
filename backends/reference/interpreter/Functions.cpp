//===- Functions.cpp - Functions of real numbers -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed by the C library in double (long double for f64) and rounded once.
// That is nearly always the correctly rounded result, and never off by more
// than one unit in the last place. In portable mode nothing arrives here.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include <cmath>

using namespace mlir;

namespace tilewright::reference {

using Narrow = double (*)(double);
using Wide = long double (*)(long double);
using Narrow2 = double (*)(double, double);
using Wide2 = long double (*)(long double, long double);

template <Narrow narrow, Wide wide> static Element makeUnary(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [=](const uint64_t *in) {
    double x = toDouble(in[0], type);
    return fromDouble(type.isF64() ? double(wide(x)) : narrow(x), type);
  };
}

template <Narrow2 narrow, Wide2 wide> static Element makeBinary(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [=](const uint64_t *in) {
    double x = toDouble(in[0], type), y = toDouble(in[1], type);
    return fromDouble(type.isF64() ? double(wide(x, y)) : narrow(x, y), type);
  };
}

/// IEEE: exact before rounding, so double serves every type (twice the digits
/// and two more make the second rounding harmless).
static Element makeSquareRoot(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return [type](const uint64_t *in) {
    return fromDouble(std::sqrt(toDouble(in[0], type)), type);
  };
}

template <typename Real> static Real reciprocalRoot(Real x) {
  return Real(1) / std::sqrt(x);
}

/// glibc's powl gives infinity for (-inf) to the power -2^63. Infinities and
/// zeros need no digits, and double has enough for exponents of that size.
static long double power(long double x, long double y) {
  if (!std::isfinite(x) || x == 0 || !(std::fabs(y) < 0x1p62L))
    return std::pow(double(x), double(y));
  return std::pow(x, y);
}

void addFunctions(Semantics &semantics) {
  auto &rows = semantics.elementwise;
  rows["math.acos"] = makeUnary<std::acos, std::acos>;
  rows["math.acosh"] = makeUnary<std::acosh, std::acosh>;
  rows["math.asin"] = makeUnary<std::asin, std::asin>;
  rows["math.asinh"] = makeUnary<std::asinh, std::asinh>;
  rows["math.atan"] = makeUnary<std::atan, std::atan>;
  rows["math.atan2"] = makeBinary<std::atan2, std::atan2>;
  rows["math.atanh"] = makeUnary<std::atanh, std::atanh>;
  rows["math.cbrt"] = makeUnary<std::cbrt, std::cbrt>;
  rows["math.cos"] = makeUnary<std::cos, std::cos>;
  rows["math.cosh"] = makeUnary<std::cosh, std::cosh>;
  rows["math.erf"] = makeUnary<std::erf, std::erf>;
  rows["math.erfc"] = makeUnary<std::erfc, std::erfc>;
  rows["math.exp"] = makeUnary<std::exp, std::exp>;
  rows["math.exp2"] = makeUnary<std::exp2, std::exp2>;
  rows["math.expm1"] = makeUnary<std::expm1, std::expm1>;
  rows["math.log"] = makeUnary<std::log, std::log>;
  rows["math.log10"] = makeUnary<std::log10, std::log10>;
  rows["math.log1p"] = makeUnary<std::log1p, std::log1p>;
  rows["math.log2"] = makeUnary<std::log2, std::log2>;
  rows["math.powf"] = makeBinary<std::pow, power>;
  rows["math.rsqrt"] =
      makeUnary<reciprocalRoot<double>, reciprocalRoot<long double>>;
  rows["math.sin"] = makeUnary<std::sin, std::sin>;
  rows["math.sinh"] = makeUnary<std::sinh, std::sinh>;
  rows["math.sqrt"] = makeSquareRoot;
  rows["math.tan"] = makeUnary<std::tan, std::tan>;
  rows["math.tanh"] = makeUnary<std::tanh, std::tanh>;
}

} // namespace tilewright::reference
