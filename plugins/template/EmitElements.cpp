//===- EmitElements.cpp - Types and elementwise operations ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats compute as float or double and are stored rounded to their type, once:
// sums, products, quotients and roots of small floats in float round right.
// Functions compute in double, which is within 1 ulp after rounding to float.
//===----------------------------------------------------------------------===//
#include "Emitter.h"

namespace tilewright::template_ {

//===--- Types ------------------------------------------------------------===//

namespace {
struct Element {
  const char *storage;
  const char *bits;  ///< unsigned, as wide
  const char *small; ///< the name in from_... and to_..., of small floats
  unsigned width;
};
} // namespace

static const Element &elementOf(uint32_t dtype) {
  static const Element rows[TW_DTYPE_COUNT] = {
      {"void", "void", nullptr, 0},
      {"uint8_t", "uint8_t", nullptr, 1},
      {"int8_t", "uint8_t", nullptr, 8},
      {"int16_t", "uint16_t", nullptr, 16},
      {"int32_t", "uint32_t", nullptr, 32},
      {"int64_t", "uint64_t", nullptr, 64},
      {},
      {},
      {},
      {},
      {"uint16_t", "uint16_t", "f16", 16},
      {"uint16_t", "uint16_t", "bf16", 16},
      {"float", "uint32_t", nullptr, 32},
      {"double", "uint64_t", nullptr, 64},
      {"uint8_t", "uint8_t", "f8e4m3fn", 8},
      {"uint8_t", "uint8_t", "f8e5m2", 8},
      {"uint8_t", "uint8_t", "f8e4m3fnuz", 8},
      {"uint8_t", "uint8_t", "f8e5m2fnuz", 8},
      {}};
  return rows[dtype];
}

std::string storageType(const Type &type) {
  return type.isPointer() ? "uint64_t" : elementOf(type.element).storage;
}

std::string unsignedType(const Type &type) {
  return type.isPointer() ? "uint64_t" : elementOf(type.element).bits;
}

unsigned widthOf(uint32_t dtype) { return elementOf(dtype).width; }

uint64_t storageBytes(const Type &type) {
  return type.count() * (type.isPointer() ? 8 : tw_dtype_bytes(type.element));
}

std::string asNumber(const std::string &stored, uint32_t dtype) {
  const char *small = elementOf(dtype).small;
  return small ? fill("from_$0($1)", {small, stored}) : stored;
}

std::string asStored(const std::string &number, uint32_t dtype) {
  const char *small = elementOf(dtype).small;
  return small ? fill("to_$0($1)", {small, number})
               : fill("($0)($1)", {elementOf(dtype).storage, number});
}

std::string constantText(uint64_t bits, uint32_t dtype) {
  std::string number = std::to_string(bits) + "ull";
  if (dtype == TW_DTYPE_F32)
    return "f32_of(" + number + ")";
  if (dtype == TW_DTYPE_F64)
    return "f64_of(" + number + ")";
  return fill("($0)$1", {elementOf(dtype).storage, number});
}

//===--- Tables -----------------------------------------------------------===//

/// Integers: $0 and $1 are the operands as stored, $2 the width, $3 the
/// unsigned type. What comes out is cut to the type.
static const std::map<uint32_t, const char *> integerRows = {
    {TW_PORTABLE_OP_ARITH_ADDI, "($3)$0 + ($3)$1"},
    {TW_PORTABLE_OP_ARITH_SUBI, "($3)$0 - ($3)$1"},
    {TW_PORTABLE_OP_ARITH_MULI, "(uint64_t)$0 * (uint64_t)$1"},
    {TW_PORTABLE_OP_ARITH_ANDI, "$0 & $1"},
    {TW_PORTABLE_OP_ARITH_ORI, "$0 | $1"},
    {TW_PORTABLE_OP_ARITH_XORI, "$0 ^ $1"},
    {TW_PORTABLE_OP_ARITH_DIVSI, "div_signed($0, $1)"},
    {TW_PORTABLE_OP_ARITH_DIVUI, "div_unsigned(($3)$0, ($3)$1)"},
    {TW_PORTABLE_OP_ARITH_REMSI, "rem_signed($0, $1)"},
    {TW_PORTABLE_OP_ARITH_REMUI, "rem_unsigned(($3)$0, ($3)$1)"},
    {TW_PORTABLE_OP_ARITH_SHLI, "shift_left(($3)$0, ($3)$1, $2)"},
    {TW_PORTABLE_OP_ARITH_SHRUI, "shift_right_unsigned(($3)$0, ($3)$1, $2)"},
    {TW_PORTABLE_OP_ARITH_SHRSI, "shift_right_signed($0, ($3)$1, $2)"},
    {TW_PORTABLE_OP_ARITH_MAXUI, "($3)$0 > ($3)$1 ? $0 : $1"},
    {TW_PORTABLE_OP_ARITH_MINUI, "($3)$0 < ($3)$1 ? $0 : $1"},
    {TW_PORTABLE_OP_KERNEL_MULHI, "high_half(($3)$0, ($3)$1, $2)"},
    {TW_PORTABLE_OP_MATH_ABSI, "$0 < 0 ? 0 - ($3)$0 : ($3)$0"},
    {TW_PORTABLE_OP_MATH_CTLZ, "leading_zeros(($3)$0, $2)"},
    {TW_PORTABLE_OP_MATH_CTTZ, "trailing_zeros(($3)$0, $2)"},
    {TW_PORTABLE_OP_MATH_CTPOP, "__builtin_popcountll(($3)$0)"},
};

/// Floats: $0 and $1 are the operands as numbers, $2 is "f" for float (the
/// suffix of C's functions), $3 "f" or "d".
static const std::map<uint32_t, const char *> floatRows = {
    {TW_PORTABLE_OP_ARITH_ADDF, "$0 + $1"},
    {TW_PORTABLE_OP_ARITH_SUBF, "$0 - $1"},
    {TW_PORTABLE_OP_ARITH_MULF, "$0 * $1"},
    {TW_PORTABLE_OP_ARITH_DIVF, "$0 / $1"},
    {TW_PORTABLE_OP_ARITH_REMF, "fmod$2($0, $1)"},
    {TW_PORTABLE_OP_ARITH_NEGF, "-$0"},
    {TW_PORTABLE_OP_ARITH_MAXNUMF, "max_number_$3($0, $1)"},
    {TW_PORTABLE_OP_ARITH_MINNUMF, "min_number_$3($0, $1)"},
    {TW_PORTABLE_OP_ARITH_MAXIMUMF, "maximum_$3($0, $1)"},
    {TW_PORTABLE_OP_ARITH_MINIMUMF, "minimum_$3($0, $1)"},
    {TW_PORTABLE_OP_MATH_ABSF, "fabs$2($0)"},
    {TW_PORTABLE_OP_MATH_COPYSIGN, "copysign$2($0, $1)"},
    {TW_PORTABLE_OP_MATH_FLOOR, "floor$2($0)"},
    {TW_PORTABLE_OP_MATH_CEIL, "ceil$2($0)"},
    {TW_PORTABLE_OP_MATH_TRUNC, "trunc$2($0)"},
    {TW_PORTABLE_OP_MATH_ROUND, "round$2($0)"},
    {TW_PORTABLE_OP_MATH_ROUNDEVEN, "rint$2($0)"},
    {TW_PORTABLE_OP_MATH_SQRT, "sqrt$2($0)"},
    {TW_PORTABLE_OP_MATH_RSQRT, "1 / sqrt((double)$0)"},
    {TW_PORTABLE_OP_MATH_ACOS, "acos((double)$0)"},
    {TW_PORTABLE_OP_MATH_ACOSH, "acosh((double)$0)"},
    {TW_PORTABLE_OP_MATH_ASIN, "asin((double)$0)"},
    {TW_PORTABLE_OP_MATH_ASINH, "asinh((double)$0)"},
    {TW_PORTABLE_OP_MATH_ATAN, "atan((double)$0)"},
    {TW_PORTABLE_OP_MATH_ATAN2, "atan2((double)$0, (double)$1)"},
    {TW_PORTABLE_OP_MATH_ATANH, "atanh((double)$0)"},
    {TW_PORTABLE_OP_MATH_CBRT, "cbrt((double)$0)"},
    {TW_PORTABLE_OP_MATH_COS, "cos((double)$0)"},
    {TW_PORTABLE_OP_MATH_COSH, "cosh((double)$0)"},
    {TW_PORTABLE_OP_MATH_ERF, "erf((double)$0)"},
    {TW_PORTABLE_OP_MATH_ERFC, "erfc((double)$0)"},
    {TW_PORTABLE_OP_MATH_EXP, "exp((double)$0)"},
    {TW_PORTABLE_OP_MATH_EXP2, "exp2((double)$0)"},
    {TW_PORTABLE_OP_MATH_EXPM1, "expm1((double)$0)"},
    {TW_PORTABLE_OP_MATH_LOG, "log((double)$0)"},
    {TW_PORTABLE_OP_MATH_LOG10, "log10((double)$0)"},
    {TW_PORTABLE_OP_MATH_LOG1P, "log1p((double)$0)"},
    {TW_PORTABLE_OP_MATH_LOG2, "log2((double)$0)"},
    {TW_PORTABLE_OP_MATH_POWF, "pow((double)$0, (double)$1)"},
    {TW_PORTABLE_OP_MATH_SIN, "sin((double)$0)"},
    {TW_PORTABLE_OP_MATH_SINH, "sinh((double)$0)"},
    {TW_PORTABLE_OP_MATH_TAN, "tan((double)$0)"},
    {TW_PORTABLE_OP_MATH_TANH, "tanh((double)$0)"},
};

/// Tests of floats, which give an i1.
static const std::map<uint32_t, const char *> testRows = {
    {TW_PORTABLE_OP_MATH_ISFINITE, "isfinite($0) != 0"},
    {TW_PORTABLE_OP_MATH_ISINF, "isinf($0) != 0"},
    {TW_PORTABLE_OP_MATH_ISNAN, "isnan($0) != 0"},
};

//===--- Comparisons and conversions --------------------------------------===//

/// An i1 counts as 0 and -1 where signs matter.
static std::string signedText(const std::string &stored, uint32_t dtype) {
  return dtype == TW_DTYPE_I1 ? "-(int)" + stored : stored;
}

static std::string compareIntegers(const Op &op, const std::string &a,
                                   const std::string &b) {
  static const struct {
    const char *text;
    bool isSigned;
  } rows[] = {{"==", false}, {"!=", false}, {"<", true},  {"<=", true},
              {">", true},   {">=", true},  {"<", false}, {"<=", false},
              {">", false},  {">=", false}};
  const Type &type = *op.operand(0).type;
  const auto &row = rows[op.number(TW_PORTABLE_ATTR_INTEGER_PREDICATE)];
  if (row.isSigned)
    return fill("$0 $1 $2", {signedText(a, type.element), row.text,
                             signedText(b, type.element)});
  return fill("($0)$1 $2 ($0)$3", {unsignedType(type), a, row.text, b});
}

static std::string compareFloats(const Op &op, const std::string &a,
                                 const std::string &b) {
  static const char *const rows[] = {"0",
                                     "$0 == $1",
                                     "$0 > $1",
                                     "$0 >= $1",
                                     "$0 < $1",
                                     "$0 <= $1",
                                     "$0 < $1 || $0 > $1",
                                     "$0 == $0 && $1 == $1",
                                     "!($0 < $1 || $0 > $1)",
                                     "!($0 <= $1)",
                                     "!($0 < $1)",
                                     "!($0 >= $1)",
                                     "!($0 > $1)",
                                     "!($0 == $1)",
                                     "$0 != $0 || $1 != $1",
                                     "1"};
  return fill(rows[op.number(TW_PORTABLE_ATTR_FLOAT_PREDICATE)], {a, b});
}

static std::string roundFloat(const Op &op, const std::string &number,
                              uint32_t dtype) {
  int64_t rounding = op.number(TW_PORTABLE_ATTR_ROUNDING);
  bool saturates = op.has(TW_PORTABLE_ATTR_SATURATE);
  if (rounding == 0 && !saturates)
    return asStored(number, dtype);
  // The modes of the prelude, in the order of the enumeration.
  static const char *const modes[] = {"NEAREST", "DOWN", "UP", "TOWARD_ZERO",
                                      "NEAREST_AWAY"};
  const char *small = elementOf(dtype).small;
  return fill("round_to_$0($1, $2, $3)", {small ? small : "f32", number,
                                          modes[rounding], text(saturates)});
}

static std::string bitsOf(const std::string &stored, uint32_t dtype) {
  return dtype == TW_DTYPE_F32   ? "f32_bits(" + stored + ")"
         : dtype == TW_DTYPE_F64 ? "f64_bits(" + stored + ")"
                                 : stored;
}

static std::string ofBits(const std::string &bits, uint32_t dtype) {
  return dtype == TW_DTYPE_F32 ? "f32_of(" + bits + ")"
         : dtype == TW_DTYPE_F64
             ? "f64_of(" + bits + ")"
             : fill("($0)$1", {elementOf(dtype).storage, bits});
}

/// Integer to float, rounded once.
static std::string integerToFloat(const std::string &integer, bool isSigned,
                                  unsigned width, uint32_t to) {
  if (elementOf(to).small && width > 32)
    return asStored(
        fill(isSigned ? "odd_signed($0)" : "odd_unsigned($0)", {integer}), to);
  // A double holds 32 bits; C rounds once to float and double.
  return asStored(elementOf(to).small ? "(double)(" + integer + ")" : integer,
                  to);
}

static std::string convert(const Op &op, const std::string &a) {
  uint32_t from = op.operand(0).type->element, to = op.result().type->element;
  std::string asUnsigned = fill("($0)$1", {elementOf(from).bits, a});
  switch (op.id) {
  case TW_PORTABLE_OP_ARITH_BITCAST:
    return ofBits(bitsOf(a, from), to);
  case TW_PORTABLE_OP_ARITH_EXTF:
    return asStored(asNumber(a, from), to);
  case TW_PORTABLE_OP_ARITH_TRUNCF:
    return roundFloat(op, asNumber(a, from), to);
  case TW_PORTABLE_OP_ARITH_EXTSI:
    return fill("($0)$1", {elementOf(to).storage, signedText(a, from)});
  case TW_PORTABLE_OP_ARITH_EXTUI:
    return fill("($0)$1", {elementOf(to).storage, asUnsigned});
  case TW_PORTABLE_OP_ARITH_TRUNCI:
    return fill(to == TW_DTYPE_I1 ? "($0)($1 & 1)" : "($0)$1",
                {elementOf(to).storage, a});
  case TW_PORTABLE_OP_ARITH_SITOFP:
    return integerToFloat(signedText(a, from), true, elementOf(from).width, to);
  case TW_PORTABLE_OP_ARITH_UITOFP:
    return integerToFloat(asUnsigned, false, elementOf(from).width, to);
  case TW_PORTABLE_OP_ARITH_FPTOSI:
    return fill(
        to == TW_DTYPE_I1 ? "($0)(to_signed($1, 1) & 1)"
                          : "($0)to_signed($1, $2)",
        {elementOf(to).storage, asNumber(a, from), text(elementOf(to).width)});
  case TW_PORTABLE_OP_ARITH_FPTOUI:
    return fill(
        "($0)to_unsigned($1, $2)",
        {elementOf(to).storage, asNumber(a, from), text(elementOf(to).width)});
  }
  return "";
}

static std::string fusedMultiplyAdd(const std::vector<std::string> &numbers,
                                    uint32_t dtype) {
  const char *pattern = elementOf(dtype).small  ? "odd_fma($0, $1, $2)"
                        : dtype == TW_DTYPE_F32 ? "fmaf($0, $1, $2)"
                                                : "fma($0, $1, $2)";
  return asStored(fill(pattern, numbers), dtype);
}

static std::string pointerText(const Op &op,
                               const std::vector<std::string> &operands) {
  switch (op.id) {
  case TW_PORTABLE_OP_KERNEL_ADDPTR:
    return fill("$0 + (uint64_t)((int64_t)$1 * $2)",
                {operands[0], operands[1],
                 text(tw_dtype_bytes(op.result().type->element))});
  case TW_PORTABLE_OP_KERNEL_INT_TO_PTR:
  case TW_PORTABLE_OP_KERNEL_PTR_CAST:
    return "(uint64_t)" + operands[0];
  case TW_PORTABLE_OP_KERNEL_PTR_TO_INT:
    return "(int64_t)" + operands[0];
  }
  return "";
}

static std::string integerText(const Op &op, const char *pattern,
                               const std::vector<std::string> &operands) {
  const Type &type = *op.result().type;
  bool isBoolean = type.element == TW_DTYPE_I1;
  std::string expression =
      fill(pattern, {operands[0], operands.size() > 1 ? operands[1] : "",
                     text(widthOf(type.element)), unsignedType(type)});
  return fill(isBoolean ? "($0)(($1) & 1)" : "($0)($1)",
              {storageType(type), expression});
}

std::string elementwiseText(const Op &op,
                            const std::vector<std::string> &operands) {
  if (operands.empty() || op.results.size() != 1)
    return "";
  uint32_t dtype = op.operand(0).type->element;
  std::vector<std::string> numbers;
  for (const std::string &operand : operands)
    numbers.push_back(asNumber(operand, dtype));
  numbers.resize(std::max<size_t>(numbers.size(), 2));
  bool isDouble = dtype == TW_DTYPE_F64;
  if (auto row = integerRows.find(op.id); row != integerRows.end())
    return integerText(op, row->second, operands);
  if (auto row = floatRows.find(op.id); row != floatRows.end())
    return asStored(
        fill(row->second, {numbers[0], numbers[1], isDouble ? "" : "f",
                           isDouble ? "d" : "f"}),
        op.result().type->element);
  if (auto row = testRows.find(op.id); row != testRows.end())
    return fill(row->second, {numbers[0]});
  switch (op.id) {
  case TW_PORTABLE_OP_ARITH_MAXSI:
  case TW_PORTABLE_OP_ARITH_MINSI:
    return fill("$0 $1 $2 ? $3 : $4",
                {signedText(operands[0], dtype),
                 op.id == TW_PORTABLE_OP_ARITH_MAXSI ? ">" : "<",
                 signedText(operands[1], dtype), operands[0], operands[1]});
  case TW_PORTABLE_OP_ARITH_CMPI:
    return compareIntegers(op, operands[0], operands[1]);
  case TW_PORTABLE_OP_ARITH_CMPF:
    return compareFloats(op, numbers[0], numbers[1]);
  case TW_PORTABLE_OP_ARITH_SELECT:
    return fill("$0 ? $1 : $2", operands);
  case TW_PORTABLE_OP_MATH_FMA:
    return fusedMultiplyAdd(numbers, dtype);
  }
  std::string pointer = pointerText(op, operands);
  return pointer.empty() ? convert(op, operands[0]) : pointer;
}

} // namespace tilewright::template_
