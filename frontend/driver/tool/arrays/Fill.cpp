//===- Fill.cpp - What `fp32[1000]~normal(seed=1)` holds --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same text gives the same values on every machine: std's distributions
// differ between libraries and are not used.
//===----------------------------------------------------------------------===//

#include "frontend/driver/tool/Failure.h"
#include "frontend/driver/tool/arrays/Array.h"

#include "tilewright/base.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

namespace tilewright::tool {

namespace {

/// `name(a, b, seed=n)` taken apart.
struct Generator {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::string> texts; ///< of the numbers
  uint64_t seed = 0;
};

Generator parseGenerator(const std::string &text) {
  auto bad = [&]() -> Failure {
    return Failure(7013, "expected normal(seed=N), uniform(LO, HI, seed=N), "
                         "integers(LO, HI, seed=N), arange(START, STEP), "
                         "edges(seed=N), values(A, B, ...) or bytes(HEX), "
                         "got '" +
                             text + "'");
  };
  llvm::StringRef rest = llvm::StringRef(text).trim();
  Generator result;
  auto [name, arguments] = rest.split('(');
  if (!arguments.consume_back(")"))
    throw bad();
  result.name = name.trim().str();
  llvm::SmallVector<llvm::StringRef> pieces;
  arguments.split(pieces, ',', -1, false);
  for (llvm::StringRef piece : pieces) {
    piece = piece.trim();
    if (piece.consume_front("seed=")) {
      if (piece.trim().getAsInteger(10, result.seed))
        throw bad();
      continue;
    }
    double number;
    if (piece.getAsDouble(number))
      throw bad();
    result.numbers.push_back(number);
    result.texts.push_back(piece.str());
  }
  bool isPlain = (result.name == "normal" || result.name == "edges") &&
                 result.numbers.empty();
  bool isSteps = (result.name == "arange" && result.numbers.size() == 2) ||
                 (result.name == "values" && !result.numbers.empty());
  bool isRange = (result.name == "uniform" || result.name == "integers") &&
                 (result.numbers.size() == 2 ||
                  (result.numbers.empty() && result.name == "uniform"));
  bool isEmpty = isRange && !result.numbers.empty() &&
                 result.numbers[0] >= result.numbers[1];
  if ((!isPlain && !isRange && !isSteps) || isEmpty)
    throw bad();
  return result;
}

Failure outOfRange(uint32_t dtype, const std::string &number,
                   const std::string &text) {
  return Failure(7013, "expected numbers that " + dtypeName(dtype) +
                           " has, got " + number + " in '" + text + "'");
}

/// Bits of an element; integers drop the fraction and have to be in range.
uint64_t encodeInRange(uint32_t dtype, double value, const std::string &text) {
  if (isFloat(dtype) || dtype == TW_DTYPE_I1)
    return encodeElement(dtype, value);
  int width = static_cast<int>(tw_dtype_bytes(dtype)) * 8;
  bool isSigned = isSignedInteger(dtype);
  double end = std::ldexp(1.0, isSigned ? width - 1 : width); // exclusive
  double whole = std::trunc(value);
  if (!(whole >= (isSigned ? -end : 0.0) && whole < end))
    throw outOfRange(dtype, llvm::formatv("{0:g}", value).str(), text);
  return encodeElement(dtype, value);
}

/// Bits of a number of `values`; integers are exact, those of 64 bits as well.
uint64_t encodeNumber(uint32_t dtype, llvm::StringRef number, double value,
                      const std::string &text) {
  bool isInteger = !isFloat(dtype) && dtype != TW_DTYPE_I1;
  if (!isInteger || number.find_first_not_of("-0123456789") != number.npos)
    return encodeInRange(dtype, value, text);
  llvm::APSInt exact(number);
  unsigned width = tw_dtype_bytes(dtype) * 8;
  bool isSigned = isSignedInteger(dtype), isNegative = exact.isNegative();
  unsigned bits = isNegative ? exact.getSignificantBits()
                             : exact.getActiveBits() + isSigned;
  bool fits = bits <= width && (isSigned || !isNegative);
  if (!fits)
    throw outOfRange(dtype, number.str(), text);
  return exact.extOrTrunc(64).getZExtValue();
}

/// 53 uniform bits in [0, 1); std's distributions differ between libraries.
double unitValue(std::mt19937_64 &engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

/// Box-Muller, one value a call.
double normalValue(std::mt19937_64 &engine) {
  double radius = std::sqrt(-2.0 * std::log(1.0 - unitValue(engine)));
  return radius * std::cos(6.283185307179586 * unitValue(engine));
}

/// Values that rules of arithmetic are about, as bits: zeros, ones, NaN,
/// infinities, the ends of the ranges of subnormal and normal numbers; the ends
/// of the range of integers.
std::vector<uint64_t> edgeValues(uint32_t dtype) {
  unsigned width = tw_dtype_bytes(dtype) * 8;
  uint64_t all = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  uint64_t sign = uint64_t{1} << (width - 1);
  if (dtype == TW_DTYPE_I1)
    return {0, 1};
  if (!isFloat(dtype))
    return {0, 1, 2, all, all - 1, sign, sign - 1, sign + 1, width - 1, width};
  std::vector<uint64_t> values;
  for (double value : {0.0, 1.0, 3.0, 0.1, 1.5, 1000.0})
    values.push_back(encodeElement(dtype, value));
  // Bits of a sign and a magnitude count the representable numbers.
  uint64_t one = encodeElement(dtype, 1.0);
  int fractionBits = -std::ilogb(decodeElement(dtype, one + 1) - 1.0);
  uint64_t leastNormal = uint64_t{1} << fractionBits;
  values.insert(values.end(), {1, 2, leastNormal - 1, leastNormal});
  double infinity = std::numeric_limits<double>::infinity();
  uint64_t largest = encodeElement(dtype, infinity);
  if (!std::isinf(decodeElement(dtype, largest)))
    largest = sign; // the type has no infinity
  do
    --largest;
  while (std::isnan(decodeElement(dtype, largest)));
  values.insert(values.end(), {largest, largest - 1});
  size_t count = values.size();
  for (size_t i = 0; i < count; ++i)
    values.push_back(values[i] | sign);
  for (double value : {infinity, -infinity, std::nan("")})
    values.push_back(encodeElement(dtype, value));
  return values;
}

/// Half edges in random order, half normal numbers (integers: any bits).
void fillWithEdges(Array &array, std::mt19937_64 &engine) {
  std::vector<uint64_t> edges = edgeValues(array.dtype());
  bool hasFloats = isFloat(array.dtype());
  for (int64_t i = 0; i < array.elements(); ++i) {
    uint64_t choice = engine() >> 20;
    if (choice % 2 && array.dtype() != TW_DTYPE_I1)
      array.setBits(i, hasFloats
                           ? encodeElement(array.dtype(), normalValue(engine))
                           : engine());
    else
      array.setBits(i, edges[choice / 2 % edges.size()]);
  }
}

/// `bytes(00803f)`: what memory holds, over and over; false for another text.
bool fillWithBytes(Array &array, llvm::StringRef text) {
  text = text.trim();
  if (!text.consume_front("bytes("))
    return false;
  std::string bytes;
  bool isHex = text.consume_back(")") && !text.empty() &&
               text.size() % 2 == 0 && llvm::tryGetFromHex(text, bytes);
  if (!isHex || array.bytes() % bytes.size() != 0)
    throw Failure(7013,
                  "expected hexadecimal bytes that fill " +
                      std::to_string(array.bytes()) + " bytes, got 'bytes(" +
                      text.take_front(40).str() + "'",
                  "two digits a byte, as the array lies in memory; a part that "
                  "repeats may stand once");
  auto *to = static_cast<char *>(array.data());
  for (uint64_t at = 0; at < array.bytes(); at += bytes.size())
    std::memcpy(to + at, bytes.data(), bytes.size());
  return true;
}

} // namespace

void fillArray(Array &array, const std::string &text) {
  if (fillWithBytes(array, text))
    return;
  Generator generator = parseGenerator(text);
  std::mt19937_64 engine(generator.seed);
  double low = generator.numbers.empty() ? 0.0 : generator.numbers[0];
  double high = generator.numbers.empty() ? 1.0 : generator.numbers[1];
  if (generator.name == "edges")
    return fillWithEdges(array, engine);
  if (generator.name == "values" &&
      generator.numbers.size() != static_cast<size_t>(array.elements()))
    throw Failure(7013, "expected " + std::to_string(array.elements()) +
                            " values, got '" + text + "'");
  if (generator.name == "values") {
    for (size_t i = 0; i < generator.numbers.size(); ++i)
      array.setBits(int64_t(i), encodeNumber(array.dtype(), generator.texts[i],
                                             generator.numbers[i], text));
    return;
  }
  std::function<double()> draw;
  int64_t position = 0;
  if (generator.name == "normal")
    draw = [&] { return normalValue(engine); };
  else if (generator.name == "arange")
    draw = [&] { return low + high * static_cast<double>(position++); };
  else if (generator.name == "uniform")
    draw = [&] { return low + (high - low) * unitValue(engine); };
  else
    draw = [&] { return std::floor(low + (high - low) * unitValue(engine)); };
  for (int64_t i = 0; i < array.elements(); ++i)
    array.setBits(i, encodeInRange(array.dtype(), draw(), text));
}

} // namespace tilewright::tool
