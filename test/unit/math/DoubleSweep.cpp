//===- DoubleSweep.cpp - Errors of the functions on f64 ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against the C library in long double, which has eleven bits more, over every
// exponent, the places where formulas change and special values.
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace tilewright::math::test {

namespace {
using Real = long double;

struct DoubleFunction {
  const char *name;
  const char *body;
  Real (*unary)(Real);
  Real (*binary)(Real, Real);
  double limit; // allowed error in ulp
};
} // namespace

static Real rsqrtReference(Real x) { return 1 / std::sqrt(x); }
static Real exp10Reference(Real x) { return ::exp10l(x); }
static Real power(Real x, Real y) {
  // glibc's powl is wrong at (-inf)^(-2^63); double has enough digits there.
  return std::fabs(y) < 0x1p62L ? std::pow(x, y)
                                : Real(std::pow(double(x), double(y)));
}

#define ROW(name, op, reference, limit)                                        \
  {name, "%r = math." op " %a : $I", reference, nullptr, limit}

static const DoubleFunction kRows[] = {
    ROW("exp", "exp", std::exp, 1.5),
    ROW("exp2", "exp2", std::exp2, 1.5),
    ROW("expm1", "expm1", std::expm1, 1.5),
    {"exp10",
     "%ten = arith.constant dense<10.0> : $I\n"
     "%r = math.powf %ten, %a : $I",
     exp10Reference, nullptr, 1.5},
    ROW("log", "log", std::log, 1.5),
    ROW("log2", "log2", std::log2, 1.5),
    ROW("log10", "log10", std::log10, 1.5),
    ROW("log1p", "log1p", std::log1p, 1.5),
    ROW("sin", "sin", std::sin, 1.5),
    ROW("cos", "cos", std::cos, 1.5),
    ROW("tan", "tan", std::tan, 1.5),
    ROW("asin", "asin", std::asin, 1.5),
    ROW("acos", "acos", std::acos, 1.5),
    ROW("atan", "atan", std::atan, 1.5),
    ROW("sinh", "sinh", std::sinh, 1.5),
    ROW("cosh", "cosh", std::cosh, 1.5),
    ROW("tanh", "tanh", std::tanh, 1.5),
    ROW("asinh", "asinh", std::asinh, 1.5),
    ROW("acosh", "acosh", std::acosh, 1.5),
    ROW("atanh", "atanh", std::atanh, 1.5),
    ROW("erf", "erf", std::erf, 1.5),
    ROW("erfc", "erfc", std::erfc, 1.75),
    ROW("cbrt", "cbrt", std::cbrt, 1.5),
    ROW("rsqrt", "rsqrt", rsqrtReference, 1.5),
    {"pow", "%r = math.powf %a, %b : $I", nullptr, power, 1.5},
    {"atan2", "%r = math.atan2 %a, %b : $I", nullptr, std::atan2, 1.5},
    {"fmod", "%r = arith.remf %a, %b : $I", nullptr, std::fmod, 0},
};

static double fromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Distance in units of the last place at `exact`; infinite if special values
/// or signs of zero differ.
static double errorOf(double actual, Real exact) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) && std::isnan(actual) ? 0 : wrong;
  if (std::signbit(actual) != std::signbit(exact))
    return wrong;
  Real overflow = 0x1p1024L;
  Real bounded = std::fmin(std::fabs(exact), overflow);
  Real got = std::isinf(actual) ? overflow : Real(std::fabs(actual));
  if (std::isinf(exact) && !std::isinf(actual))
    return wrong;
  int exponent = bounded > 0 ? std::max(std::ilogb(bounded), -1022) : -1022;
  exponent = std::min(exponent, 1023);
  return double(std::fabs(got - bounded) / std::ldexp(Real(1), exponent - 52));
}

