//===- Comparison.cpp - Comparing arrays of two targets ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every float type is sign and magnitude, so that its bits count representable
// numbers: the distance is a difference of integers.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/verify/Comparison.h"
#include "frontend/driver/tool/Failure.h"

#include "tilewright/base.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tool::verify {

Tolerance parseTolerance(const std::string &text) {
  Tolerance tolerance;
  tolerance.isDefault = false;
  tolerance.ulp = tolerance.scale = 0;
  if (text == "bits") {
    tolerance.isBits = true;
    return tolerance;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    auto [name, number] = part.trim().split('=');
    double value;
    double *slot = llvm::StringSwitch<double *>(name.trim())
                       .Case("ulp", &tolerance.ulp)
                       .Case("scale", &tolerance.scale)
                       .Case("relative", &tolerance.relative)
                       .Case("absolute", &tolerance.absolute)
                       .Default(nullptr);
    if (!slot || number.trim().getAsDouble(value) || !(value >= 0))
      throw Failure(7031, "expected 'bits' or a list of ulp=, scale=, "
                          "relative= and absolute= with numbers from 0 on, "
                          "got '" +
                              text + "'");
    *slot = value;
  }
  return tolerance;
}

std::string Tolerance::text() const {
  if (isBits)
    return "bits";
  std::string result;
  auto add = [&](const char *name, double value) {
    if (value == 0)
      return;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%s%s=%g", result.empty() ? "" : ",",
                  name, value);
    result += buffer;
  };
  add("ulp", ulp);
  add("scale", scale);
  add("relative", relative);
  add("absolute", absolute);
  return result.empty() ? "ulp=0" : result;
}

