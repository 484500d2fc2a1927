//===- ShapeRules.cpp - Constraints of shape operations ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids, ranges, joins, gathers within a tile and facts.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/OpRules.h"

using namespace mlir;

namespace tilewright::kernel::rules {

LogicalResult breaks(Operation *op, StringRef rule, const Twine &message) {
  return op->emitOpError(message) << " (" << rule << ")";
}

LogicalResult breaks(Operation *op, StringRef rule, const Twine &expected,
                     Type got) {
  return op->emitOpError("expected ")
         << expected << ", got " << got << " (" << rule << ")";
}

ArrayRef<int64_t> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

bool haveSameShape(Type a, Type b) {
  return isa<ShapedType>(a) == isa<ShapedType>(b) && shapeOf(a) == shapeOf(b);
}

Type tensorOrScalar(ArrayRef<int64_t> shape, Type element) {
  if (shape.empty())
    return element;
  return RankedTensorType::get(shape, element);
}

Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

bool isMemoryElement(Type type) {
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type.isSignlessInteger(width))
      return true;
  return isFloat8(type) ||
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType,
             Float8E5M2FNUZType>(type);
}

RankedTensorType joinType(Type operand) {
  SmallVector<int64_t> shape(shapeOf(operand));
  shape.push_back(2);
  return RankedTensorType::get(shape, getElementTypeOrSelf(operand));
}

Type splitType(RankedTensorType source) {
  return tensorOrScalar(source.getShape().drop_back(), source.getElementType());
}

RankedTensorType catType(RankedTensorType operand) {
  return RankedTensorType::get({operand.getDimSize(0) * 2},
                               operand.getElementType());
}

Type reduceType(Type operand, int32_t axis) {
  SmallVector<int64_t> shape(shapeOf(operand));
  shape.erase(shape.begin() + axis);
  return tensorOrScalar(shape, getElementTypeOrSelf(operand));
}

LogicalResult verifyGridAxis(Operation *op, int32_t axis) {
  if (axis < 0 || axis > 2)
    return breaks(op, "C1", "expected axis 0, 1 or 2, got " + Twine(axis));
  return success();
}

LogicalResult verifyRange(Operation *op, Type result, int64_t start,
                          int64_t end) {
  auto tensor = cast<RankedTensorType>(result);
  if (tensor.getRank() != 1 || !tensor.getElementType().isSignlessInteger(32))
    return breaks(op, "C1", "a 1-D tensor of i32", result);
  if (end <= start || end - start != tensor.getDimSize(0))
    return breaks(op, "C2",
                  "expected " + Twine(tensor.getDimSize(0)) +
                      " values, got a range of " + Twine(end - start));
  return success();
}

LogicalResult verifyJoin(Operation *op) {
  Type operand = op->getOperand(0).getType();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (result.getShape() != joinType(operand).getShape())
    return breaks(op, "C1", "the operands' shape followed by an extent of 2",
                  result);
  if (result.getElementType() != getElementTypeOrSelf(operand))
    return breaks(op, "C2", "the operands' element type", result);
  return success();
}

LogicalResult verifySplit(Operation *op) {
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  if (source.getRank() == 0 || source.getShape().back() != 2)
    return breaks(op, "C1", "a last extent of 2", source);
  for (Type result : op->getResultTypes())
    if (result != splitType(source))
      return breaks(op, "C2", "results of the other extents", result);
  return success();
}

LogicalResult verifyCat(Operation *op) {
  auto operand = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (operand.getRank() != 1)
    return breaks(op, "C1", "1-D operands", operand);
  if (result != catType(operand))
    return breaks(op, "C1", "twice the operands' extent", result);
  return success();
}

LogicalResult verifyGatherInTile(Operation *op, int32_t axis) {
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  auto indices = cast<RankedTensorType>(op->getOperand(1).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (source.getRank() != indices.getRank())
    return breaks(op, "C1", "indices of the source's rank", indices);
  if (axis < 0 || axis >= source.getRank())
    return breaks(op, "C3",
                  "expected an axis below " + Twine(source.getRank()) +
                      ", got " + Twine(axis));
  for (int64_t d = 0; d < source.getRank(); ++d)
    if (d != axis && source.getDimSize(d) != indices.getDimSize(d))
      return breaks(op, "C1", "the source's extents but for the axis", indices);
  if (!indices.getElementType().isSignlessInteger())
    return breaks(op, "C1", "integer indices", indices);
  if (result != indices.clone(source.getElementType()))
    return breaks(op, "C2", "the indices' shape and the source's element type",
                  result);
  return success();
}

LogicalResult verifyFact(Operation *op) {
  Type type = op->getResult(0).getType();
  if (op->getOperand(0).getType() != type)
    return breaks(op, "C1", "the operand's type", type);
  int64_t entries = isa<RankedTensorType>(type) ? shapeOf(type).size() : 1;
  for (StringRef name : {"divisibility", "contiguity", "constancy"}) {
    auto values = op->getAttrOfType<DenseI64ArrayAttr>(name);
    if (!values)
      continue;
    if (values.size() != entries)
      return breaks(op, "C2",
                    "expected " + Twine(entries) + " values of " + name +
                        ", got " + Twine(values.size()));
    if (llvm::any_of(values.asArrayRef(), [](int64_t v) { return v < 1; }))
      return breaks(op, "C2", "expected values of " + name + " above 0");
  }
  return success();
}

} // namespace tilewright::kernel::rules
