//===- KernelOps.cpp - Operations of Kernel IR ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated classes, and builders and verifiers of everything but memory.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"

#include "dialects/kernel/rules/OpRules.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::kernel;
using namespace tilewright::kernel::rules;

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

void GatherInTileOp::build(OpBuilder &builder, OperationState &state,
                           Value source, Value indices, int32_t axis) {
  build(builder, state,
        withElement(indices.getType(), getElementTypeOrSelf(source.getType())),
        source, indices, axis);
}

LogicalResult GatherInTileOp::verify() {
  return verifyGatherInTile(*this, getAxis());
}

LogicalResult FactOp::verify() { return verifyFact(*this); }

LogicalResult DotScaledOp::verify() {
  auto scaleType = [](Value scale) { return scale ? scale.getType() : Type(); };
  ScaledOperand lhs{getLhs().getType(), scaleType(getLhsScale()),
                    getLhsFormat(), getLhsKPack()};
  ScaledOperand rhs{getRhs().getType(), scaleType(getRhsScale()),
                    getRhsFormat(), getRhsKPack()};
  return verifyDotScaled(*this, lhs, rhs, getAcc().getType());
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange operands, int32_t axis, ReduceOrder order,
                     CombineBuilder body) {
  state.addOperands(operands);
  state.getOrAddProperties<Properties>().axis = builder.getI32IntegerAttr(axis);
  state.getOrAddProperties<Properties>().order =
      ReduceOrderAttr::get(builder.getContext(), order);
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
#include "dialects/kernel/KernelOps.cpp.inc"