static std::vector<double> makeArguments() {
  std::vector<double> values;
  std::mt19937_64 random(20240229);
  for (uint64_t i = 0; i < (1u << 17); ++i)
    values.push_back(fromBits((i << 47) | (random() >> 17)));
  const double centers[] = {0.0,
                            0.0625,
                            0.1875,
                            0.25,
                            0.34657359,
                            0.5,
                            0.70710678118654757,
                            0.78539816339744831,
                            1.0,
                            1.4142135623730951,
                            2.0,
                            20.0,
                            26.5,
                            27.2,
                            28.0,
                            39.0,
                            40.0,
                            708.39,
                            709.78,
                            710.4758,
                            745.13,
                            1024.0,
                            1074.0,
                            308.25,
                            323.3,
                            0x1p-1022,
                            0x1p-1074,
                            0x1p500,
                            0x1p-500,
                            0x1p39,
                            0x1p-30,
                            0x1p-54,
                            1.7976931348623157e308};
  for (double center : centers) {
    uint64_t bits;
    std::memcpy(&bits, &center, sizeof bits);
    for (int64_t d = -300; d <= 300; ++d) {
      values.push_back(fromBits(bits + uint64_t(d)));
      values.push_back(-fromBits(bits + uint64_t(d)));
    }
    for (int i = 0; i < 300; ++i) {
      double nearby =
          center * (1 + 0x1p-12 * double(int64_t(random())) * 0x1p-63);
      values.push_back(nearby);
      values.push_back(-nearby);
    }
  }
  std::uniform_real_distribution<double> unit(-1, 1), wide(-760, 760);
  for (int i = 0; i < 60000; ++i) {
    values.push_back(unit(random));
    values.push_back(wide(random));
    values.push_back(unit(random) * 30);
  }
  for (int k = 1; k < 20000; ++k) {
    double multiple = double(k * 1.57079632679489661923132169163975144L);
    values.push_back(multiple);
    values.push_back(-std::nextafter(multiple, 0.0));
  }
  // The f64 that lies closest to a multiple of pi / 2.
  values.push_back(6381956970095103.0 * 0x1p797);
  values.push_back(0x1.6ac5b262ca1ffp849);
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(-std::numeric_limits<double>::infinity());
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  return values;
}

static void makePairs(std::vector<double> &a, std::vector<double> &b) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double specials[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             -0.5,
                             2.0,
                             -2.0,
                             3.0,
                             -3.0,
                             -2.5,
                             0x1p-1074,
                             -0x1p-1074,
                             0x1p-1022,
                             0x1p53,
                             -0x1p53,
                             0x1p53 - 1,
                             1 - 0x1p53,
                             0x1.fffffffffffffp1023,
                             -0x1.fffffffffffffp1023,
                             infinity,
                             -infinity,
                             std::numeric_limits<double>::quiet_NaN()};
  for (double x : specials)
    for (double y : specials) {
      a.push_back(x);
      b.push_back(y);
    }
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 40000; ++i) {
    a.push_back(fromBits(random()));
    b.push_back(fromBits(random()));
    a.push_back(std::exp(200 * unit(random) - 100));
    b.push_back(16 * unit(random) - 8);
    a.push_back(1 + 0.01 * (unit(random) - 0.5));
    b.push_back(140000 * (unit(random) - 0.5));
    a.push_back(-double(random() % 100));
    b.push_back(double(int(random() % 401) - 200));
    a.push_back(unit(random) * double(random() % 1000));
    b.push_back(unit(random) * 0x1p-20);
    a.push_back(std::ldexp(unit(random), -1040));
    b.push_back(std::ldexp(unit(random), -1060));
  }
}

static bool checkRow(const DoubleFunction &row, LoopFunction run,
                     const std::vector<double> &a,
                     const std::vector<double> &b) {
  std::vector<double> x(kChunk), y(kChunk), out(kChunk);
  double worst = 0, atX = 0, atY = 0, got = 0;
  for (size_t start = 0; start < a.size(); start += kChunk) {
    size_t count = std::min<size_t>(kChunk, a.size() - start);
    std::copy_n(a.begin() + start, count, x.begin());
    std::copy_n(b.begin() + start, count, y.begin());
    run(x.data(), y.data(), out.data());
    for (size_t i = 0; i < count; ++i) {
      Real exact = row.unary ? row.unary(x[i]) : row.binary(x[i], y[i]);
      double error = errorOf(out[i], exact);
      if (error > worst) {
        worst = error;
        atX = x[i], atY = y[i], got = out[i];
      }
    }
  }
  std::printf("%-10s %8.4f at (%a, %a): %a\n", row.name, worst, atX, atY, got);
  return worst <= row.limit;
}

void sweepDoubles(const std::string &passes) {
  std::vector<Loop> loops;
  for (const DoubleFunction &row : kRows)
    loops.push_back(
        {row.name, "f64", "f64", row.body, 8, row.binary != nullptr});
  Jit jit(loops, passes);
  if (!jit.isValid())
    return reportFailure("cannot compile the functions on f64");
  std::printf("\nf64: largest error in ulp\n");
  std::vector<double> arguments = makeArguments(), a, b;
  makePairs(a, b);
  for (const DoubleFunction &row : kRows) {
    LoopFunction run = jit.lookup(row.name);
    bool isFine =
        run && (row.binary ? checkRow(row, run, a, b)
                           : checkRow(row, run, arguments, arguments));
    if (!isFine)
      reportFailure(std::string("f64 ") + row.name);
  }
}

} // namespace tilewright::math::test
