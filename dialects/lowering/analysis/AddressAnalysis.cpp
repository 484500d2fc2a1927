//===- AddressAnalysis.cpp - Pointers as base and offsets -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks addptr, splat and shape ops up to a scalar pointer.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/analysis/AddressAnalysis.h"

#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Follows scalar pointer arithmetic to its root.
static std::optional<AddressExpression>
analyzeSplat(tile::SplatOp splat, ScalarExpressions &scalars) {
  AddressExpression result;
  result.offset.dims.resize(getShape(splat.getResult()).size());
  Value pointer = splat.getSource();
  while (true) {
    if (auto fact = pointer.getDefiningOp<tile::FactOp>()) {
      pointer = fact.getSource();
      continue;
    }
    auto advance = pointer.getDefiningOp<tile::AddPtrOp>();
    if (!advance)
      break;
    auto sum = add(result.offset.rest, scalars.get(advance.getOffset()));
    if (!sum)
      break;
    result.offset.rest = *sum;
    pointer = advance.getPtr();
  }
  result.base = pointer;
  return result;
}

/// Reads the op behind a tensor of pointers for the remark.
static std::string describe(Value pointers) {
  if (Operation *op = pointers.getDefiningOp())
    return ("the pointers come from '" + op->getName().getStringRef() + "'")
        .str();
  return "the pointers are carried by a loop or branch";
}

std::optional<AddressExpression>
lowering::analyzeAddress(Value pointers, IndexExpressions &indices,
                         std::string &reason) {
  Operation *op = pointers.getDefiningOp();
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(op))
    return analyzeSplat(splat, indices.getScalars());
  if (!isa_and_nonnull<tile::AddPtrOp, tile::FactOp, tile::BroadcastOp,
                       tile::ReshapeOp, tile::TransposeOp>(op)) {
    reason = describe(pointers);
    return std::nullopt;
  }
  auto result = analyzeAddress(op->getOperand(0), indices, reason);
  if (!result || isa<tile::FactOp>(op))
    return result;
  std::optional<IndexExpression> offset;
  ArrayRef<int64_t> from = getShape(op->getOperand(0));
  if (auto advance = dyn_cast<tile::AddPtrOp>(op)) {
    if (auto step = indices.get(advance.getOffset()))
      offset = indices.addExpressions(result->offset, *step,
                                      /*absorb=*/false);
  } else if (isa<tile::BroadcastOp>(op)) {
    offset = indices.broadcast(result->offset, from, getShape(pointers));
  } else if (isa<tile::ReshapeOp>(op)) {
    offset = indices.reshape(result->offset, from, getShape(pointers));
  } else {
    offset = IndexExpressions::transpose(
        result->offset, cast<tile::TransposeOp>(op).getOrder());
  }
  if (!offset) {
    reason = indices.getReason();
    return std::nullopt;
  }
  result->offset = *offset;
  return result;
}

/// Sign-extends an integer tensor to `width` bits if it is narrower.
static Value widenTo(OpBuilder &builder, Location loc, Value value,
                     unsigned width) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementTypeBitWidth() >= width)
    return value;
  return arith::ExtSIOp::create(
      builder, loc, type.clone(builder.getIntegerType(width)), value);
}

/// Repeats a shape op of pointers on their offsets.
static Value applyShapeOp(OpBuilder &builder, Operation *op, Value offsets) {
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, offsets);
  Type element = getElementTypeOrSelf(offsets);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  copy->getResult(0).setType(type.clone(element));
  return copy->getResult(0);
}

std::optional<GatherAddress>
lowering::buildGatherAddress(OpBuilder &builder, Location loc, Value pointers) {
  Operation *op = pointers.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto splat = dyn_cast<tile::SplatOp>(op)) {
    auto type = RankedTensorType::get(getShape(pointers), builder.getI32Type());
    Value zeros =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return GatherAddress{splat.getSource(), zeros};
  }
  if (!isa<tile::AddPtrOp, tile::FactOp, tile::BroadcastOp, tile::ReshapeOp,
           tile::TransposeOp>(op))
    return std::nullopt;
  auto result = buildGatherAddress(builder, loc, op->getOperand(0));
  if (!result || isa<tile::FactOp>(op))
    return result;
  auto advance = dyn_cast<tile::AddPtrOp>(op);
  if (!advance) {
    result->offsets = applyShapeOp(builder, op, result->offsets);
    return result;
  }
  Value step = widenTo(builder, loc, advance.getOffset(), 32);
  if (matchPattern(result->offsets, m_Zero())) {
    result->offsets = step;
    return result;
  }
  result->offsets = arith::AddIOp::create(
      builder, loc, widenTo(builder, loc, result->offsets, 64),
      widenTo(builder, loc, step, 64));
  return result;
}
