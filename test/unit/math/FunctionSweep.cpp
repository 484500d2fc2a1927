//===- FunctionSweep.cpp - Errors of the maths functions in ulp -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every function with the double-precision C library over all f16 and
// bf16 values and a spread of f32 that covers every exponent.
//
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
/// A small binary format, described independently of the compiler.
struct Format {
  const char *name;
  int precision;        // bits with the hidden one
  int smallestExponent; // of normal numbers
  int largestExponent;
};

struct Function {
  const char *name;
  const char *body; // defines %r from %a (and %b), types $I
  double (*unary)(double);
  double (*binary)(double, double);
  double limit; // allowed error in ulp of f32
};
} // namespace

static const Format kSingle = {"f32", 24, -126, 127};
static const Format kHalf = {"f16", 11, -14, 15};
static const Format kBrain = {"bf16", 8, -126, 127};

static double rsqrtReference(double x) { return 1.0 / std::sqrt(x); }
static double exp10Reference(double x) { return ::exp10(x); }

static double pow3Reference(double x) { return std::pow(3.0, x); }
static double negateReference(double x) { return -x; }
static double finiteReference(double x) { return std::isfinite(x); }
static double clampReference(double x) {
  return x < -1.5 ? -1.5 : x > 2.5 ? 2.5 : x;
}
static double fmaReference(double a, double b) { return std::fma(a, b, a); }

#define UNARY(name, op, reference, limit)                                      \
  {name, "%r = math." op " %a : $I", reference, nullptr, limit}

static const Function kFunctions[] = {
    UNARY("exp", "exp", std::exp, 2),
    UNARY("exp2", "exp2", std::exp2, 2),
    UNARY("expm1", "expm1", std::expm1, 1),
    {"exp10",
     "%ten = arith.constant dense<10.0> : $I\n"
     "%r = math.powf %ten, %a : $I",
     exp10Reference, nullptr, 1},
    {"pow2",
     "%two = arith.constant dense<2.0> : $I\n"
     "%r = math.powf %two, %a : $I",
     std::exp2, nullptr, 2},
    {"pow3",
     "%three = arith.constant dense<3.0> : $I\n"
     "%r = math.powf %three, %a : $I",
     pow3Reference, nullptr, 1},
    UNARY("log", "log", std::log, 2),
    UNARY("log2", "log2", std::log2, 2),
    UNARY("log10", "log10", std::log10, 1),
    UNARY("log1p", "log1p", std::log1p, 1),
    UNARY("sin", "sin", std::sin, 2),
    UNARY("cos", "cos", std::cos, 2),
    UNARY("tan", "tan", std::tan, 1),
    UNARY("asin", "asin", std::asin, 1),
    UNARY("acos", "acos", std::acos, 1),
    UNARY("atan", "atan", std::atan, 1),
    UNARY("sinh", "sinh", std::sinh, 1),
    UNARY("cosh", "cosh", std::cosh, 1),
    UNARY("tanh", "tanh", std::tanh, 2),
    UNARY("asinh", "asinh", std::asinh, 1),
    UNARY("acosh", "acosh", std::acosh, 1),
    UNARY("atanh", "atanh", std::atanh, 1),
    UNARY("erf", "erf", std::erf, 2),
    UNARY("erfc", "erfc", std::erfc, 1),
    UNARY("cbrt", "cbrt", std::cbrt, 1),
    UNARY("rsqrt", "rsqrt", rsqrtReference, 2),
    UNARY("sqrt", "sqrt", std::sqrt, 0.501),
    UNARY("floor", "floor", std::floor, 0),
    UNARY("ceil", "ceil", std::ceil, 0),
    UNARY("trunc", "trunc", std::trunc, 0),
    UNARY("round", "round", std::round, 0),
    UNARY("roundeven", "roundeven", std::nearbyint, 0),
    UNARY("abs", "absf", std::fabs, 0),
    {"negate", "%r = arith.negf %a : $I", negateReference, nullptr, 0},
    {"copysign", "%r = math.copysign %a, %b : $I", nullptr, std::copysign, 0},
    {"isfinite",
     "%c = math.isfinite %a : $I\n%one = arith.constant dense<1.0> : $I\n"
     "%zero = arith.constant dense<0.0> : $I\n"
     "%r = arith.select %c, %one, %zero : vector<16xi1>, $I",
     finiteReference, nullptr, 0},
    {"clamp",
     "%l = arith.constant dense<-1.5> : $I\n"
     "%h = arith.constant dense<2.5> : $I\n"
     "%r = math.clampf %a to [%l, %h] : $I",
     clampReference, nullptr, 0},
    {"pow", "%r = math.powf %a, %b : $I", nullptr, std::pow, 1},
    {"atan2", "%r = math.atan2 %a, %b : $I", nullptr, std::atan2, 1},
    {"fma", "%r = math.fma %a, %b, %a : $I", nullptr, fmaReference, 0.501},
    {"fmod", "%r = arith.remf %a, %b : $I", nullptr, std::fmod, 0},
};
#undef UNARY

