//===- Evaluate.cpp - Lanes of a value on demand ----------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `evaluate(v, at, width)` gives `width` elements of v, computed once an index
// and as far out in the nest as the index allows.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilewright::cpu {

unsigned Emitter::enterLevel(unsigned level) {
  level = std::min<unsigned>(level, nest->levels.size() - 1);
  // What belongs to the chunk stays within the version that is being built.
  if (level + 1 < nest->levels.size() && nest->levels[level + 1].isGuard)
    ++level;
  if (level + 1 < nest->levels.size())
    b.setInsertionPoint(nest->levels[level + 1].loop);
  return level;
}

Value Emitter::evaluate(Value value, const Indices &at, unsigned width) {
  if (!isa<RankedTensorType>(value.getType())) {
    Value lane = scalar(value);
    if (isa<LLVM::LLVMPointerType>(lane.getType()))
      lane = LLVM::PtrToIntOp::create(b, b.getI64Type(), lane);
    return splat(lane, width);
  }
  bool isUniform =
      llvm::all_of(at, [](const Index &index) { return index.isUniform(); });
  unsigned level = 0;
  for (const Index &index : at)
    level = std::max(level, index.level);
  for (const Level &known : nest->levels) {
    auto it = known.memo.find(value);
    if (it == known.memo.end())
      continue;
    for (const Level::Memo &memo : it->second)
      if (memo.width == width && memo.at == at)
        return memo.result;
  }
  OpBuilder::InsertionGuard guard(b);
  Location outer = b.getLoc();
  level = enterLevel(level);
  if (Operation *op = value.getDefiningOp())
    b.setLoc(op->getLoc());
  Value result = width > 1 && isUniform ? splat(evaluate(value, at, 1), width)
                                        : compute(value, at, width);
  b.setLoc(outer);
  nest->levels[level].memo[value].push_back({at, width, result});
  return result;
}

Value Emitter::compute(Value value, const Indices &at, unsigned width) {
  const ValueInfo &info = plan[value];
  if (info.isReady)
    return readBuffer(info.buffer, shapeOf(value), at, width, elementOf(value));
  bool isFused = nest->fused.contains(value) && at == nest->identity;
  Operation *op = value.getDefiningOp();
  if (!op || !isInlineable(op)) {
    hadError = true;
    emitError(op ? op->getLoc() : value.getLoc())
        << "TW4110: the CPU backend cannot compute this tensor";
    return zero(laneType(elementOf(value), width));
  }
  Value result = computeOp(op, value, at, width);
  if (isFused)
    writeBuffer(result, plan[value].buffer, at, width);
  return result;
}

