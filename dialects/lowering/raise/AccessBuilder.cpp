//===- AccessBuilder.cpp - Build views, boxes and gathers ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spells out the many operands of Kernel IR accesses in one place.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/raise/AccessBuilder.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

Value lowering::createI64Constant(OpBuilder &builder, Location loc,
                                  int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value lowering::createScalarView(OpBuilder &builder, Location loc, Value base) {
  auto pointer = cast<kernel::PointerType>(base.getType());
  auto type =
      kernel::ViewType::get(builder.getContext(), 0, pointer.getPointee());
  return kernel::ViewOp::create(builder, loc, type, base, Value(), ValueRange{},
                                ValueRange{});
}

static IntegerAttr getIndexDim(OpBuilder &builder, const Box &box) {
  return box.indexDim ? builder.getI32IntegerAttr(*box.indexDim)
                      : IntegerAttr();
}

kernel::LoadOp lowering::createBoxLoad(OpBuilder &builder, Location loc,
                                       Type result, const Box &box, Value other,
                                       kernel::CacheHint cache,
                                       kernel::EvictionHint evict,
                                       bool isVolatile) {
  MLIRContext *context = builder.getContext();
  return kernel::LoadOp::create(
      builder, loc, result, box.view, box.offsets, box.lo, box.hi,
      builder.getDenseI32ArrayAttr(box.boundary), box.index,
      getIndexDim(builder, box), box.mask, other,
      kernel::CacheHintAttr::get(context, cache),
      kernel::EvictionHintAttr::get(context, evict),
      isVolatile ? builder.getUnitAttr() : UnitAttr());
}

kernel::StoreOp lowering::createBoxStore(OpBuilder &builder, Location loc,
                                         Value value, const Box &box,
                                         kernel::CacheHint cache,
                                         kernel::EvictionHint evict) {
  MLIRContext *context = builder.getContext();
  return kernel::StoreOp::create(builder, loc, value, box.view, box.offsets,
                                 box.lo, box.hi,
                                 builder.getDenseI32ArrayAttr(box.boundary),
                                 box.index, getIndexDim(builder, box), box.mask,
                                 kernel::CacheHintAttr::get(context, cache),
                                 kernel::EvictionHintAttr::get(context, evict));
}
