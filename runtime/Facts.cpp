//===- Facts.cpp - Does a variant allow these arguments? --------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot be shown to hold counts as broken: the launcher then takes a more
// general variant or refuses.
//===----------------------------------------------------------------------===//
#include "runtime/Facts.h"

#include "tilewright/expression.h"

#include <cstring>

namespace tilewright::runtime {

template <typename T> static int64_t load(const void *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<int64_t>(value);
}

int64_t readArgument(const artifact::Parameter &parameter, const void *block) {
  const char *at = static_cast<const char *>(block) + parameter.offset;
  if (parameter.kind == TW_PARAMETER_USER_POINTER)
    return load<int64_t>(at);
  switch (parameter.dtype) {
  case TW_DTYPE_I1:
  case TW_DTYPE_U8:
    return load<uint8_t>(at);
  case TW_DTYPE_I8:
    return load<int8_t>(at);
  case TW_DTYPE_I16:
    return load<int16_t>(at);
  case TW_DTYPE_U16:
    return load<uint16_t>(at);
  case TW_DTYPE_I32:
    return load<int32_t>(at);
  case TW_DTYPE_U32:
    return load<uint32_t>(at);
  case TW_DTYPE_I64:
  case TW_DTYPE_U64:
    return load<int64_t>(at);
  default:
    return 0; // floating point: no fact and no expression reads it
  }
}

namespace {
/// Extents of the arguments of one launch, each found once: eight pointers make
/// 28 pairs.
class KnownExtents {
public:
  KnownExtents(const artifact::Kernel &kernel, const void *block,
               ExtentSource source)
      : kernel(kernel), block(block), source(source) {}

  Extent of(uint32_t argument) {
    if (argument >= std::size(begins))
      return find(argument);
    uint64_t bit = uint64_t(1) << argument;
    if (!(asked & bit)) {
      Extent found = find(argument);
      asked |= bit;
      known |= found.known ? bit : 0;
      begins[argument] = found.begin;
      ends[argument] = found.end;
    }
    return {begins[argument], ends[argument], (known & bit) != 0};
  }

private:
  Extent find(uint32_t argument) const {
    int64_t value = readArgument(kernel.parameters[argument], block);
    return source.find(source.ctx, argument, static_cast<uint64_t>(value));
  }

  const artifact::Kernel &kernel;
  const void *block;
  ExtentSource source;
  uint64_t asked = 0, known = 0; // a bit an argument
  uint64_t begins[64], ends[64]; // those that were asked for
};
} // namespace

static bool areDisjoint(const Extent &a, const Extent &b) {
  if (!a.known || !b.known)
    return false;
  return a.begin == a.end || b.begin == b.end || a.end <= b.begin ||
         b.end <= a.begin;
}

static bool isMultiple(const artifact::Parameter &parameter, int64_t value,
                       int64_t divisor) {
  bool isUnsigned = parameter.kind == TW_PARAMETER_USER_POINTER ||
                    parameter.dtype == TW_DTYPE_U64;
  return isUnsigned
             ? static_cast<uint64_t>(value) % static_cast<uint64_t>(divisor) ==
                   0
             : value % divisor == 0;
}

static bool holds(const artifact::Kernel &kernel, const tw_fact &fact,
                  const void *block, KnownExtents &extents) {
  if (fact.kind == TW_FACT_DISJOINT)
    return areDisjoint(extents.of(fact.argument), extents.of(fact.other));
  const artifact::Parameter &parameter = kernel.parameters[fact.argument];
  int64_t value = readArgument(parameter, block);
  switch (fact.kind) {
  case TW_FACT_DIVISIBLE:
    return isMultiple(parameter, value, fact.value);
  case TW_FACT_VALUE:
    return value == fact.value;
  case TW_FACT_RANGE:
    return fact.value <= value && value <= fact.upper;
  case TW_FACT_READONLY:
    return true; // a promise of the kernel, not of the caller
  default:
    return false; // what is not known cannot be shown
  }
}

static bool predicateHolds(const artifact::Kernel &kernel, const void *block,
                           const tw_rt_grid &grid) {
  int64_t few[32];
  std::vector<int64_t> many;
  int64_t *values = few;
  if (kernel.parameters.size() > std::size(few)) {
    many.resize(kernel.parameters.size());
    values = many.data();
  }
  uint64_t count = 0;
  for (const artifact::Parameter &parameter : kernel.parameters)
    if (parameter.kind <= TW_PARAMETER_USER_POINTER)
      values[count++] = readArgument(parameter, block);
  tw_expr_input input = {values, count, {grid.x, grid.y, grid.z}};
  int64_t result = 0;
  return tw_expr_evaluate({kernel.predicate.data(), kernel.predicate.size()},
                          &input, &result) &&
         result != 0;
}

int64_t firstBrokenFact(const artifact::Kernel &kernel, const void *block,
                        const tw_rt_grid &grid, ExtentSource source) {
  KnownExtents extents(kernel, block, source);
  for (size_t i = 0; i < kernel.facts.size(); ++i)
    if (!holds(kernel, kernel.facts[i], block, extents))
      return static_cast<int64_t>(i);
  if (!kernel.predicate.empty() && !predicateHolds(kernel, block, grid))
    return static_cast<int64_t>(kernel.facts.size());
  return -1;
}

std::string describeBrokenFact(const artifact::Kernel &kernel,
                               const void *block, int64_t index) {
  if (index == static_cast<int64_t>(kernel.facts.size()))
    return "the arguments do not meet the condition that the kernel was "
           "compiled for";
  const tw_fact &fact = kernel.facts[static_cast<size_t>(index)];
  const artifact::Parameter &parameter = kernel.parameters[fact.argument];
  std::string value = std::to_string(readArgument(parameter, block));
  std::string text = "argument '" + parameter.name + "' is " + value;
  switch (fact.kind) {
  case TW_FACT_DIVISIBLE:
    return text + ", the kernel was compiled for multiples of " +
           std::to_string(fact.value);
  case TW_FACT_VALUE:
    return text + ", the kernel was compiled for " + std::to_string(fact.value);
  case TW_FACT_RANGE:
    return text + ", the kernel was compiled for " +
           std::to_string(fact.value) + " to " + std::to_string(fact.upper);
  default:
    return "arguments '" + parameter.name + "' and '" +
           kernel.parameters[fact.other].name +
           "' overlap or their sizes are not known, the kernel was compiled "
           "for separate buffers";
  }
}

} // namespace tilewright::runtime
