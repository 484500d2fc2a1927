//===- TileDialect.cpp - Register the tile types and ops ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's registration and the generated type code.
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileDialect.h"

#include "dialects/kernel/rules/OpRules.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tile;

#include "dialects/tile/TileDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.cpp.inc"

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult PointerType::verify(EmitError emitError, Type pointee) {
  if (tilewright::kernel::rules::isMemoryElement(pointee) ||
      isa<PointerType>(pointee))
    return success();
  return emitError()
         << "expected a pointee of i1 to i64, a float or a pointer, got "
         << pointee;
}

LogicalResult DescriptorType::verify(EmitError emitError,
                                     RankedTensorType block) {
  if (block.hasStaticShape() &&
      tilewright::kernel::rules::isMemoryElement(block.getElementType()))
    return success();
  return emitError() << "expected a block of static shape, got " << block;
}

/// Folds give scalars and splats: both are arith.constant.
Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/tile/TileOps.cpp.inc"
      >();
}