static float singleFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The distance of `actual` from `exact` in units of the last place of
/// `format` at `exact`; infinite if special values or zero signs differ.
static double ulpError(double actual, double exact, const Format &format) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) && std::isnan(actual) ? 0 : wrong;
  double overflow = std::ldexp(1.0, format.largestExponent + 1);
  if (std::isinf(exact))
    return actual == exact ? 0 : wrong;
  if (std::isinf(actual))
    actual = std::copysign(overflow, actual);
  if (std::fabs(exact) >= overflow)
    return std::fabs(actual) == overflow && (actual > 0) == (exact > 0) ? 0
                                                                        : wrong;
  if (exact == 0)
    return actual == 0 && std::signbit(actual) == std::signbit(exact) ? 0
                                                                      : wrong;
  if (std::signbit(actual) != std::signbit(exact))
    return wrong;
  int exponent = std::max(std::ilogb(exact), format.smallestExponent);
  return std::fabs(actual - exact) /
         std::ldexp(1.0, exponent - format.precision + 1);
}

/// f32 arguments: every exponent, then the neighbourhoods where formulas
/// change, multiples of pi / 2, and special values.
static std::vector<float> makeArguments() {
  std::vector<float> values;
  std::mt19937 random(20240229);
  for (uint32_t i = 0; i < (1u << 20); ++i)
    values.push_back(singleFromBits((i << 12) | (random() & 0xfff)));
  const float centers[] = {
      0.0f,      0.25f,         0.41421357f, 0.5f,    0.6f,    0.70710677f,
      0.92f,     1.0f,          1.4142135f,  2.0f,    3.95f,   10.0f,
      10.05f,    17.3f,         38.5f,       44.85f,  45.2f,   88.7f,
      89.4f,     103.9f,        126.0f,      128.0f,  149.5f,  150.0f,
      0x1p-126f, 0x1p-149f,     0x1p24f,     0x1p48f, 0x1p72f, 0x1p96f,
      0x1p112f,  3.4028235e38f, 5e-7f,       0x1p-12f};
  for (float center : centers) {
    uint32_t bits;
    std::memcpy(&bits, &center, sizeof bits);
    for (int32_t d = -600; d <= 600; ++d) {
      values.push_back(singleFromBits(bits + uint32_t(d)));
      values.push_back(-singleFromBits(bits + uint32_t(d)));
    }
  }
  std::uniform_real_distribution<float> unit(-1, 1), wide(-110, 110);
  for (int i = 0; i < 100000; ++i) {
    values.push_back(unit(random));
    values.push_back(wide(random));
  }
  for (int k = 1; k < 20000; ++k) {
    float multiple = float(k * 1.5707963267948966);
    values.push_back(multiple);
    values.push_back(-std::nextafter(multiple, 0.0f));
  }
  // Among the f32 closest to a multiple of pi / 2.
  values.insert(values.end(), {16367173.0f * 0x1p72f, 0x1.47d0fep34f,
                               -0x1.47d0fep34f, 0x1.2d97c8p-1f});
  return values;
}

static const float kSpecials[] = {0.0f,
                                  -0.0f,
                                  1.0f,
                                  -1.0f,
                                  0.5f,
                                  -0.5f,
                                  2.0f,
                                  -2.0f,
                                  3.0f,
                                  -3.0f,
                                  -2.5f,
                                  0x1p-149f,
                                  -0x1p-149f,
                                  0x1p-126f,
                                  16777215.0f,
                                  -16777215.0f,
                                  16777216.0f,
                                  3.4028235e38f,
                                  -3.4028235e38f,
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()};

