//===- Scan.cpp - Prefix combinations ---------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis is walked in order with the running value in a register. When it is
// not the innermost dimension, lanes run across the others; when it is, each
// vector is scanned by itself in log2 steps (Hillis and Steele, 1986) and then
// combined with what came before. Portable code goes element by element.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

/// Shorter vectors are not worth their shuffles.
static constexpr unsigned kFewestScanLanes = 4;

bool Emitter::isPortable() {
  auto math = function->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(
      "tw.math");
  return math && math.getValue() == "portable";
}

/// Prefix combinations within the lanes: distance 1, 2, 4, ...
SmallVector<Value> Emitter::scanLanes(Block *combine, SmallVector<Value> values,
                                      unsigned width, bool isReverse) {
  for (unsigned distance = 1; distance < width; distance *= 2) {
    SmallVector<int64_t> order;
    SmallVector<bool> hasEarlier;
    for (unsigned lane = 0; lane < width; ++lane) {
      bool reaches = isReverse ? lane + distance < width : lane >= distance;
      hasEarlier.push_back(reaches);
      order.push_back(!reaches    ? lane
                      : isReverse ? lane + distance
                                  : lane - distance);
    }
    SmallVector<Value> earlier;
    for (Value value : values)
      earlier.push_back(vector::ShuffleOp::create(b, value, value, order));
    SmallVector<Value> combined = cloneCombine(combine, earlier, values, width);
    auto maskType = VectorType::get({int64_t(width)}, b.getI1Type());
    Value mask = constant(DenseElementsAttr::get(maskType, hasEarlier));
    for (auto [value, next] : llvm::zip(values, combined))
      value = arith::SelectOp::create(b, mask, next, value);
  }
  return values;
}

/// One position of the axis, `width` elements of it if `isAlongLanes`; gives
/// what is carried on.
SmallVector<Value> Emitter::scanStep(kernel::ScanOp op, Indices &at,
                                     Index position, ValueRange carried,
                                     bool isAlongLanes) {
  Block *combine = &op.getCombine().front();
  int64_t axis = op.getAxis();
  unsigned width = nest->width;
  if (op.getReverse()) {
    int64_t last = shapeOf(op.getOperands()[0])[axis] -
                   (isAlongLanes ? int64_t(width) : 1);
    Index reversed;
    reversed.base = b.createOrFold<arith::SubIOp>(i64(last), baseOf(position));
    reversed.level = nest->levels.size() - 1;
    position = reversed;
  }
  position.step = isAlongLanes ? 1 : 0;
  at[axis] = position;
  nest->identity = at;
  SmallVector<Value> values;
  for (Value input : op.getOperands())
    values.push_back(evaluate(input, at, width));
  if (isAlongLanes)
    values = scanLanes(combine, values, width, op.getReverse());
  if (!carried.empty()) {
    SmallVector<Value> before;
    for (Value value : carried)
      before.push_back(isAlongLanes ? splat(value, width) : value);
    values = cloneCombine(combine, before, values, width);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), values))
    writeBuffer(value, plan[result].buffer, at, width);
  if (isAlongLanes)
    for (Value &value : values)
      value = vector::ExtractOp::create(
          b, value, int64_t(op.getReverse() ? 0 : width - 1));
  return values;
}

/// All of the axis at one index of the other dimensions.
void Emitter::scanAxis(kernel::ScanOp op, Indices &at, bool isAlongLanes) {
  int64_t extent = shapeOf(op.getOperands()[0])[op.getAxis()];
  int64_t step = isAlongLanes ? nest->width : 1;
  TypedAttr neutral;
  if (op.getOperands().size() == 1)
    neutral = neutralElement(&op.getCombine().front(),
                             elementOf(op.getOperands()[0]));
  if (neutral) {
    Value start = splat(constant(neutral), isAlongLanes ? 1 : nest->width);
    emitLoop(extent, step, start, [&](Index iv, ValueRange carried) {
      return scanStep(op, at, iv, carried, isAlongLanes);
    });
    return;
  }
  SmallVector<Value> first = scanStep(op, at, Index(), {}, isAlongLanes);
  if (extent == step)
    return;
  emitLoop(extent - step, step, first, [&](Index iv, ValueRange carried) {
    iv.constant = step;
    return scanStep(op, at, iv, carried, isAlongLanes);
  });
}

void Emitter::emitScan(kernel::ScanOp op) {
  int64_t axis = op.getAxis();
  ArrayRef<int64_t> shape = shapeOf(op.getOperands()[0]);
  NestPlan nestPlan = prepare(op.getOperands());
  for (Value result : op.getResults())
    bindBuffer(result, allocate(shape, elementOf(result)), /*owns=*/true);
  int64_t lane = laneDimension(shape);
  Nest scope;
  scope.width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan, 1);
  bool isAlongLanes =
      lane == axis && scope.width >= kFewestScanLanes && !isPortable();
  if (lane == axis && !isAlongLanes)
    scope.width = 1;
  scope.fused = nestPlan.fused;
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  std::function<void(Indices &, int64_t)> emitDim = [&](Indices &at,
                                                        int64_t dim) {
    if (dim == int64_t(shape.size()))
      return scanAxis(op, at, isAlongLanes);
    if (dim == axis)
      return emitDim(at, dim + 1);
    bool isLane = dim == lane && scope.width > 1;
    emitLoop(shape[dim], isLane ? scope.width : 1, {},
             [&](Index iv, ValueRange) -> SmallVector<Value> {
               iv.step = isLane ? 1 : 0;
               at[dim] = iv;
               emitDim(at, dim + 1);
               return {};
             });
  };
  Indices at(shape.size());
  emitDim(at, 0);
  finish(nestPlan);
  for (Value result : op.getResults())
    plan[result].isReady = true;
}

} // namespace tilewright::cpu
