//===- KernelDialect.cpp - Registers Kernel IR ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's registration and the generated type and attribute code.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "dialects/kernel/Dialects.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/rules/OpRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::kernel;

#include "dialects/kernel/KernelDialect.cpp.inc"
#include "dialects/kernel/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/kernel/KernelTypes.cpp.inc"

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult PointerType::verify(EmitError emitError, Type pointee) {
  if (rules::isMemoryElement(pointee))
    return success();
  return emitError() << "expected a pointee of i1 to i64 or a float, got "
                     << pointee;
}

LogicalResult ViewType::verify(EmitError emitError, unsigned,
                               Type elementType) {
  if (rules::isMemoryElement(elementType))
    return success();
  return emitError() << "expected elements of i1 to i64 or a float, got "
                     << elementType;
}

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/KernelAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/kernel/KernelTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/KernelOps.cpp.inc"
      >();
}

void tilewright::kernel::registerKernelIRDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect, KernelDialect,
                  linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
}