/// Pairs for binary functions: all special pairs, random bits, and ranges in
/// which powers are neither zero nor infinite.
static void makePairs(std::vector<float> &a, std::vector<float> &b) {
  for (float x : kSpecials)
    for (float y : kSpecials) {
      a.push_back(x);
      b.push_back(y);
    }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int i = 0; i < 200000; ++i) {
    a.push_back(singleFromBits(random()));
    b.push_back(singleFromBits(random()));
    a.push_back(std::exp(20 * unit(random) - 10));
    b.push_back(16 * unit(random) - 8);
    a.push_back(1 + 0.01f * (unit(random) - 0.5f));
    b.push_back(20000 * (unit(random) - 0.5f));
    a.push_back(-float(random() % 100));
    b.push_back(float(int(random() % 41) - 20));
    a.push_back(unit(random) * float(random() % 1000));
    b.push_back(unit(random) * 0x1p-20f);
  }
}

static double decode(uint16_t bits, const Format &format) {
  int mantissaBits = format.precision - 1;
  int exponentField = (bits & 0x7fff) >> mantissaBits;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponentField == 2 * format.largestExponent + 1)
    return std::copysign(mantissa ? std::numeric_limits<double>::quiet_NaN()
                                  : std::numeric_limits<double>::infinity(),
                         sign);
  if (exponentField == 0)
    return sign * std::ldexp(mantissa, format.smallestExponent - mantissaBits);
  return sign *
         std::ldexp(mantissa + (1 << mantissaBits),
                    exponentField - 1 + format.smallestExponent - mantissaBits);
}

static double referenceOf(const Function &function, double a, double b) {
  return function.unary ? function.unary(a) : function.binary(a, b);
}

static std::string describe(const Function &function, const Format &format,
                            double a, double b, double actual, double exact) {
  char text[256];
  std::snprintf(text, sizeof text, "%s %s(%a, %a) = %a, expected %a",
                format.name, function.name, a, b, actual, exact);
  return text;
}

namespace {
/// The largest error of one function in one format.
struct Worst {
  double error = 0;
  std::string where;
  void add(const Function &function, const Format &format, double a, double b,
           double actual) {
    double exact = referenceOf(function, a, b);
    double current = ulpError(actual, exact, format);
    if (current <= error)
      return;
    error = current;
    where = describe(function, format, a, b, actual, exact);
  }
};
} // namespace

static Worst sweepSingle(const Function &function, LoopFunction run,
                         const std::vector<float> &a,
                         const std::vector<float> &b) {
  Worst worst;
  std::vector<float> x(kChunk), y(kChunk), out(kChunk);
  for (size_t start = 0; start < a.size(); start += kChunk) {
    size_t count = std::min<size_t>(kChunk, a.size() - start);
    std::copy_n(a.begin() + start, count, x.begin());
    std::copy_n(b.begin() + start, count, y.begin());
    run(x.data(), y.data(), out.data());
    for (size_t i = 0; i < count; ++i)
      worst.add(function, kSingle, x[i], function.binary ? y[i] : 0, out[i]);
  }
  return worst;
}

/// All 65536 values; the second operand of binary functions is a fixed shuffle.
static Worst sweepSmall(const Function &function, LoopFunction run,
                        const Format &format) {
  Worst worst;
  std::vector<uint16_t> x(kChunk), y(kChunk), out(kChunk);
  for (uint32_t start = 0; start < 65536; start += kChunk) {
    for (uint32_t i = 0; i < kChunk; ++i) {
      x[i] = uint16_t(start + i);
      y[i] = uint16_t((start + i) * 40503u + 12345u);
    }
    run(x.data(), y.data(), out.data());
    for (uint32_t i = 0; i < kChunk; ++i)
      worst.add(function, format, decode(x[i], format),
                function.binary ? decode(y[i], format) : 0,
                decode(out[i], format));
  }
  return worst;
}

static std::vector<Loop> makeLoops() {
  std::vector<Loop> loops;
  for (const Function &function : kFunctions)
    for (const Format *format : {&kSingle, &kHalf, &kBrain})
      loops.push_back({std::string(function.name) + "_" + format->name,
                       format->name, format->name, function.body, 16,
                       function.binary != nullptr});
  return loops;
}

static void requireLimit(const Worst &worst, double limit) {
  if (!(worst.error <= limit))
    reportFailure(worst.where);
}

