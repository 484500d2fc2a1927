//===- PtxConversions.cpp - cvt of PTX --------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers, floats, tf32 and packed pairs. Each kind
// lists the modifiers that it implements; all others are refused.
//===----------------------------------------------------------------------===//

#include "frontend/sema/builtins/ptx/PtxEvaluator.h"

using namespace tilewright;
using namespace tilewright::sema;
using ast::BinaryOperator;
using ast::CompareOperator;
using llvm::StringRef;

/// How many of the words the instruction has among its suffixes.
static unsigned count(const PtxInstruction &instruction,
                      llvm::ArrayRef<StringRef> words) {
  return llvm::count_if(words,
                        [&](StringRef word) { return instruction.has(word); });
}

static bool isHalf(DType type) {
  return type.is(Scalar::FP16) || type.is(Scalar::BF16);
}

/// Whether the modifiers of a conversion from a float to a float are known.
static bool isKnownFloat(const PtxInstruction &instruction, DType from,
                         DType to) {
  if (to == from)
    return instruction.hasOnly(2, "rni rzi rmi rpi ftz sat") &&
           count(instruction, {"rni", "rzi", "rmi", "rpi"}) <= 1;
  if (to.width() > from.width())
    return instruction.hasOnly(2, from.isFP8() ? "rn relu" : "ftz sat");
  if (count(instruction, {"rn", "rz"}) != 1)
    return false;
  if (to.isFP8())
    return instruction.hasOnly(2, "rn satfinite relu") &&
           instruction.has("satfinite");
  if (isHalf(to) && from.is(Scalar::FP32))
    return instruction.hasOnly(2, "rn rz ftz sat satfinite relu");
  return instruction.hasOnly(2, "rn ftz sat");
}

/// The integral float that rni, rzi, rmi or rpi chooses.
Value PtxEvaluator::roundedToIntegral(Value value,
                                      const PtxInstruction &instruction) {
  StringRef builtin = instruction.has("rni")   ? "libdevice.rint"
                      : instruction.has("rzi") ? "libdevice.trunc"
                      : instruction.has("rmi") ? "tl.floor"
                      : instruction.has("rpi") ? "tl.ceil"
                                               : "";
  if (builtin.empty())
    return value;
  DType type = value.dtype();
  Value wide = type.width() < 32 ? e.cast(value, Scalar::FP32) : value;
  return e.cast(call(builtin, {wide}), type);
}

Value PtxEvaluator::convertFloat(Value value, DType to,
                                 const PtxInstruction &instruction) {
  DType from = value.dtype();
  if (to.isInt()) {
    // The conversion itself saturates and takes NaN to 0, as PTX's does.
    if (!instruction.hasOnly(2, "rni rzi rmi rpi ftz sat") ||
        count(instruction, {"rni", "rzi", "rmi", "rpi"}) != 1)
      return Value::error();
    return e.cast(roundedToIntegral(value, instruction), to);
  }
  if (!to.isFloat() || !isKnownFloat(instruction, from, to))
    return Value::error();
  value = clamped(roundedToIntegral(value, instruction), instruction);
  // To fp8 every conversion saturates.
  if (instruction.has("satfinite") && isHalf(to)) {
    double largest = to.is(Scalar::FP16) ? 65504.0 : 0x1.fep127;
    auto bound = [&](double real) {
      return e.constant(Value::number(real), from, shape);
    };
    value = extremum(value, bound(largest), /*isMax=*/false,
                     /*propagatesNaN=*/true);
    value = extremum(value, bound(-largest), /*isMax=*/true,
                     /*propagatesNaN=*/true);
  }
  return e.cast(value, to,
                instruction.has("rz") ? Rounding::TowardZero
                                      : Rounding::Default);
}

Value PtxEvaluator::convertInt(Value value, DType to,
                               const PtxInstruction &instruction) {
  DType from = value.dtype();
  if (to.isFloat())
    return instruction.hasOnly(2, "rn") && instruction.has("rn")
               ? e.cast(value, to)
               : Value::error();
  if (!instruction.hasOnly(2, "sat"))
    return Value::error();
  if (instruction.has("sat")) {
    unsigned bits = to.width() - to.isSigned();
    if (bits < from.width() - unsigned(from.isSigned()))
      value = e.extremum(value,
                         e.constantInt((uint64_t(1) << bits) - 1, from, shape),
                         /*isMax=*/false, /*propagatesNaN=*/false);
    if (from.isSigned() && (!to.isSigned() || to.width() < from.width()))
      value = e.extremum(
          value,
          e.constantInt(to.isSigned() ? -(int64_t(1) << bits) : 0, from, shape),
          /*isMax=*/true, /*propagatesNaN=*/false);
  }
  return e.cast(value, to);
}

