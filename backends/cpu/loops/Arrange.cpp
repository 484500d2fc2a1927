//===- Arrange.cpp - Whole-tile rearrangements ------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose result is written element by element into a buffer: join,
// cat, histogram, small tensors of scalars.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

void Emitter::emitJoin(kernel::JoinOp op) {
  NestPlan nestPlan = prepare({op.getLhs(), op.getRhs()});
  ArrayRef<int64_t> shape = shapeOf(op.getLhs());
  Value result = op.getResult();
  bindBuffer(result, allocate(shapeOf(result), elementOf(result)), true);
  int64_t lane = laneDimension(shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    Value lhs = evaluate(op.getLhs(), at, width);
    Value rhs = evaluate(op.getRhs(), at, width);
    const Buffer &buffer = plan[result].buffer;
    Indices target = at;
    target.emplace_back();
    if (width == 1) {
      writeBuffer(lhs, buffer, target, 1);
      target.back().constant = 1;
      writeBuffer(rhs, buffer, target, 1);
      return;
    }
    // Lanes of both take turns, so one consecutive write holds them.
    Index first = linearise(buffer.shape, target, width);
    first.step = 1;
    Buffer flat = buffer;
    flat.shape = {buffer.bytes};
    writeBuffer(vector::InterleaveOp::create(b, lhs, rhs), flat, {first},
                2 * width);
  });
  plan[result].isReady = true;
}

void Emitter::emitCat(kernel::CatOp op) {
  Value result = op.getResult();
  Buffer buffer = allocate(shapeOf(result), elementOf(result));
  bindBuffer(result, buffer, true);
  int64_t extent = shapeOf(op.getLhs())[0];
  for (unsigned half = 0; half < 2; ++half) {
    Value value = op->getOperand(half);
    NestPlan nestPlan = prepare(value);
    unsigned width = extent == 1 ? 1 : chooseWidth(extent, nestPlan);
    int64_t start = half * extent;
    emitNest({extent}, nestPlan, width, [&](const Indices &at, unsigned width) {
      Indices target = at;
      target[0].constant += start;
      writeBuffer(evaluate(value, at, width), buffer, target, width);
    });
  }
  plan[result].isReady = true;
}

void Emitter::emitHistogram(kernel::HistogramOp op) {
  Value result = op.getResult();
  Buffer bins = allocate(shapeOf(result), elementOf(result));
  bindBuffer(result, bins, true);
  SmallVector<Value> roots = {op.getSource()};
  if (op.getMask())
    roots.push_back(op.getMask());
  NestPlan nestPlan = prepare(roots);
  NestPlan clearing;
  clearing.widestBytes = 4;
  unsigned width = chooseWidth(bins.shape[0], clearing);
  emitNest(bins.shape, clearing, width, [&](const Indices &at, unsigned width) {
    writeBuffer(zero(laneType(bins.element, width)), bins, at, width);
  });
  Type wide = b.getI64Type();
  emitNest(shapeOf(op.getSource()), nestPlan, 1,
           [&](const Indices &at, unsigned) {
             Value bin = evaluate(op.getSource(), at, 1);
             if (!bin.getType().isInteger(64))
               bin = arith::ExtSIOp::create(b, wide, bin);
             Value isCounted = arith::CmpIOp::create(
                 b, arith::CmpIPredicate::ult, bin, i64(bins.shape[0]));
             if (op.getMask())
               isCounted = both(evaluate(op.getMask(), at, 1), isCounted);
             auto guarded =
                 scf::IfOp::create(b, isCounted, /*withElseRegion=*/false);
             OpBuilder::InsertionGuard guard(b);
             b.setInsertionPointToStart(guarded.thenBlock());
             Address address;
             address.pointer = elementPointer(bins.pointer, bins.element, bin);
             Value count = load(address, bins.element, 1, Value());
             store(add(count, constant(b.getIntegerAttr(bins.element, 1))),
                   address, bins.element, 1);
           });
  plan[result].isReady = true;
}

void Emitter::emitFromElements(tensor::FromElementsOp op) {
  Value result = op.getResult();
  Buffer buffer = allocate(shapeOf(result), elementOf(result));
  bindBuffer(result, buffer, true);
  Nest scope;
  llvm::SaveAndRestore<Nest *> restore(nest, &scope);
  Buffer flat = buffer;
  flat.shape = {int64_t(op.getElements().size())};
  for (auto [position, element] : llvm::enumerate(op.getElements())) {
    Index index;
    index.constant = position;
    writeBuffer(evaluate(element, {}, 1), flat, {index}, 1);
  }
  plan[result].isReady = true;
}

} // namespace tilewright::cpu