void sweepFunctions(const std::string &title, const std::string &passes,
                    const std::string &processor) {
  Jit jit(makeLoops(), passes, processor);
  if (!jit.isValid())
    return reportFailure("cannot compile the functions");
  std::printf("\n%s: largest error in ulp (expansion took %.2f ms)\n"
              "%-10s %8s %8s %8s\n",
              title.c_str(), jit.expansionMilliseconds, "function", "f32",
              "f16", "bf16");
  std::vector<float> arguments = makeArguments(), a, b;
  arguments.insert(arguments.end(), std::begin(kSpecials), std::end(kSpecials));
  makePairs(a, b);
  for (const Function &function : kFunctions) {
    std::string name = function.name;
    auto single = jit.lookup(name + "_f32"), half = jit.lookup(name + "_f16"),
         brain = jit.lookup(name + "_bf16");
    if (!single || !half || !brain)
      continue;
    Worst onSingle = function.binary
                         ? sweepSingle(function, single, a, b)
                         : sweepSingle(function, single, arguments, arguments);
    Worst onHalf = sweepSmall(function, half, kHalf);
    Worst onBrain = sweepSmall(function, brain, kBrain);
    std::printf("%-10s %8.4f %8.4f %8.4f\n", function.name, onSingle.error,
                onHalf.error, onBrain.error);
    requireLimit(onSingle, function.limit);
    requireLimit(onHalf, function.limit == 0 ? 0 : 0.501);
    requireLimit(onBrain, function.limit == 0 ? 0 : 0.501);
  }
}

void sweepDensely(const std::string &passes, unsigned stride) {
  Jit jit(makeLoops(), passes);
  if (!jit.isValid())
    return reportFailure("cannot compile the functions");
  std::printf("\nevery f32 in steps of %u\n", stride);
  for (const Function &function : kFunctions) {
    LoopFunction run = jit.lookup(std::string(function.name) + "_f32");
    if (!function.unary || !run)
      continue;
    Worst worst;
    std::vector<float> x(kChunk), out(kChunk);
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32);) {
      for (float &value : x) {
        value = singleFromBits(uint32_t(bits));
        bits += stride;
      }
      run(x.data(), x.data(), out.data());
      for (unsigned i = 0; i < kChunk; ++i)
        worst.add(function, kSingle, x[i], 0, out[i]);
    }
    std::printf("%-10s %8.4f %s\n", function.name, worst.error,
                worst.where.c_str());
    requireLimit(worst, function.limit);
  }
}

void checkFma(const std::string &passes, const std::string &processor) {
  // The error of a product and the remainder of a square: no bit may be lost.
  Jit jit({{"product", "f32", "f32",
            "%p = arith.mulf %a, %b : $I\n%c = arith.negf %p : $I\n"
            "%r = math.fma %a, %b, %c : $I",
            16, true},
           {"sum", "f32", "f32", "%r = math.fma %a, %a, %b : $I", 16, true}},
          passes, processor);
  if (!jit.isValid())
    return reportFailure("cannot compile fma");
  std::vector<float> a, b, out(kChunk);
  makePairs(a, b);
  a.resize(a.size() / kChunk * kChunk);
  for (size_t start = 0; start < a.size(); start += kChunk)
    for (const char *name : {"product", "sum"}) {
      LoopFunction run = jit.lookup(name);
      if (!run)
        return;
      run(&a[start], &b[start], out.data());
      for (unsigned i = 0; i < kChunk; ++i) {
        float x = a[start + i], y = b[start + i];
        float expected =
            name[0] == 'p' ? std::fma(x, y, -(x * y)) : std::fma(x, x, y);
        if (std::isnan(expected) ? !std::isnan(out[i]) : out[i] != expected)
          return reportFailure(std::string("fma ") + name);
      }
    }
  std::printf("fma checked\n");
}

void measureThroughput(const std::string &passes) {
  std::vector<float> x(kChunk), y(kChunk);
  for (unsigned i = 0; i < kChunk; ++i) {
    x[i] = 0.001f + float(i) * (0.9f / kChunk);
    y[i] = 1.5f + float(i % 7);
  }
  std::vector<Loop> loops;
  for (const Loop &loop : makeLoops())
    if (loop.inputType == "f32")
      loops.push_back(loop);
  measureLoops(loops, passes, x.data(), y.data());
}

} // namespace tilewright::math::test
