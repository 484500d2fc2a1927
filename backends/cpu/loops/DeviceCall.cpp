//===- DeviceCall.cpp - Functions of device libraries -----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel.extern_call` becomes one call for each lane. The functions are linked
// and inlined later (DeviceLibraries.h).
//===----------------------------------------------------------------------===//
#include "backends/common/DeviceLibraries.h"
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilewright::cpu {

/// Whether the request brings the library, and the call has no effect.
bool Emitter::isKnownFunction(kernel::ExternCallOp op) {
  if (op.getPure() &&
      llvm::is_contained(options.libraries, op.getLibrary().str()))
    return true;
  refuse(op, "TW4128: the CPU backend does not know function '" +
                 op.getSymbol() + "' of '" + op.getLibrary() + "'");
  return false;
}

/// bf16 and fp8 cross as integers of their bits.
static Type crossingType(Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    if (type.isBF16() || type.getWidth() == 8)
      return IntegerType::get(type.getContext(), type.getWidth());
  return element;
}

static Value bitcast(OpBuilder &b, Location location, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::BitcastOp::create(b, location, type, value);
}

/// Declares the function in the module, once.
static void declare(OpBuilder &b, kernel::ExternCallOp op, ModuleOp module,
                    Type result, ArrayRef<Type> operands) {
  if (module.lookupSymbol(op.getSymbol()))
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(b, op.getLoc(), op.getSymbol(),
                               LLVM::LLVMFunctionType::get(result, operands));
  function.setPassthroughAttr(b.getArrayAttr(
      b.getStrArrayAttr({backend::kLibraryAttribute, op.getLibrary()})));
}

Value Emitter::callDevice(kernel::ExternCallOp op, ArrayRef<Value> operands,
                          unsigned width) {
  Type element = elementOf(op.getResult());
  Type result = crossingType(element);
  SmallVector<Type> types;
  for (Value operand : operands)
    types.push_back(crossingType(getElementTypeOrSelf(operand.getType())));
  declare(b, op, function->getParentOfType<ModuleOp>(), result, types);
  auto call = [&](int64_t lane) -> Value {
    SmallVector<Value> lanes;
    for (auto [operand, type] : llvm::zip_equal(operands, types)) {
      Value value =
          isa<VectorType>(operand.getType())
              ? vector::ExtractOp::create(b, operand, lane).getResult()
              : operand;
      lanes.push_back(bitcast(b, b.getLoc(), value, type));
    }
    auto made =
        LLVM::CallOp::create(b, TypeRange(result), op.getSymbol(), lanes);
    return bitcast(b, b.getLoc(), made.getResult(), element);
  };
  if (width == 1)
    return call(0);
  Value all = zero(laneType(element, width));
  for (unsigned lane = 0; lane < width; ++lane)
    all = vector::InsertOp::create(b, call(lane), all, int64_t(lane));
  return all;
}

} // namespace tilewright::cpu
