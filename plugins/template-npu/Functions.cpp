//===- Functions.cpp - The functions of the vector unit ---------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements as stored bits, zero-extended. Floats compute in float and round to
// their type; functions compute in double.
//===----------------------------------------------------------------------===//
#include "Simulator.h"

#include "tilewright/portable.h"
#include "tilewright/sdk/numbers.h"

#include <optional>

namespace tilewright::npu {

static int widthOf(uint32_t dtype) {
  return dtype == TW_DTYPE_I1 ? 1 : int(tw_dtype_bytes(dtype)) * 8;
}

static bool isFloat(uint32_t dtype) { return dtype >= TW_DTYPE_F16; }

static int64_t signedOf(uint64_t bits, uint32_t dtype) {
  int unused = 64 - widthOf(dtype);
  return int64_t(bits << unused) >> unused;
}

static uint64_t cut(uint64_t bits, uint32_t dtype) {
  return widthOf(dtype) == 64 ? bits : bits & ((1ull << widthOf(dtype)) - 1);
}

static float numberOf(uint64_t bits, uint32_t dtype) {
  return dtype == TW_DTYPE_F16    ? from_f16(uint16_t(bits))
         : dtype == TW_DTYPE_BF16 ? from_bf16(uint16_t(bits))
                                  : f32_of(uint32_t(bits));
}

static uint64_t storedOf(double number, uint32_t dtype) {
  return dtype == TW_DTYPE_F16    ? to_f16(number)
         : dtype == TW_DTYPE_BF16 ? to_bf16(number)
                                  : f32_bits(float(number));
}

static bool compareFloats(uint32_t predicate, float a, float b) {
  bool isUnordered = a != a || b != b;
  switch (predicate) {
  case TW_PORTABLE_FLOAT_PREDICATE_FALSE:
    return false;
  case TW_PORTABLE_FLOAT_PREDICATE_ORD:
    return !isUnordered;
  case TW_PORTABLE_FLOAT_PREDICATE_UNO:
    return isUnordered;
  case TW_PORTABLE_FLOAT_PREDICATE_TRUE:
    return true;
  case TW_PORTABLE_FLOAT_PREDICATE_OEQ:
    return a == b;
  case TW_PORTABLE_FLOAT_PREDICATE_OGT:
    return a > b;
  case TW_PORTABLE_FLOAT_PREDICATE_OGE:
    return a >= b;
  case TW_PORTABLE_FLOAT_PREDICATE_OLT:
    return a < b;
  case TW_PORTABLE_FLOAT_PREDICATE_OLE:
    return a <= b;
  case TW_PORTABLE_FLOAT_PREDICATE_ONE:
    return a < b || a > b;
  case TW_PORTABLE_FLOAT_PREDICATE_UEQ:
    return !(a < b || a > b);
  case TW_PORTABLE_FLOAT_PREDICATE_UGT:
    return !(a <= b);
  case TW_PORTABLE_FLOAT_PREDICATE_UGE:
    return !(a < b);
  case TW_PORTABLE_FLOAT_PREDICATE_ULT:
    return !(a >= b);
  case TW_PORTABLE_FLOAT_PREDICATE_ULE:
    return !(a > b);
  default:
    return a != b;
  }
}

static bool compareIntegers(uint32_t predicate, uint64_t a, uint64_t b,
                            uint32_t dtype) {
  int64_t x = signedOf(a, dtype), y = signedOf(b, dtype);
  switch (predicate) {
  case TW_PORTABLE_INTEGER_PREDICATE_EQ:
    return a == b;
  case TW_PORTABLE_INTEGER_PREDICATE_NE:
    return a != b;
  case TW_PORTABLE_INTEGER_PREDICATE_SLT:
    return x < y;
  case TW_PORTABLE_INTEGER_PREDICATE_SLE:
    return x <= y;
  case TW_PORTABLE_INTEGER_PREDICATE_SGT:
    return x > y;
  case TW_PORTABLE_INTEGER_PREDICATE_SGE:
    return x >= y;
  case TW_PORTABLE_INTEGER_PREDICATE_ULT:
    return a < b;
  case TW_PORTABLE_INTEGER_PREDICATE_ULE:
    return a <= b;
  case TW_PORTABLE_INTEGER_PREDICATE_UGT:
    return a > b;
  default:
    return a >= b;
  }
}

/// Floats to a float; nothing for another function.
static std::optional<double> onFloats(uint32_t function, float a, float b,
                                      float c) {
  switch (function) {
  case TW_PORTABLE_OP_ARITH_ADDF:
    return a + b;
  case TW_PORTABLE_OP_ARITH_SUBF:
    return a - b;
  case TW_PORTABLE_OP_ARITH_MULF:
    return a * b;
  case TW_PORTABLE_OP_ARITH_DIVF:
    return a / b;
  case TW_PORTABLE_OP_ARITH_NEGF:
    return -a;
  case TW_PORTABLE_OP_ARITH_MAXNUMF:
    return max_number_f(a, b);
  case TW_PORTABLE_OP_ARITH_MINNUMF:
    return min_number_f(a, b);
  case TW_PORTABLE_OP_ARITH_MAXIMUMF:
    return maximum_f(a, b);
  case TW_PORTABLE_OP_ARITH_MINIMUMF:
    return minimum_f(a, b);
  case TW_PORTABLE_OP_ARITH_EXTF:
  case TW_PORTABLE_OP_ARITH_TRUNCF:
    return a;
  case TW_PORTABLE_OP_MATH_ABSF:
    return fabsf(a);
  case TW_PORTABLE_OP_MATH_CEIL:
    return ceilf(a);
  case TW_PORTABLE_OP_MATH_FLOOR:
    return floorf(a);
  case TW_PORTABLE_OP_MATH_SQRT:
    return sqrtf(a);
  case TW_PORTABLE_OP_MATH_RSQRT:
    return 1 / sqrt(double(a));
  case TW_PORTABLE_OP_MATH_EXP:
    return exp(double(a));
  case TW_PORTABLE_OP_MATH_EXP2:
    return exp2(double(a));
  case TW_PORTABLE_OP_MATH_LOG:
    return log(double(a));
  case TW_PORTABLE_OP_MATH_LOG2:
    return log2(double(a));
  case TW_PORTABLE_OP_MATH_TANH:
    return tanh(double(a));
  case TW_PORTABLE_OP_MATH_ERF:
    return erf(double(a));
  case TW_PORTABLE_OP_MATH_SIN:
    return sin(double(a));
  case TW_PORTABLE_OP_MATH_COS:
    return cos(double(a));
  default:
    return std::nullopt;
  }
}

/// Integers to an integer, to be cut to its type.
static uint64_t onIntegers(uint32_t function, uint64_t a, uint64_t b,
                           uint32_t dtype) {
  int width = widthOf(dtype);
  int64_t x = signedOf(a, dtype), y = signedOf(b, dtype);
  switch (function) {
  case TW_PORTABLE_OP_ARITH_ADDI:
    return a + b;
  case TW_PORTABLE_OP_ARITH_SUBI:
    return a - b;
  case TW_PORTABLE_OP_ARITH_MULI:
    return a * b;
  case TW_PORTABLE_OP_ARITH_ANDI:
    return a & b;
  case TW_PORTABLE_OP_ARITH_ORI:
    return a | b;
  case TW_PORTABLE_OP_ARITH_XORI:
    return a ^ b;
  case TW_PORTABLE_OP_ARITH_DIVSI:
    return uint64_t(div_signed(x, y));
  case TW_PORTABLE_OP_ARITH_DIVUI:
    return div_unsigned(a, b);
  case TW_PORTABLE_OP_ARITH_REMSI:
    return uint64_t(rem_signed(x, y));
  case TW_PORTABLE_OP_ARITH_REMUI:
    return rem_unsigned(a, b);
  case TW_PORTABLE_OP_ARITH_SHLI:
    return shift_left(a, b, width);
  case TW_PORTABLE_OP_ARITH_SHRSI:
    return uint64_t(shift_right_signed(x, b, width));
  case TW_PORTABLE_OP_ARITH_SHRUI:
    return shift_right_unsigned(a, b, width);
  case TW_PORTABLE_OP_ARITH_MAXSI:
    return x > y ? a : b;
  case TW_PORTABLE_OP_ARITH_MINSI:
    return x < y ? a : b;
  case TW_PORTABLE_OP_ARITH_MAXUI:
    return a > b ? a : b;
  case TW_PORTABLE_OP_ARITH_MINUI:
    return a < b ? a : b;
  case TW_PORTABLE_OP_KERNEL_MULHI:
    return high_half(a, b, width);
  case TW_PORTABLE_OP_MATH_ABSI:
    return x < 0 ? 0 - a : a;
  case TW_PORTABLE_OP_ARITH_EXTSI:
    return uint64_t(x);
  default: // casts that keep the bits
    return a;
  }
}

uint64_t evaluate(uint32_t function, uint32_t detail, uint32_t from,
                  uint32_t to, uint64_t a, uint64_t b, uint64_t c) {
  switch (function) {
  case TW_PORTABLE_OP_ARITH_SELECT:
    return a ? b : c;
  case TW_PORTABLE_OP_ARITH_CMPI:
    return compareIntegers(detail, a, b, from);
  case TW_PORTABLE_OP_ARITH_CMPF:
    return compareFloats(detail, numberOf(a, from), numberOf(b, from));
  case TW_PORTABLE_OP_ARITH_BITCAST:
    return a;
  case TW_PORTABLE_OP_ARITH_SITOFP:
    return to == TW_DTYPE_F32 ? f32_bits(float(signedOf(a, from)))
                              : storedOf(odd_signed(signedOf(a, from)), to);
  case TW_PORTABLE_OP_ARITH_UITOFP:
    return to == TW_DTYPE_F32 ? f32_bits(float(a))
                              : storedOf(odd_unsigned(a), to);
  case TW_PORTABLE_OP_ARITH_FPTOSI:
    return cut(uint64_t(to_signed(numberOf(a, from), widthOf(to))), to);
  case TW_PORTABLE_OP_ARITH_FPTOUI:
    return to_unsigned(numberOf(a, from), widthOf(to));
  case TW_PORTABLE_OP_KERNEL_ADDPTR:
    return a + uint64_t(signedOf(b, from) * int64_t(detail));
  case TW_PORTABLE_OP_MATH_FMA:
    return to == TW_DTYPE_F32
               ? f32_bits(fmaf(numberOf(a, from), numberOf(b, from),
                               numberOf(c, from)))
               : storedOf(odd_fma(numberOf(a, from), numberOf(b, from),
                                  numberOf(c, from)),
                          to);
  }
  if (!isFloat(from))
    return cut(onIntegers(function, a, b, from), to);
  auto number = onFloats(function, numberOf(a, from), numberOf(b, from), 0);
  return number ? storedOf(*number, to) : 0;
}

} // namespace tilewright::npu
