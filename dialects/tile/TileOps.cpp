//===- TileOps.cpp - Operations of the tile dialect ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated classes, and builders and verifiers of what computes.
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileOps.h"

#include "dialects/kernel/rules/OpRules.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::tile;
// Both dialects have operations of the same names: only the rules are taken.
using namespace tilewright::kernel::rules;
using tilewright::kernel::CombineBuilder;

LogicalResult ProgramIdOp::verify() { return verifyGridAxis(*this, getAxis()); }

LogicalResult NumProgramsOp::verify() {
  return verifyGridAxis(*this, getAxis());
}

void RangeOp::build(OpBuilder &builder, OperationState &state, int32_t start,
                    int32_t end) {
  int64_t extent = int64_t(end) - start;
  build(builder, state, RankedTensorType::get({extent}, builder.getI32Type()),
        start, end);
}

LogicalResult RangeOp::verify() {
  return verifyRange(*this, getType(), static_cast<int32_t>(getStart()),
                     static_cast<int32_t>(getEnd()));
}

void JoinOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                   Value rhs) {
  build(builder, state, joinType(lhs.getType()), lhs, rhs);
}

LogicalResult JoinOp::verify() { return verifyJoin(*this); }

void SplitOp::build(OpBuilder &builder, OperationState &state, Value source) {
  Type half = splitType(cast<RankedTensorType>(source.getType()));
  build(builder, state, half, half, source);
}

LogicalResult SplitOp::verify() { return verifySplit(*this); }

void CatOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                  Value rhs, bool allowReorder) {
  build(builder, state, catType(cast<RankedTensorType>(lhs.getType())), lhs,
        rhs, allowReorder);
}

LogicalResult CatOp::verify() { return verifyCat(*this); }

void GatherOp::build(OpBuilder &builder, OperationState &state, Value source,
                     Value indices, int32_t axis) {
  build(builder, state,
        withElement(indices.getType(), getElementTypeOrSelf(source.getType())),
        source, indices, axis);
}

LogicalResult GatherOp::verify() {
  return verifyGatherInTile(*this, getAxis());
}

LogicalResult FactOp::verify() { return verifyFact(*this); }

/// `source` with other extents.
static RankedTensorType withShape(Value source, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, getElementTypeOrSelf(source.getType()));
}

void SplatOp::build(OpBuilder &builder, OperationState &state, Value source,
                    ArrayRef<int64_t> shape) {
  build(builder, state, withShape(source, shape), source);
}

LogicalResult SplatOp::verify() {
  if (getType().getElementType() != getSource().getType())
    return breaks(*this, "C1", "a tensor of the operand's type", getType());
  return success();
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Value source,
                        ArrayRef<int64_t> shape) {
  build(builder, state, withShape(source, shape), source);
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType();
  if (source.getRank() != getType().getRank() ||
      source.getElementType() != getType().getElementType())
    return breaks(*this, "C1", "the operand's rank and element type",
                  getType());
  for (auto [from, to] :
       llvm::zip_equal(source.getShape(), getType().getShape()))
    if (from != 1 && from != to)
      return breaks(*this, "C2", "the operand's extents where they are not 1",
                    getType());
  return success();
}

void ReshapeOp::build(OpBuilder &builder, OperationState &state, Value source,
                      ArrayRef<int64_t> shape, bool allowReorder) {
  build(builder, state, withShape(source, shape), source, allowReorder);
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSource().getType();
  if (source.getElementType() != getType().getElementType() ||
      source.getNumElements() != getType().getNumElements())
    return breaks(*this, "C1", "the operand's elements and their count",
                  getType());
  return success();
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value source,
                        ArrayRef<int64_t> order) {
  ArrayRef<int64_t> from = shapeOf(source.getType());
  SmallVector<int64_t> shape;
  for (int64_t dimension : order)
    shape.push_back(from[dimension]);
  build(builder, state, withShape(source, shape), source, order);
}

