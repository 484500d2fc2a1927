//===- TypeConversion.cpp - Tile types as Kernel IR types ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type converter that all conversion patterns share.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/TypeConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

Type lowering::convertPointer(tile::PointerType type) {
  Type pointee = type.getPointee();
  if (isa<tile::PointerType>(pointee))
    pointee = IntegerType::get(type.getContext(), 64);
  return kernel::PointerType::get(type.getContext(), pointee);
}

/// Lists the components of a descriptor: base, shape, strides, padding.
static LogicalResult convertDescriptor(tile::DescriptorType type,
                                       SmallVectorImpl<Type> &results) {
  MLIRContext *context = type.getContext();
  RankedTensorType block = type.getBlock();
  results.push_back(kernel::PointerType::get(context, block.getElementType()));
  results.append(2 * block.getRank(), IntegerType::get(context, 64));
  results.push_back(block.getElementType());
  return success();
}

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tile::PointerType type) { return convertPointer(type); });
  addConversion([](RankedTensorType type) -> Type {
    auto pointer = dyn_cast<tile::PointerType>(type.getElementType());
    return pointer ? type.clone(convertPointer(pointer)) : type;
  });
  addConversion([](tile::DescriptorType type, SmallVectorImpl<Type> &results) {
    return convertDescriptor(type, results);
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

DescriptorParts lowering::splitDescriptor(ValueRange components, int64_t rank) {
  return {components.front(), components.slice(1, rank),
          components.slice(1 + rank, rank), components.back()};
}

void lowering::copyDiscardableAttributes(Operation *from, Operation *to) {
  for (NamedAttribute attribute : from->getDiscardableAttrs())
    to->setDiscardableAttr(attribute.getName(), attribute.getValue());
}
