//===- Scan.cpp - Prefix combinations ---------------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis is walked in order with the running value in a register; when it is
// not the innermost dimension, lanes run across the others.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

void Emitter::emitScan(kernel::ScanOp op) {
  Block *combine = &op.getCombine().front();
  int64_t axis = op.getAxis();
  ArrayRef<int64_t> shape = shapeOf(op.getOperands()[0]);
  NestPlan nestPlan = prepare(op.getOperands());
  for (Value result : op.getResults())
    bindBuffer(result, allocate(shape, elementOf(result)), /*owns=*/true);
  int64_t lane = laneDimension(shape);
  bool hasLanes = lane >= 0 && lane != axis;
  Nest scope;
  scope.width = hasLanes ? chooseWidth(shape[lane], nestPlan) : 1;
  scope.fused = nestPlan.fused;
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  unsigned width = scope.width;

  auto step = [&](Indices &at, Index position, ValueRange carried) {
    if (op.getReverse()) {
      Index reversed;
      reversed.base =
          arith::SubIOp::create(b, i64(shape[axis] - 1), baseOf(position));
      reversed.level = nest->levels.size() - 1;
      position = reversed;
    }
    at[axis] = position;
    nest->identity = at;
    SmallVector<Value> values;
    for (Value input : op.getOperands())
      values.push_back(evaluate(input, at, width));
    if (!carried.empty())
      values = cloneCombine(combine, carried, values, width);
    for (auto [result, value] : llvm::zip(op.getResults(), values))
      writeBuffer(value, plan[result].buffer, at, width);
    return values;
  };
  std::function<void(Indices &, int64_t)> emitDim = [&](Indices &at,
                                                        int64_t dim) {
    if (dim == axis)
      return emitDim(at, dim + 1);
    if (dim < int64_t(shape.size())) {
      bool isLane = hasLanes && dim == lane;
      emitLoop(shape[dim], isLane ? width : 1, {},
               [&](Index iv, ValueRange) -> SmallVector<Value> {
                 iv.step = isLane && width > 1 ? 1 : 0;
                 at[dim] = iv;
                 emitDim(at, dim + 1);
                 return {};
               });
      return;
    }
    SmallVector<Value> first = step(at, Index(), {});
    if (shape[axis] == 1)
      return;
    emitLoop(shape[axis] - 1, 1, first, [&](Index iv, ValueRange carried) {
      iv.constant = 1;
      return step(at, iv, carried);
    });
  };
  Indices at(shape.size());
  emitDim(at, 0);
  finish(nestPlan);
  for (Value result : op.getResults())
    plan[result].isReady = true;
}

} // namespace tilewright::cpu