LogicalResult TransposeOp::verify() {
  RankedTensorType source = getSource().getType();
  ArrayRef<int64_t> order = getOrder();
  if (static_cast<int64_t>(order.size()) != source.getRank() ||
      !isPermutationVector(order))
    return breaks(*this, "C1",
                  "expected a permutation of the " + Twine(source.getRank()) +
                      " dimensions");
  SmallVector<int64_t> shape;
  for (int64_t dimension : order)
    shape.push_back(source.getDimSize(dimension));
  if (getType() != source.clone(shape))
    return breaks(*this, "C2", "the operand's extents permuted", getType());
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  RankedTensorType acc = getAcc().getType();
  int64_t rank = lhs.getRank();
  if ((rank != 2 && rank != 3) || rhs.getRank() != rank ||
      acc.getRank() != rank)
    return breaks(*this, "C1", "expected operands that are all 2-D or all 3-D");
  ArrayRef<int64_t> l = lhs.getShape(), r = rhs.getShape(), a = acc.getShape();
  bool batchesAgree = rank == 2 || (l[0] == r[0] && l[0] == a[0]);
  if (!batchesAgree || l[rank - 1] != r[rank - 2] ||
      l[rank - 2] != a[rank - 2] || r[rank - 1] != a[rank - 1])
    return breaks(*this, "C1", "shapes [B,]MxK, [B,]KxN and [B,]MxN", acc);
  Type element = lhs.getElementType();
  if (!areDotOperands(element, rhs.getElementType()))
    return breaks(*this, "C2", "operands of one element type, or both fp8",
                  rhs);
  if (!isDotAccumulator(element, acc.getElementType()))
    return breaks(*this, "C3", "an accumulator that fits the operands", acc);
  return success();
}

LogicalResult DotScaledOp::verify() {
  auto scaleType = [](Value scale) { return scale ? scale.getType() : Type(); };
  ScaledOperand lhs{getLhs().getType(), scaleType(getLhsScale()),
                    getLhsFormat(), getLhsKPack()};
  ScaledOperand rhs{getRhs().getType(), scaleType(getRhsScale()),
                    getRhsFormat(), getRhsKPack()};
  return verifyDotScaled(*this, lhs, rhs, getAcc().getType());
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange operands, int32_t axis, CombineBuilder body) {
  state.addOperands(operands);
  state.getOrAddProperties<Properties>().axis = builder.getI32IntegerAttr(axis);
  for (Value operand : operands)
    state.addTypes(reduceType(operand.getType(), axis));
  buildCombineRegion(builder, state, operands, body);
}

LogicalResult ReduceOp::verify() { return verifyReduce(*this, getAxis()); }

LogicalResult ReduceOp::verifyRegions() { return verifyCombineRegion(*this); }

void ScanOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange operands, int32_t axis, bool reverse,
                   CombineBuilder body) {
  state.addOperands(operands);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.axis = builder.getI32IntegerAttr(axis);
  if (reverse)
    properties.reverse = builder.getUnitAttr();
  for (Value operand : operands)
    state.addTypes(operand.getType());
  buildCombineRegion(builder, state, operands, body);
}

LogicalResult ScanOp::verify() { return verifyScan(*this, getAxis()); }

LogicalResult ScanOp::verifyRegions() { return verifyCombineRegion(*this); }

LogicalResult HistogramOp::verify() {
  Type mask = getMask() ? getMask().getType() : Type();
  return verifyHistogram(*this, getSource().getType(), mask, getType());
}

LogicalResult MulHiOp::verify() { return verifyMulHi(*this); }

LogicalResult PrintOp::verify() {
  return verifyPrint(*this, getValues().size(), getSignedness().size());
}

LogicalResult CallOpOp::verify() { return verifyCallName(*this, getName()); }

LogicalResult CallOpOp::verifyRegions() { return verifyCallRegion(*this); }

#define GET_OP_CLASSES
#include "dialects/tile/TileOps.cpp.inc"