Value Emitter::computeOp(Operation *op, Value value, const Indices &at,
                         unsigned width) {
  Type element = elementOf(value);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::ConstantOp>([&](auto constantOp) -> Value {
        auto splatAttr = dyn_cast<SplatElementsAttr>(constantOp.getValue());
        if (!splatAttr)
          return refuse(op, "TW4123: expected a constant of one repeated value",
                        laneType(element, width));
        return splat(constant(splatAttr.template getSplatValue<TypedAttr>()),
                     width);
      })
      .Case<tensor::SplatOp>(
          [&](auto splatOp) { return evaluate(splatOp.getInput(), {}, width); })
      .Case<linalg::FillOp>(
          [&](auto fill) { return evaluate(fill.getInputs()[0], {}, width); })
      .Case<tensor::EmptyOp>(
          [&](auto) { return zero(laneType(element, width)); })
      .Case<kernel::RangeOp>([&](kernel::RangeOp range) -> Value {
        Type i32 = b.getI32Type();
        const Index &index = at[0];
        int64_t start = range.getStart() + index.constant;
        if (index.lanes) {
          auto type = VectorType::get({int64_t(width)}, i32);
          Value lanes = arith::TruncIOp::create(b, type, index.lanes);
          return arith::AddIOp::create(
              b, lanes,
              splat(constant(b.getI32IntegerAttr(range.getStart())), width));
        }
        Value first = constant(b.getI32IntegerAttr(start));
        if (index.base)
          first = add(arith::TruncIOp::create(b, i32, index.base), first);
        first = splat(first, width);
        return index.step ? add(first, iota(32, index.step, width)) : first;
      })
      .Case<linalg::BroadcastOp>([&](linalg::BroadcastOp broadcast) {
        Indices inner;
        for (auto [dim, index] : llvm::enumerate(at))
          if (!llvm::is_contained(broadcast.getDimensions(), int64_t(dim)))
            inner.push_back(index);
        return evaluate(broadcast.getInput(), inner, width);
      })
      .Case<linalg::TransposeOp>([&](linalg::TransposeOp transpose) {
        Indices inner(at.size());
        for (auto [dim, source] : llvm::enumerate(transpose.getPermutation()))
          inner[source] = at[dim];
        return evaluate(transpose.getInput(), inner, width);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::ExtractSliceOp>(
          [&](auto) { return computeReshape(op, at, width); })
      .Case<kernel::LoadOp>(
          [&](auto loadOp) { return loadBox(loadOp, at, width); })
      .Case<kernel::GatherOp>(
          [&](auto gather) { return loadGather(gather, at, width); })
      .Case<kernel::SplitOp>(
          [&](auto split) { return computeSplit(split, value, at, width); })
      .Case<kernel::GatherInTileOp>(
          [&](auto gather) { return computeGatherInTile(gather, at, width); })
      .Case<kernel::FactOp, kernel::IntToPtrOp, kernel::PtrToIntOp,
            kernel::PtrCastOp>(
          [&](auto) { return evaluate(op->getOperand(0), at, width); })
      .Case<kernel::AddPtrOp>(
          [&](auto) { return computePointer(op, at, width); })
      .Case<kernel::MulHiOp>([&](kernel::MulHiOp mulhi) {
        return computeMulHi(evaluate(mulhi.getLhs(), at, width),
                            evaluate(mulhi.getRhs(), at, width));
      })
      .Case<kernel::ExternCallOp>([&](kernel::ExternCallOp call) -> Value {
        SmallVector<Value> operands;
        for (Value operand : call.getArgs())
          operands.push_back(evaluate(operand, at, width));
        return callDevice(call, operands, width);
      })
      .Default([&](auto) { return computeElementwise(op, value, at, width); });
}

/// The same operation on lanes instead of a tensor.
Value Emitter::computeElementwise(Operation *op, Value value, const Indices &at,
                                  unsigned width) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    mapping.map(operand,
                isTensor ? evaluate(operand, at, width) : scalar(operand));
  }
  Operation *clone = b.clone(*op, mapping);
  clone->setLoc(b.getLoc());
  for (OpResult result : clone->getResults())
    result.setType(
        laneType(elementOf(op->getResult(result.getResultNumber())), width));
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

Value Emitter::computePointer(Operation *op, const Indices &at,
                              unsigned width) {
  auto addptr = cast<kernel::AddPtrOp>(op);
  auto pointer = cast<kernel::PointerType>(elementOf(addptr.getPtr()));
  Value base = evaluate(addptr.getPtr(), at, width);
  Value offset = evaluate(addptr.getOffset(), at, width);
  Type type = laneType(b.getI64Type(), width);
  if (offset.getType() != type)
    offset = arith::ExtSIOp::create(b, type, offset);
  Value bytes = splat(i64(elementBytes(pointer.getPointee())), width);
  return add(base, b.createOrFold<arith::MulIOp>(offset, bytes));
}

/// Through a product of twice the width.
Value Emitter::computeMulHi(Value lhs, Value rhs) {
  Type type = lhs.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type wideElement = b.getIntegerType(2 * bits);
  Type wide = wideElement;
  TypedAttr shift = b.getIntegerAttr(wideElement, bits);
  if (auto vector = dyn_cast<VectorType>(type)) {
    wide = vector.clone(wideElement);
    shift =
        DenseElementsAttr::get(cast<ShapedType>(wide), cast<Attribute>(shift));
  }
  Value product = arith::MulIOp::create(b, arith::ExtUIOp::create(b, wide, lhs),
                                        arith::ExtUIOp::create(b, wide, rhs));
  return arith::TruncIOp::create(
      b, type, arith::ShRUIOp::create(b, product, constant(shift)));
}

} // namespace tilewright::cpu
