//===- ConversionSweep.cpp - Casts of small floats ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every cast with a reference that enumerates the values of a format
// and searches the nearest one, so that nothing is shared with the compiler.
// Sources are all f16 and bf16 values, and f32, f64 and integers around every
// tie.
//
//===----------------------------------------------------------------------===//

#include "test/unit/math/Jit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

namespace tilewright::math::test {

namespace {
/// How a format uses its highest encodings.
enum class Special { InfinityAndNaN, OneNaN, NaNAtNegativeZero };

struct SmallFloat {
  const char *type;
  unsigned width;
  int mantissaBits;
  int bias;
  unsigned largest; // encoding of the largest finite number
  Special special;
};

struct Rounding {
  const char *name;
  bool towardZero;
  bool saturate;
};
} // namespace

static const SmallFloat kFormats[] = {
    {"f8E4M3FN", 8, 3, 7, 0x7e, Special::OneNaN},
    {"f8E5M2", 8, 2, 15, 0x7b, Special::InfinityAndNaN},
    {"f8E4M3FNUZ", 8, 3, 8, 0x7f, Special::NaNAtNegativeZero},
    {"f8E5M2FNUZ", 8, 2, 16, 0x7f, Special::NaNAtNegativeZero},
    {"f16", 16, 10, 15, 0x7bff, Special::InfinityAndNaN},
    {"bf16", 16, 7, 127, 0x7f7f, Special::InfinityAndNaN},
};

static const Rounding kRoundings[] = {{"rne", false, false},
                                      {"rne_sat", false, true},
                                      {"rtz", true, false},
                                      {"rtz_sat", true, true}};

using Real = long double; // holds every i64 and f64 exactly

/// The value of a finite, non-negative encoding, or one beyond the largest.
static Real valueOf(unsigned code, const SmallFloat &format) {
  int exponent = int(code >> format.mantissaBits);
  unsigned mantissa = code & ((1u << format.mantissaBits) - 1);
  if (exponent == 0)
    return std::ldexp(Real(mantissa), 1 - format.bias - format.mantissaBits);
  return std::ldexp(Real(mantissa + (1u << format.mantissaBits)),
                    exponent - format.bias - format.mantissaBits);
}

static Real decode(unsigned code, const SmallFloat &format) {
  unsigned signMask = 1u << (format.width - 1);
  unsigned magnitude = code & (signMask - 1);
  const Real notANumber = std::numeric_limits<Real>::quiet_NaN();
  if (format.special == Special::NaNAtNegativeZero && code == signMask)
    return notANumber;
  Real value;
  if (magnitude <= format.largest)
    value = valueOf(magnitude, format);
  else if (format.special == Special::InfinityAndNaN &&
           magnitude == format.largest + 1)
    value = std::numeric_limits<Real>::infinity();
  else
    return notANumber;
  return code & signMask ? -value : value;
}

/// The encoding that a value must be cast to; NaN is told by `isNaN`.
static unsigned encode(Real x, const SmallFloat &format, const Rounding &mode,
                       bool &isNaN) {
  isNaN = std::isnan(x);
  if (isNaN)
    return 0;
  Real a = std::fabs(x);
  unsigned code = 0;
  bool overflows = false;
  if (std::isinf(x)) {
    overflows = true;
  } else {
    // The last encoding whose value is not above a.
    unsigned low = 0, high = format.largest + 1;
    while (high - low > 1) {
      unsigned middle = (low + high) / 2;
      (valueOf(middle, format) <= a ? low : high) = middle;
    }
    code = low;
    Real next = valueOf(low + 1, format);
    Real tie = (valueOf(low, format) + next) / 2;
    if (!mode.towardZero && (a > tie || (a == tie && low % 2 == 1)))
      ++code;
    overflows = code > format.largest;
  }
  if (overflows && mode.saturate)
    code = format.largest;
  else if (overflows && format.special == Special::InfinityAndNaN)
    code = format.largest + 1;
  else if (overflows)
    isNaN = true;
  bool dropsSign = format.special == Special::NaNAtNegativeZero && code == 0;
  if (std::signbit(x) && !dropsSign)
    code |= 1u << (format.width - 1);
  return code;
}

template <typename Source> static const char *typeName();
template <> const char *typeName<float>() { return "f32"; }
template <> const char *typeName<double>() { return "f64"; }
template <> const char *typeName<int8_t>() { return "i8"; }
template <> const char *typeName<int16_t>() { return "i16"; }
template <> const char *typeName<int32_t>() { return "i32"; }
template <> const char *typeName<int64_t>() { return "i64"; }

/// Runs a loop over values of `inputSize` bytes each.
static std::vector<uint8_t> runLoop(LoopFunction run,
                                    const std::vector<uint8_t> &input,
                                    unsigned inputSize, unsigned outputSize) {
  size_t count = input.size() / inputSize;
  std::vector<uint8_t> output(count * outputSize);
  std::vector<uint8_t> in(kChunk * inputSize), out(kChunk * outputSize);
  for (size_t start = 0; start < count; start += kChunk) {
    size_t part = std::min<size_t>(kChunk, count - start);
    std::memcpy(in.data(), &input[start * inputSize], part * inputSize);
    run(in.data(), in.data(), out.data());
    std::memcpy(&output[start * outputSize], out.data(), part * outputSize);
  }
  return output;
}

template <typename T>
static std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

static unsigned codeAt(const std::vector<uint8_t> &bytes, size_t index,
                       unsigned width) {
  if (width == 8)
    return bytes[index];
  uint16_t code;
  std::memcpy(&code, &bytes[index * 2], 2);
  return code;
}

static std::string truncationName(const std::string &from, const SmallFloat &to,
                                  const Rounding &mode) {
  return from + "_" + to.type + "_" + mode.name;
}

static Loop truncationLoop(const std::string &from, const SmallFloat &to,
                           const Rounding &mode, unsigned lanes) {
  std::string body = "%r = arith.truncf %a ";
  if (mode.towardZero)
    body += "toward_zero ";
  if (mode.saturate)
    body += "{tw.saturate} ";
  return {truncationName(from, to, mode), from, to.type, body + ": $I to $O",
          lanes};
}

static void checkCodes(const std::string &name, const SmallFloat &to,
                       const Rounding &mode, const std::vector<Real> &values,
                       const std::vector<uint8_t> &codes) {
  for (size_t i = 0; i < values.size(); ++i) {
    bool isNaN = false;
    unsigned expected = encode(values[i], to, mode, isNaN);
    unsigned actual = codeAt(codes, i, to.width);
    bool isRight = isNaN ? std::isnan(decode(actual, to)) : actual == expected;
    if (isRight)
      continue;
    char text[160];
    std::snprintf(text, sizeof text, "%s(%La) = 0x%x, expected 0x%x%s",
                  name.c_str(), values[i], actual, expected,
                  isNaN ? " (NaN)" : "");
    return reportFailure(text);
  }
}

/// Values of a floating type around every tie of every format.
template <typename Source> static std::vector<Source> valuesAroundTies() {
  std::vector<Source> values;
  auto add = [&](Source value) {
    for (Source v : {value, std::nextafter(value, Source(0)),
                     std::nextafter(value, Source(INFINITY))}) {
      values.push_back(v);
      values.push_back(-v);
    }
  };
  for (const SmallFloat &format : kFormats)
    for (unsigned code = 0; code <= format.largest; ++code) {
      Real low = valueOf(code, format), high = valueOf(code + 1, format);
      add(Source(low));
      add(Source((low + high) / 2));
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 60000; ++i) {
    uint64_t bits = random();
    Source value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
    values.push_back(Source(std::ldexp(1.0 + double(i) / 60000, i % 40 - 20)));
  }
  using Limits = std::numeric_limits<Source>;
  values.insert(values.end(),
                {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                 Limits::max(), Limits::denorm_min(), -Limits::denorm_min()});
  return values;
}

template <typename Source>
static void
sweepFromFloat(unsigned lanes,
               const std::string &passes = "math-expand-float-conversions",
               const std::string &processor = "") {
  std::vector<Loop> loops;
  for (const SmallFloat &to : kFormats)
    for (const Rounding &mode : kRoundings)
      loops.push_back(truncationLoop(typeName<Source>(), to, mode, lanes));
  Jit jit(loops, passes, processor);
  if (!jit.isValid())
    return reportFailure("cannot compile the casts");
  std::vector<Source> sources = valuesAroundTies<Source>();
  std::vector<Real> values(sources.begin(), sources.end());
  std::vector<uint8_t> input = bytesOf(sources);
  for (const SmallFloat &to : kFormats)
    for (const Rounding &mode : kRoundings) {
      std::string name = truncationName(typeName<Source>(), to, mode);
      if (LoopFunction run = jit.lookup(name))
        checkCodes(name, to, mode, values,
                   runLoop(run, input, sizeof(Source), to.width / 8));
    }
}

/// All values of a 16-bit format to each 8-bit one.
static void sweepFromSmall(const SmallFloat &from) {
  std::vector<Loop> loops;
  for (const SmallFloat &to : kFormats)
    for (const Rounding &mode : kRoundings)
      if (to.width < from.width)
        loops.push_back(truncationLoop(from.type, to, mode, 16));
  Jit jit(loops, "math-expand-float-conversions");
  if (!jit.isValid())
    return reportFailure("cannot compile the casts");
  std::vector<uint16_t> codes(65536);
  std::vector<Real> values(65536);
  for (unsigned code = 0; code < 65536; ++code) {
    codes[code] = uint16_t(code);
    values[code] = decode(code, from);
  }
  for (const SmallFloat &to : kFormats)
    for (const Rounding &mode : kRoundings)
      if (to.width < from.width) {
        std::string name = truncationName(from.type, to, mode);
        if (LoopFunction run = jit.lookup(name))
          checkCodes(name, to, mode, values,
                     runLoop(run, bytesOf(codes), 2, to.width / 8));
      }
}

template <typename Target>
static void checkExtension(Jit &jit, const SmallFloat &from,
                           const std::string &suffix) {
  unsigned count = 1u << from.width;
  std::vector<uint8_t> input;
  for (unsigned code = 0; code < count; ++code) {
    input.push_back(uint8_t(code));
    if (from.width == 16)
      input.push_back(uint8_t(code >> 8));
  }
  std::string name = std::string(from.type) + suffix;
  LoopFunction run = jit.lookup(name);
  if (!run)
    return;
  std::vector<uint8_t> output =
      runLoop(run, input, from.width / 8, sizeof(Target));
  for (unsigned code = 0; code < count; ++code) {
    Target actual;
    std::memcpy(&actual, &output[code * sizeof(Target)], sizeof(Target));
    Real expected = decode(code, from);
    bool isRight = std::isnan(expected)
                       ? std::isnan(actual)
                       : Real(actual) == expected &&
                             std::signbit(actual) == std::signbit(expected);
    if (!isRight)
      return reportFailure(name + " of code " + std::to_string(code));
  }
}

/// 8-bit to 16-bit values, which must be exact.
static void checkSmallExtension(Jit &jit, const SmallFloat &from,
                                const SmallFloat &to) {
  std::vector<uint8_t> input;
  for (unsigned code = 0; code < 256; ++code)
    input.push_back(uint8_t(code));
  std::string name = std::string(from.type) + "_" + to.type;
  LoopFunction run = jit.lookup(name);
  if (!run)
    return;
  std::vector<uint8_t> output = runLoop(run, input, 1, 2);
  for (unsigned code = 0; code < 256; ++code) {
    Real expected = decode(code, from);
    Real actual = decode(codeAt(output, code, 16), to);
    bool isRight = std::isnan(expected)
                       ? std::isnan(actual)
                       : actual == expected &&
                             std::signbit(actual) == std::signbit(expected);
    if (!isRight)
      return reportFailure(name + " of code " + std::to_string(code));
  }
}

static void sweepExtensions(bool nativeFloat16) {
  std::vector<Loop> loops;
  auto add = [&](const SmallFloat &from, const std::string &to) {
    loops.push_back({std::string(from.type) + "_" + to, from.type, to,
                     "%r = arith.extf %a : $I to $O"});
  };
  for (const SmallFloat &from : kFormats) {
    add(from, "f32");
    add(from, "f64");
    for (const SmallFloat &to : kFormats)
      if (from.width < to.width)
        add(from, to.type);
  }
  Jit jit(loops, nativeFloat16
                     ? "math-expand-float-conversions"
                     : "math-expand-float-conversions{native-f16=false}");
  if (!jit.isValid())
    return reportFailure("cannot compile the casts");
  for (const SmallFloat &from : kFormats) {
    checkExtension<float>(jit, from, "_f32");
    checkExtension<double>(jit, from, "_f64");
    for (const SmallFloat &to : kFormats)
      if (from.width < to.width)
        checkSmallExtension(jit, from, to);
  }
}

/// Integers around ties of 8 to 11 significant bits at every magnitude.
template <typename Source> static std::vector<Source> integersAroundTies() {
  std::vector<Source> values;
  std::mt19937_64 random(5);
  for (int bits = 0; bits < int(sizeof(Source) * 8); ++bits)
    for (int significant : {2, 3, 4, 8, 11})
      for (int i = 0; i < 64; ++i) {
        uint64_t head = (uint64_t(1) << significant) |
                        (random() & ((uint64_t(1) << significant) - 1));
        int shift = bits - significant;
        uint64_t value = shift >= 0 ? head << shift : head >> -shift;
        uint64_t tie = shift >= 1 ? uint64_t(1) << (shift - 1) : 0;
        for (uint64_t offset : {uint64_t(0), tie, tie - 1, tie + 1}) {
          values.push_back(Source(value + offset));
          values.push_back(Source(-(value + offset)));
        }
      }
  for (int i = 0; i < 4096; ++i)
    values.push_back(Source(random()));
  values.push_back(std::numeric_limits<Source>::max());
  values.push_back(std::numeric_limits<Source>::min());
  return values;
}

template <typename Source> static void sweepFromInteger() {
  using Unsigned = std::make_unsigned_t<Source>;
  const Rounding &mode = kRoundings[0];
  std::string from = typeName<Source>();
  std::vector<Loop> loops;
  for (const SmallFloat &to : kFormats)
    for (std::string op : {"sitofp", "uitofp"})
      loops.push_back({op + "_" + from + "_" + to.type, from, to.type,
                       "%r = arith." + op + " %a : $I to $O"});
  Jit jit(loops, "math-expand-float-conversions");
  if (!jit.isValid())
    return reportFailure("cannot compile the integer casts");
  std::vector<Source> sources = integersAroundTies<Source>();
  std::vector<Real> asSigned(sources.begin(), sources.end()), asUnsigned;
  for (Source value : sources)
    asUnsigned.push_back(Real(Unsigned(value)));
  for (const SmallFloat &to : kFormats)
    for (std::string op : {"sitofp", "uitofp"}) {
      std::string name = op + "_" + from + "_" + to.type;
      if (LoopFunction run = jit.lookup(name))
        checkCodes(
            name, to, mode, op == "sitofp" ? asSigned : asUnsigned,
            runLoop(run, bytesOf(sources), sizeof(Source), to.width / 8));
    }
}

/// f64 to f32 towards zero, the one cast to f32 that needs an expansion.
static void sweepDoubleToSingle() {
  Jit jit(
      {{"rtz", "f64", "f32", "%r = arith.truncf %a toward_zero : $I to $O"}},
      "math-expand-float-conversions");
  LoopFunction run = jit.isValid() ? jit.lookup("rtz") : nullptr;
  if (!run)
    return reportFailure("cannot compile the f64 cast");
  std::vector<double> sources = valuesAroundTies<double>();
  std::vector<uint8_t> output = runLoop(run, bytesOf(sources), 8, 4);
  for (size_t i = 0; i < sources.size(); ++i) {
    float actual, expected = float(sources[i]);
    std::memcpy(&actual, &output[i * 4], 4);
    if (std::fabs(double(expected)) > std::fabs(sources[i]))
      expected = std::nextafter(expected, 0.0f);
    bool isRight =
        std::isnan(expected) ? std::isnan(actual) : actual == expected;
    if (!isRight)
      return reportFailure("f64 to f32 toward zero of " +
                           std::to_string(sources[i]));
  }
}

void sweepConversions() {
  sweepExtensions(/*nativeFloat16=*/true);
  sweepExtensions(/*nativeFloat16=*/false);
  sweepFromFloat<float>(16);
  sweepFromFloat<double>(8);
  sweepFromFloat<float>(0);
#if defined(__x86_64__)
  sweepFromFloat<float>(4, "math-expand-float-conversions{native-f16=false}",
                        "x86-64");
#endif
  sweepFromSmall(kFormats[4]);
  sweepFromSmall(kFormats[5]);
  sweepFromInteger<int8_t>();
  sweepFromInteger<int16_t>();
  sweepFromInteger<int32_t>();
  sweepFromInteger<int64_t>();
  sweepDoubleToSingle();
  std::printf("conversions checked\n");
}

void measureConversions() {
  std::vector<Loop> loops;
  for (const SmallFloat &format : kFormats) {
    loops.push_back({std::string(format.type) + "_f32", format.type, "f32",
                     "%r = arith.extf %a : $I to $O"});
    loops.push_back(truncationLoop("f32", format, kRoundings[0], 16));
    if (format.width == 8)
      loops.push_back(truncationLoop("f32", format, kRoundings[1], 16));
  }
  loops.push_back(truncationLoop("f64", kFormats[4], kRoundings[0], 16));
  std::vector<float> values(2 * kChunk, 1.37f);
  measureLoops(loops, "math-expand-float-conversions", values.data(),
               values.data());
}

} // namespace tilewright::math::test
