//===- RegionRules.cpp - Constraints of reductions and calls ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations with a combine region or a decomposition attached.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/OpRules.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::kernel::rules {

/// C1 of reduce and scan: at least one operand, one shape, a valid axis.
static LogicalResult verifyOperands(Operation *op, int32_t axis) {
  if (op->getNumOperands() == 0)
    return breaks(op, "C1", "expected at least one operand");
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0).getType());
  for (Type type : op->getOperandTypes())
    if (shapeOf(type) != shape)
      return breaks(op, "C1", "operands of one shape", type);
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return breaks(op, "C1",
                  "expected an axis below " + Twine(shape.size()) + ", got " +
                      Twine(axis));
  return success();
}

/// The tensor as Kernel IR writes it. Backends give tensors layouts, and that
/// of a result need not follow from the operand's.
static Type withoutEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor
             ? RankedTensorType::get(tensor.getShape(), tensor.getElementType())
             : type;
}

/// C2 of reduce and scan: one result an operand, of the type that `expect`
/// gives for it; `simplify` says what of a result's type counts.
static LogicalResult verifyResults(Operation *op,
                                   function_ref<Type(Type)> expect,
                                   function_ref<Type(Type)> simplify) {
  if (op->getNumResults() != op->getNumOperands())
    return breaks(op, "C2",
                  "expected " + Twine(op->getNumOperands()) + " results, got " +
                      Twine(op->getNumResults()));
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperandTypes(), op->getResultTypes()))
    if (simplify(result) != expect(operand))
      return op->emitOpError("expected a result of type ")
             << expect(operand) << ", got " << result << " (C2)";
  return success();
}

LogicalResult verifyReduce(Operation *op, int32_t axis) {
  if (failed(verifyOperands(op, axis)))
    return failure();
  return verifyResults(
      op, [&](Type operand) { return reduceType(operand, axis); },
      withoutEncoding);
}

LogicalResult verifyScan(Operation *op, int32_t axis) {
  if (failed(verifyOperands(op, axis)))
    return failure();
  auto same = [](Type type) { return type; };
  return verifyResults(op, same, same);
}

LogicalResult verifyCombineRegion(Operation *op) {
  SmallVector<Type> elements;
  for (Type type : op->getOperandTypes())
    elements.push_back(getElementTypeOrSelf(type));
  SmallVector<Type> arguments(elements);
  arguments.append(elements);
  Block &block = op->getRegion(0).front();
  if (block.getArgumentTypes() != TypeRange(arguments))
    return breaks(op, "C3",
                  "expected two region arguments of each operand's element "
                  "type, left values first");
  Operation *yield = block.getTerminator();
  if (yield->getOperandTypes() != TypeRange(elements)) {
    InFlightDiagnostic error = op->emitOpError(
        "expected the region to yield the operands' element types (C3)");
    error.attachNote(yield->getLoc()) << "yielded here";
    return error;
  }
  for (Operation &inner : block) {
    if (isMemoryEffectFree(&inner))
      continue;
    InFlightDiagnostic error =
        op->emitOpError("expected a combine region without side effects (C4)");
    error.attachNote(inner.getLoc()) << "this operation has one";
    return error;
  }
  return success();
}

LogicalResult verifyCallRegion(Operation *op) {
  Block &block = op->getRegion(0).front();
  if (block.getArgumentTypes() != op->getOperandTypes())
    return breaks(op, "C1", "expected region arguments of the operands' types");
  Operation *yield = block.getTerminator();
  if (yield->getOperandTypes() != op->getResultTypes()) {
    InFlightDiagnostic error =
        op->emitOpError("expected the region to yield the results' types (C2)");
    error.attachNote(yield->getLoc()) << "yielded here";
    return error;
  }
  return success();
}

LogicalResult verifyCallName(Operation *op, StringRef name) {
  auto [base, version] = name.split('@');
  unsigned number;
  if (base.empty() || version.empty() || version.getAsInteger(10, number))
    return breaks(op, "C3",
                  "expected a name such as softmax@1, got \"" + name + "\"");
  return success();
}

void buildCombineRegion(OpBuilder &builder, OperationState &state,
                        ValueRange operands, CombineBuilder body) {
  SmallVector<Type> arguments;
  for (unsigned side = 0; side < 2; ++side)
    for (Value operand : operands)
      arguments.push_back(getElementTypeOrSelf(operand.getType()));
  SmallVector<Location> locations(arguments.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *block =
      builder.createBlock(region, region->end(), arguments, locations);
  body(builder, state.location, block->getArguments());
}

} // namespace tilewright::kernel::rules