/// To the nearest, ties away (rna) or to even (rn), or toward zero; NaN stays.
Value PtxEvaluator::convertTF32(const PtxInstruction &instruction) {
  if (instruction.suffixes.size() != 3 || instruction.suffixes[2] != "f32" ||
      !instruction.hasOnly(2, "rna rn rz"))
    return Value::error();
  Value given = read(instruction.operands[1], Scalar::FP32);
  if (given.isError())
    return given;
  Value bits = e.bitcast(given, Scalar::U32);
  if (instruction.has("rna"))
    bits = binary(BinaryOperator::Add, bits, u32(0x1000));
  if (instruction.has("rn")) {
    Value isOdd =
        binary(BinaryOperator::BitAnd, shifted(bits, 13, false), u32(1));
    bits = binary(BinaryOperator::Add, bits,
                  binary(BinaryOperator::Add, isOdd, u32(0xfff)));
  }
  bits = binary(BinaryOperator::BitAnd, bits, u32(0xffffe000));
  Value isNumber = e.compare(CompareOperator::Eq, given, given);
  return e.bitcast(e.select(isNumber, bits, u32(0x7fffe000)), Scalar::FP32);
}

/// Two values into one register, the first into its upper half.
Value PtxEvaluator::convertPair(const PtxInstruction &instruction, DType half) {
  llvm::ArrayRef<StringRef> operands = instruction.operands;
  StringRef from = instruction.suffixes.back();
  Value high, low;
  if (std::optional<DType> fromHalf = ptxHalf(from)) {
    // Between fp16 and fp8 only.
    DType wider = half.isFP8() ? *fromHalf : half;
    if (operands.size() != 2 || half.isFP8() == fromHalf->isFP8() ||
        !wider.is(Scalar::FP16))
      return Value::error();
    DType part = DType::integer(fromHalf->width(), false);
    Value both = read(operands[1], DType::integer(2 * part.width(), false));
    if (both.isError())
      return both;
    low = e.bitcast(e.cast(both, part), *fromHalf);
    high =
        e.bitcast(e.cast(shifted(both, part.width(), false), part), *fromHalf);
  } else {
    if (operands.size() != 3 || from != "f32")
      return Value::error();
    high = read(operands[1], Scalar::FP32);
    low = read(operands[2], Scalar::FP32);
  }
  if (high.isError() || low.isError())
    return Value::error();
  high = convertFloat(high, half, instruction);
  low = convertFloat(low, half, instruction);
  if (high.isError() || low.isError())
    return Value::error();
  DType part = DType::integer(half.width(), false);
  DType whole = DType::integer(2 * half.width(), false);
  high = e.cast(e.bitcast(high, part), whole);
  low = e.cast(e.bitcast(low, part), whole);
  return binary(BinaryOperator::BitOr, shifted(high, part.width(), true), low);
}

/// cvt.<modifiers>.<to>.<from>.
Value PtxEvaluator::convert(const PtxInstruction &instruction) {
  if (instruction.suffixes.size() < 2)
    return Value::error();
  StringRef to = instruction.suffixes[instruction.suffixes.size() - 2];
  if (std::optional<DType> half = ptxHalf(to))
    return convertPair(instruction, *half);
  if (instruction.operands.size() != 2)
    return Value::error();
  if (to == "tf32")
    return convertTF32(instruction);
  std::optional<DType> toType = ptxType(to);
  std::optional<DType> fromType = ptxType(instruction.suffixes.back());
  if (!toType || !fromType || toType->isBool() || fromType->isBool())
    return Value::error();
  Value value = read(instruction.operands[1], *fromType);
  if (value.isError())
    return value;
  value = fromType->isFloat() ? convertFloat(value, *toType, instruction)
                              : convertInt(value, *toType, instruction);
  if (value.isError() || !toType->isInt())
    return value;
  // An integer is extended to the register by its own sign.
  auto found = widths.find(instruction.operands[0].str());
  unsigned width = found == widths.end() ? 32 : found->second;
  return width > toType->width()
             ? e.cast(value, DType::integer(width, toType->isSigned()))
             : value;
}
