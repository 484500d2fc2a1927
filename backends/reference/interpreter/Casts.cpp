//===- Casts.cpp - Conversions between types -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every cast rounds at most once, from the exact source value.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Interpreter.h"
#include "backends/reference/interpreter/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::reference {

static Type from(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0).getType());
}
static Type to(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType());
}

static Element makeSame(Operation *) {
  return [](const uint64_t *in) { return in[0]; };
}

static Element makeTruncate(Operation *op) {
  unsigned width = widthOf(to(op));
  return [width](const uint64_t *in) { return truncate(in[0], width); };
}

static Element makeSignExtend(Operation *op) {
  unsigned narrow = widthOf(from(op)), wide = widthOf(to(op));
  return [=](const uint64_t *in) {
    return truncate(uint64_t(signExtend(in[0], narrow)), wide);
  };
}

static llvm::RoundingMode roundingOf(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return llvm::RoundingMode::NearestTiesToEven;
  case arith::RoundingMode::downward:
    return llvm::RoundingMode::TowardNegative;
  case arith::RoundingMode::upward:
    return llvm::RoundingMode::TowardPositive;
  case arith::RoundingMode::toward_zero:
    return llvm::RoundingMode::TowardZero;
  case arith::RoundingMode::to_nearest_away:
    return llvm::RoundingMode::NearestTiesToAway;
  }
  llvm_unreachable("all modes are listed");
}

static Element makeFloatToFloat(Operation *op) {
  auto rounding = llvm::RoundingMode::NearestTiesToEven;
  if (auto cut = dyn_cast<arith::TruncFOp>(op))
    rounding = roundingOf(
        cut.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even));
  bool saturate = op->hasAttr("tw.saturate");
  Type source = from(op), target = to(op);
  return [=](const uint64_t *in) {
    return toBits(toNumber(in[0], source), target, rounding, saturate);
  };
}

template <bool isSigned> static Element makeIntegerToFloat(Operation *op) {
  Type source = from(op), target = to(op);
  bool saturate = op->hasAttr("tw.saturate");
  return [=](const uint64_t *in) {
    // 113 bits hold every 64-bit integer exactly; the type rounds once.
    APFloat number(APFloat::IEEEquad());
    number.convertFromAPInt(llvm::APInt(widthOf(source), in[0]), isSigned,
                            llvm::RoundingMode::NearestTiesToEven);
    return toBits(number, target, llvm::RoundingMode::NearestTiesToEven,
                  saturate);
  };
}

/// Towards zero; out of range gives the nearest integer, NaN gives 0.
template <bool isSigned> static Element makeFloatToInteger(Operation *op) {
  Type source = from(op), target = to(op);
  return [=](const uint64_t *in) -> uint64_t {
    APFloat number = toNumber(in[0], source);
    if (number.isNaN())
      return 0;
    llvm::APSInt integer(widthOf(target), /*isUnsigned=*/!isSigned);
    bool isExact;
    number.convertToInteger(integer, llvm::RoundingMode::TowardZero, &isExact);
    return integer.getZExtValue();
  };
}

void addCasts(Semantics &semantics) {
  auto &rows = semantics.elementwise;
  rows["arith.bitcast"] = makeSame;
  rows["arith.extui"] = makeSame;
  rows["arith.extsi"] = makeSignExtend;
  rows["arith.trunci"] = makeTruncate;
  rows["arith.extf"] = makeFloatToFloat;
  rows["arith.truncf"] = makeFloatToFloat;
  rows["arith.sitofp"] = makeIntegerToFloat<true>;
  rows["arith.uitofp"] = makeIntegerToFloat<false>;
  rows["arith.fptosi"] = makeFloatToInteger<true>;
  rows["arith.fptoui"] = makeFloatToInteger<false>;
  rows["kernel.fact"] = makeSame;
  rows["kernel.int_to_ptr"] = makeSame;
  rows["kernel.ptr_to_int"] = makeSame;
  rows["kernel.ptr_cast"] = makeSame;
}

} // namespace tilewright::reference
