//===- Packing.cpp - Values to argument block -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that does not fit its parameter is refused, never wrapped.
//===----------------------------------------------------------------------===//
#include "runtime/Packing.h"

#include "runtime/State.h"
#include "runtime/artifact/ManifestNames.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tilewright::runtime {

/// Rounds straight from double, because a stop at float would round twice.
static uint16_t roundTo(double value, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  const uint32_t sign = std::signbit(value) ? 0x8000u : 0;
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | infinity | (1u << (mantissaBits - 1)));
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return static_cast<uint16_t>(sign | infinity);
  if (magnitude == 0)
    return static_cast<uint16_t>(sign);
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  if (exponent > bias)
    return static_cast<uint16_t>(sign | infinity);
  // In units of the last place; up to 2^(mantissaBits + 1), exact in double.
  double units = std::nearbyint(std::ldexp(magnitude, mantissaBits - exponent));
  // The carry of the rounding moves into the exponent by itself.
  uint32_t bits = static_cast<uint32_t>(units) +
                  (static_cast<uint32_t>(exponent + bias - 1) << mantissaBits);
  return static_cast<uint16_t>(sign | std::min(bits, infinity));
}

uint16_t roundToHalf(double value) { return roundTo(value, 5, 10); }
uint16_t roundToBfloat(double value) { return roundTo(value, 8, 7); }

static bool refuseKind(const artifact::Parameter &parameter,
                       const char *expected, Problem &problem) {
  return problem.set(TW_E_INVALID_ARGUMENT, 6004,
                     "argument '" + parameter.name + "': expected " + expected,
                     "the kernel's type is " + artifact::typeOf(parameter));
}

template <typename T>
static bool store(const artifact::Parameter &parameter, void *block, T value) {
  std::memcpy(static_cast<char *>(block) + parameter.offset, &value,
              sizeof value);
  return true;
}

/// An integer value as sign and 64 bits: negative ones only with INT.
template <typename T>
static bool storeInteger(const artifact::Parameter &parameter, void *block,
                         const tw_rt_value &value, Problem &problem,
                         uint64_t largest = std::numeric_limits<T>::max()) {
  bool negative = value.kind == TW_RT_VALUE_INT && value.integer < 0;
  uint64_t bits = value.kind == TW_RT_VALUE_INT
                      ? static_cast<uint64_t>(value.integer)
                      : value.address;
  bool fits = negative
                  ? std::is_signed_v<T> &&
                        value.integer >=
                            static_cast<int64_t>(std::numeric_limits<T>::min())
                  : bits <= largest;
  if (fits)
    return store(parameter, block, static_cast<T>(bits));
  return problem.set(
      TW_E_OUT_OF_RANGE, 6005,
      "argument '" + parameter.name + "': expected a value that fits " +
          artifact::wordOf(artifact::dtypeWords, parameter.dtype) + ", got " +
          (negative ? std::to_string(value.integer) : std::to_string(bits)),
      "change the signature to a wider type or pass a smaller value");
}

static bool packInteger(const artifact::Parameter &parameter,
                        const tw_rt_value &value, void *block,
                        Problem &problem) {
  if (value.kind != TW_RT_VALUE_INT && value.kind != TW_RT_VALUE_UINT)
    return refuseKind(parameter, "an integer", problem);
  switch (parameter.dtype) {
  case TW_DTYPE_I1:
    return storeInteger<uint8_t>(parameter, block, value, problem, 1);
  case TW_DTYPE_I8:
    return storeInteger<int8_t>(parameter, block, value, problem);
  case TW_DTYPE_I16:
    return storeInteger<int16_t>(parameter, block, value, problem);
  case TW_DTYPE_I32:
    return storeInteger<int32_t>(parameter, block, value, problem);
  case TW_DTYPE_I64:
    return storeInteger<int64_t>(parameter, block, value, problem);
  case TW_DTYPE_U8:
    return storeInteger<uint8_t>(parameter, block, value, problem);
  case TW_DTYPE_U16:
    return storeInteger<uint16_t>(parameter, block, value, problem);
  case TW_DTYPE_U32:
    return storeInteger<uint32_t>(parameter, block, value, problem);
  default:
    return storeInteger<uint64_t>(parameter, block, value, problem);
  }
}

static bool packFloat(const artifact::Parameter &parameter,
                      const tw_rt_value &value, void *block, Problem &problem) {
  double number;
  if (value.kind == TW_RT_VALUE_FLOAT)
    number = value.number;
  else if (value.kind == TW_RT_VALUE_INT)
    number = static_cast<double>(value.integer);
  else
    return refuseKind(parameter, "a number", problem);
  switch (parameter.dtype) {
  case TW_DTYPE_F16:
    return store(parameter, block, roundToHalf(number));
  case TW_DTYPE_BF16:
    return store(parameter, block, roundToBfloat(number));
  case TW_DTYPE_F32:
    return store(parameter, block, static_cast<float>(number));
  case TW_DTYPE_F64:
    return store(parameter, block, number);
  default:
    return refuseKind(parameter, "a packed block for an 8-bit float", problem);
  }
}

static bool packPointer(const artifact::Parameter &parameter,
                        const tw_rt_value &value, void *block,
                        Problem &problem) {
  // Tensors whose storage was freed, or never made, have a size all the same.
  if (value.kind == TW_RT_VALUE_ADDRESS && !value.address && value.bytes)
    return problem.set(TW_E_INVALID_ARGUMENT, 6021,
                       "argument '" + parameter.name +
                           "': expected memory, got address 0 with " +
                           std::to_string(value.bytes) + " bytes");
  if (value.kind == TW_RT_VALUE_ADDRESS)
    return store(parameter, block, value.address);
  if (value.kind != TW_RT_VALUE_BUFFER || !value.buffer)
    return refuseKind(parameter, "a buffer or an address", problem);
  if (value.integer < 0 ||
      static_cast<uint64_t>(value.integer) > value.buffer->bytes)
    return problem.set(TW_E_OUT_OF_RANGE, 6008,
                       "argument '" + parameter.name +
                           "': expected an offset inside a buffer of " +
                           std::to_string(value.buffer->bytes) +
                           " bytes, got " + std::to_string(value.integer));
  return store(parameter, block,
               value.buffer->address + static_cast<uint64_t>(value.integer));
}

bool packValue(const artifact::Parameter &parameter, const tw_rt_value &value,
               void *block, Problem &problem) {
  if (parameter.kind == TW_PARAMETER_USER_POINTER)
    return packPointer(parameter, value, block, problem);
  if (parameter.dtype <= TW_DTYPE_U64)
    return packInteger(parameter, value, block, problem);
  return packFloat(parameter, value, block, problem);
}

} // namespace tilewright::runtime
