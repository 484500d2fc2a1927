//===- Types.cpp - Elements in registers and in memory ----------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 and fp8 are integers; an i1 takes a byte in memory.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Emitter.h"

using namespace mlir;

namespace tilewright::simt {

llvm::Type *Emitter::registerType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<kernel::PointerType>(element))
    return b.getPtrTy(target.globalSpace);
  if (element.isF64())
    return b.getDoubleTy();
  if (element.isF32())
    return b.getFloatTy();
  if (element.isF16() && target.hasFloat16)
    return b.getHalfTy();
  return b.getIntNTy(element.getIntOrFloatBitWidth());
}

llvm::Type *Emitter::memoryType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger(1))
    return b.getInt8Ty();
  return isa<kernel::PointerType>(element) ? b.getInt64Ty()
                                           : registerType(element);
}

llvm::Value *Emitter::toMemory(llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  if (type->getScalarType()->isIntegerTy(1))
    return b.CreateZExt(value, type->getWithNewType(b.getInt8Ty()));
  return value;
}

llvm::Value *Emitter::fromMemory(llvm::Value *value, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<kernel::PointerType>(element))
    return b.CreateIntToPtr(value, registerType(element));
  if (element.isInteger(1))
    return b.CreateICmpNE(value,
                          llvm::Constant::getNullValue(value->getType()));
  return value;
}

llvm::Value *Emitter::zero(Type type) {
  return llvm::Constant::getNullValue(registerType(type));
}

llvm::Constant *Emitter::constant(Attribute value, Type element) {
  llvm::Type *type = registerType(element);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return llvm::ConstantInt::get(b.getContext(), integer.getValue());
  const llvm::APFloat &number = cast<FloatAttr>(value).getValue();
  if (type->isIntegerTy())
    return llvm::ConstantInt::get(b.getContext(), number.bitcastToAPInt());
  return llvm::ConstantFP::get(type, number);
}

} // namespace tilewright::simt
