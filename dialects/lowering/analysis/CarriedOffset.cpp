//===- CarriedOffset.cpp - Values that loops advance ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointer arithmetic and additions of splats, read and rebuilt.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/CarriedOffset.h"

#include "dialects/lowering/analysis/ScalarExpression.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

bool lowering::isPointerLike(Type type) {
  return isa<tile::PointerType>(getElementTypeOrSelf(type));
}

bool lowering::isIndexTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (tensor.getElementType().isInteger(32) ||
                    tensor.getElementType().isInteger(64));
}

/// The scalar that all elements of an integer tensor equal, or null. A constant
/// becomes a scalar one in front of the op that uses it.
static Value getUniformScalar(Value tensor, Operation *user) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return tensor;
  if (auto splat = tensor.getDefiningOp<tile::SplatOp>())
    return splat.getSource();
  if (auto broadcast = tensor.getDefiningOp<tile::BroadcastOp>())
    return getUniformScalar(broadcast.getSource(), user);
  DenseElementsAttr constant;
  if (!matchPattern(tensor, m_Constant(&constant)) || !constant.isSplat())
    return {};
  OpBuilder builder(user);
  return arith::ConstantOp::create(builder, tensor.getLoc(),
                                   constant.getSplatValue<TypedAttr>());
}

/// One advance backwards; gives the value before it.
static Value stepBack(Value value, std::optional<Step> &step) {
  step = std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto fact = dyn_cast_or_null<tile::FactOp>(op))
    return fact.getSource();
  if (auto advance = dyn_cast_or_null<tile::AddPtrOp>(op)) {
    Value scalar = getUniformScalar(advance.getOffset(), op);
    step = Step{scalar ? scalar : advance.getOffset(), false,
                static_cast<bool>(scalar)};
    return advance.getPtr();
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) ||
      op->hasAttr(unsignedMarker) || !isIndexTensor(value.getType()))
    return {};
  if (Value scalar = getUniformScalar(op->getOperand(1), op)) {
    step = Step{scalar, isa<arith::SubIOp>(op), true};
    return op->getOperand(0);
  }
  Value scalar = isa<arith::AddIOp>(op)
                     ? getUniformScalar(op->getOperand(0), op)
                     : Value();
  if (!scalar)
    return {};
  step = Step{scalar, false, true};
  return op->getOperand(1);
}

std::optional<SmallVector<Step>> lowering::getSteps(Value value, Value root) {
  SmallVector<Step> steps;
  std::optional<Step> step;
  while (value != root) {
    value = stepBack(value, step);
    if (!value)
      return std::nullopt;
    if (step)
      steps.push_back(*step);
  }
  return steps;
}

SmallVector<Value> lowering::getRoots(Value value) {
  SmallVector<Value> roots;
  std::optional<Step> step;
  for (; value; value = stepBack(value, step))
    roots.push_back(value);
  return roots;
}

bool lowering::areUniform(ArrayRef<Step> steps) {
  return llvm::all_of(steps, [](const Step &step) { return step.isUniform; });
}

Type lowering::getOffsetType(Type valueType, bool isUniform) {
  Type scalar = IntegerType::get(valueType.getContext(), 64);
  auto tensor = dyn_cast<RankedTensorType>(valueType);
  return isUniform || !tensor
             ? scalar
             : RankedTensorType::get(tensor.getShape(), scalar);
}

Value lowering::buildZeroOffset(OpBuilder &builder, Location loc,
                                Type offsetType) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getZeroAttr(offsetType));
}

/// Sign-extends to the 64 bits of `type`, repeating scalars for tensors.
static Value widenTo(OpBuilder &builder, Location loc, Value value, Type type) {
  Type wide = builder.getI64Type();
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    wide = tensor.clone(wide);
  if (value.getType() != wide)
    value = arith::ExtSIOp::create(builder, loc, wide, value);
  if (value.getType() != type)
    value = tile::SplatOp::create(builder, loc, type, value);
  return value;
}

Value lowering::buildAdvance(OpBuilder &builder, Location loc, Value offset,
                             ArrayRef<Step> steps) {
  for (const Step &step : llvm::reverse(steps)) {
    Value amount = widenTo(builder, loc, step.amount, offset.getType());
    if (step.isNegative)
      offset = arith::SubIOp::create(builder, loc, offset, amount);
    else
      offset = arith::AddIOp::create(builder, loc, offset, amount);
  }
  return offset;
}

Value lowering::buildAdvanced(OpBuilder &builder, Location loc, Value initial,
                              Value offset) {
  auto tensor = dyn_cast<RankedTensorType>(initial.getType());
  bool isPointer = isPointerLike(initial.getType());
  if (!isPointer && tensor.getElementType().isInteger(32)) {
    offset =
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), offset);
    offset.getDefiningOp()->setAttr(carriedMarker, builder.getUnitAttr());
  }
  if (tensor && !isa<RankedTensorType>(offset.getType()))
    offset = tile::SplatOp::create(
        builder, loc,
        RankedTensorType::get(tensor.getShape(), offset.getType()), offset);
  if (isPointer)
    return tile::AddPtrOp::create(builder, loc, initial.getType(), initial,
                                  offset);
  return arith::AddIOp::create(builder, loc, initial, offset);
}

Decision lowering::decideCarried(Value yielded, Value root) {
  Decision decision;
  Type type = root.getType();
  if (!isPointerLike(type) && !isIndexTensor(type))
    return decision;
  auto steps = getSteps(yielded, root);
  if (!steps || (!isPointerLike(type) && !areUniform(*steps)))
    return decision;
  decision.isKept = false;
  decision.isUniform = areUniform(*steps);
  decision.steps = std::move(*steps);
  return decision;
}
