//===- Combine.cpp - Combine regions on lanes -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The region of a reduction or scan, applied to vectors; and what is known
// about regions of one operation.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::cpu {

Operation *singleCombine(Block *combine) {
  if (combine->getNumArguments() != 2 || !llvm::hasNItems(*combine, 2))
    return nullptr;
  Operation *op = &combine->front();
  bool takesBoth = op->getNumOperands() == 2 && op->getNumResults() == 1 &&
                   op->getOperand(0) != op->getOperand(1) &&
                   llvm::all_of(op->getOperands(), [&](Value operand) {
                     return operand.getParentBlock() == combine;
                   });
  bool yieldsIt = takesBoth && combine->getTerminator()->getOperands() ==
                                   ValueRange(op->getResults());
  return yieldsIt ? op : nullptr;
}

TypedAttr neutralElement(Block *combine, Type element) {
  Operation *op = singleCombine(combine);
  if (!op)
    return {};
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    auto make = [&](const APFloat &value) {
      return TypedAttr(FloatAttr::get(type, value));
    };
    return llvm::TypeSwitch<Operation *, TypedAttr>(op)
        .Case<arith::AddFOp>(
            [&](auto) { return make(APFloat::getZero(semantics, true)); })
        .Case<arith::MulFOp>([&](auto) { return make(APFloat(semantics, 1)); })
        .Case<arith::MaxNumFOp, arith::MinNumFOp>(
            [&](auto) { return make(APFloat::getNaN(semantics)); })
        .Case<arith::MaximumFOp>([&](auto) {
          return type.getWidth() < 16 ? TypedAttr()
                                      : make(APFloat::getInf(semantics, true));
        })
        .Case<arith::MinimumFOp>([&](auto) {
          return type.getWidth() < 16 ? TypedAttr()
                                      : make(APFloat::getInf(semantics));
        })
        .Default([](Operation *) { return TypedAttr(); });
  }
  if (!isa<IntegerType>(element))
    return {};
  unsigned bits = element.getIntOrFloatBitWidth();
  auto make = [&](const APInt &value) {
    return TypedAttr(IntegerAttr::get(element, value));
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(op)
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return make(APInt(bits, 0)); })
      .Case<arith::MulIOp>([&](auto) { return make(APInt(bits, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return make(APInt::getAllOnes(bits)); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return make(APInt::getSignedMinValue(bits)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return make(APInt::getSignedMaxValue(bits)); })
      .Default([](Operation *) { return TypedAttr(); });
}

/// The region on lanes. Operands may be wider floats than the region says:
/// sums of f16 are kept in f32.
SmallVector<Value> Emitter::cloneCombine(Block *combine, ValueRange left,
                                         ValueRange right, unsigned width) {
  IRMapping mapping;
  size_t count = left.size();
  for (size_t i = 0; i < count; ++i) {
    mapping.map(combine->getArgument(i), left[i]);
    mapping.map(combine->getArgument(count + i), right[i]);
  }
  if (Operation *single = singleCombine(combine)) {
    Operation *clone = b.clone(*single, mapping);
    clone->setLoc(b.getLoc());
    clone->getResult(0).setType(left[0].getType());
    return {clone->getResult(0)};
  }
  auto lookup = [&](Value value) {
    Value mapped = mapping.lookupOrNull(value);
    return mapped ? mapped : splat(scalar(value), width);
  };
  for (Operation &op : combine->without_terminator()) {
    if (auto constantOp = dyn_cast<arith::ConstantOp>(op)) {
      mapping.map(constantOp.getResult(),
                  splat(constant(constantOp.getValue()), width));
      continue;
    }
    if (op.getNumRegions() || !op.hasTrait<OpTrait::Elementwise>()) {
      refuse(&op, "TW4125: expected elementwise operations in a combine "
                  "function");
      return llvm::to_vector(left);
    }
    for (Value operand : op.getOperands())
      mapping.map(operand, lookup(operand));
    Operation *clone = b.clone(op, mapping);
    clone->setLoc(b.getLoc());
    for (auto [from, to] : llvm::zip(op.getResults(), clone->getResults()))
      to.setType(laneType(from.getType(), width));
  }
  SmallVector<Value> results;
  for (Value value : combine->getTerminator()->getOperands())
    results.push_back(lookup(value));
  return results;
}

/// Combines the lanes of each value: halves onto halves, down to a scalar.
SmallVector<Value> Emitter::foldLanes(const Reduction &reduction,
                                      SmallVector<Value> values,
                                      unsigned width) {
  while (width > 1) {
    unsigned half = width / 2;
    SmallVector<Value> low, high;
    for (Value value : values) {
      if (half == 1) {
        low.push_back(vector::ExtractOp::create(b, value, int64_t(0)));
        high.push_back(vector::ExtractOp::create(b, value, int64_t(1)));
        continue;
      }
      SmallVector<int64_t> lowLanes, highLanes;
      for (unsigned lane = 0; lane < half; ++lane) {
        lowLanes.push_back(lane);
        highLanes.push_back(half + lane);
      }
      low.push_back(vector::ShuffleOp::create(b, value, value, lowLanes));
      high.push_back(vector::ShuffleOp::create(b, value, value, highLanes));
    }
    values = cloneCombine(reduction.combine, low, high, half);
    width = half;
  }
  return values;
}

} // namespace tilewright::cpu