/// Signed position of a number among the representable ones, zeros being 0.
static int64_t position(uint32_t dtype, uint64_t bits) {
  unsigned width = tw_dtype_bytes(dtype) * 8;
  uint64_t sign = uint64_t{1} << (width - 1);
  int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

uint64_t ulpDistance(uint32_t dtype, uint64_t a, uint64_t b) {
  int64_t first = position(dtype, a), second = position(dtype, b);
  return first < second
             ? static_cast<uint64_t>(second) - static_cast<uint64_t>(first)
             : static_cast<uint64_t>(first) - static_cast<uint64_t>(second);
}

/// Distance from 1 to the next number.
static double epsilon(uint32_t dtype) {
  uint64_t one = encodeElement(dtype, 1.0);
  return decodeElement(dtype, one + 1) - 1.0;
}

Tolerance Tolerance::forType(uint32_t dtype) const {
  // What the default allows of fp16; fp32 and fp64 stay far below.
  constexpr double largestSlack = 0x1p-5;
  Tolerance result = *this;
  if (isBits || !isDefault || !isFloat(dtype))
    return result;
  result.scale = std::min(scale, largestSlack / epsilon(dtype));
  if (tw_dtype_bytes(dtype) == 1)
    result.ulp = 1;
  return result;
}

static size_t bucketOf(uint64_t distance) {
  constexpr uint64_t lasts[] = {0, 1, 2, 4, 16, 256, 65536};
  size_t bucket = 0;
  while (bucket < std::size(lasts) && distance > lasts[bucket])
    ++bucket;
  return bucket;
}

namespace {
/// Walks two arrays once and counts.
class Walk {
public:
  Walk(Comparison &result, const Array &got, const Array &expected,
       const Tolerance &tolerance, const Array *initial)
      : result(result), got(got), expected(expected), tolerance(tolerance),
        initial(initial), dtype(expected.dtype()), hasFloats(isFloat(dtype)) {}

  void run();

private:
  double typicalMagnitude() const;
  /// Counts one pair; whether the rule allows it.
  bool agrees(uint64_t a, uint64_t b);
  bool agreesAsFloat(uint64_t a, uint64_t b);
  void note(int64_t index, uint64_t a, uint64_t b);
  bool isEndOfRange(uint64_t bits) const;

  Comparison &result;
  const Array &got;
  const Array &expected;
  const Tolerance &tolerance;
  const Array *initial;
  uint32_t dtype;
  bool hasFloats;
  double slack = 0; ///< absolute error that the array's scale allows
  double leastNormal = 0;
};
} // namespace

/// The upper quartile of magnitudes other than 0: a few huge elements leave it
/// alone, and so does a half of tiny ones.
double Walk::typicalMagnitude() const {
  std::vector<double> sizes;
  for (int64_t i = 0; i < expected.elements(); ++i) {
    double size = std::fabs(decodeElement(dtype, expected.bits(i)));
    if (std::isfinite(size) && size > 0)
      sizes.push_back(size);
  }
  if (sizes.empty())
    return 0;
  auto quartile = sizes.begin() + sizes.size() * 3 / 4;
  std::nth_element(sizes.begin(), quartile, sizes.end());
  return *quartile;
}

bool Walk::agreesAsFloat(uint64_t a, uint64_t b) {
  double x = decodeElement(dtype, a), y = decodeElement(dtype, b);
  bool isBothNaN = std::isnan(x) && std::isnan(y);
  result.different += a != b && !isBothNaN;
  if (isBothNaN || a == b) {
    ++result.histogram[std::isfinite(x) ? 0 : result.histogram.size() - 1];
    return true;
  }
  result.nanOnlyHere += std::isnan(x);
  result.nanOnlyExpected += std::isnan(y);
  result.infiniteOnlyHere += std::isinf(x);
  result.infiniteOnlyExpected += std::isinf(y);
  if (!std::isfinite(x) || !std::isfinite(y)) {
    ++result.histogram.back();
    return false;
  }
  uint64_t distance = ulpDistance(dtype, a, b);
  double error = std::fabs(x - y);
  ++result.histogram[bucketOf(distance)];
  result.largestUlp = std::max(result.largestUlp, double(distance));
  result.largestError = std::max(result.largestError, error);
  if (tolerance.isBits)
    return false;
  return double(distance) <= tolerance.ulp || error <= slack ||
         error <= tolerance.absolute + tolerance.relative * std::fabs(y);
}

bool Walk::agrees(uint64_t a, uint64_t b) {
  if (hasFloats)
    return agreesAsFloat(a, b);
  result.different += a != b;
  ++result.histogram[a == b ? 0 : result.histogram.size() - 2];
  return a == b;
}

/// Whether a conversion that saturates may have given this integer.
bool Walk::isEndOfRange(uint64_t bits) const {
  unsigned width = tw_dtype_bytes(dtype) * 8;
  uint64_t sign = uint64_t{1} << (width - 1);
  bool isSigned = dtype >= TW_DTYPE_I8 && dtype <= TW_DTYPE_I64;
  return isSigned ? bits == sign || bits == sign - 1
                  : bits == sign + (sign - 1);
}

void Walk::note(int64_t index, uint64_t a, uint64_t b) {
  ++result.outside;
  result.isEqual = false;
  result.unwritten += initial && initial->bits(index) == a;
  if (hasFloats) {
    double x = decodeElement(dtype, a), y = decodeElement(dtype, b);
    result.flushedHere += x == 0 && y != 0 && std::fabs(y) < leastNormal;
    result.otherZero += x == 0 && y == 0;
  } else {
    uint64_t all = ~uint64_t{0} >> (64 - tw_dtype_bytes(dtype) * 8);
    result.offByOne += ((a - b) & all) == 1 || ((b - a) & all) == 1;
    result.saturated += isEndOfRange(b);
  }
  if (result.firstIndex >= 0)
    return;
  result.firstIndex = index;
  result.firstGot = elementText(dtype, a);
  result.firstExpected = elementText(dtype, b);
}

void Walk::run() {
  if (hasFloats && !tolerance.isBits && tolerance.scale > 0)
    slack = tolerance.scale * epsilon(dtype) * typicalMagnitude();
  if (hasFloats) // the exponent field 1, with no fraction
    leastNormal =
        decodeElement(dtype, uint64_t{1} << -std::ilogb(epsilon(dtype)));
  for (int64_t i = 0; i < expected.elements(); ++i) {
    uint64_t a = got.bits(i), b = expected.bits(i);
    if (!agrees(a, b))
      note(i, a, b);
  }
}

Comparison compareArrays(const std::string &name, const Array &got,
                         const Array &expected, const Tolerance &given,
                         const Array *initial) {
  Tolerance tolerance = given.forType(expected.dtype());
  Comparison result;
  result.array = name;
  result.against = "reference";
  result.dtype = dtypeName(expected.dtype());
  result.shape = expected.shape();
  result.rule = isFloat(expected.dtype()) ? tolerance.text() : "bits";
  result.elements = expected.elements();
  result.histogram.assign(ulpBuckets().size(), 0);
  Walk(result, got, expected, tolerance, initial).run();
  return result;
}

} // namespace tilewright::tool::verify
