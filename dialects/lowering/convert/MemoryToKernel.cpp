//===- MemoryToKernel.cpp - Accesses that were not raised -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of pointers are gathered and scattered, scalar pointers accessed as
// views of one element. An element that is itself a pointer travels as its
// 64-bit address.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/lowering/raise/AccessBuilder.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// The type that memory holds for a converted value: pointers as i64.
static Type getStoredType(Type converted) {
  if (!isa<kernel::PointerType>(getElementTypeOrSelf(converted)))
    return converted;
  Type address = IntegerType::get(converted.getContext(), 64);
  if (auto shaped = dyn_cast<ShapedType>(converted))
    return shaped.clone(address);
  return address;
}

/// Turns a value of pointers into addresses and leaves others alone.
static Value toStored(OpBuilder &builder, Location loc, Value value) {
  if (!value || getStoredType(value.getType()) == value.getType())
    return value;
  return kernel::PtrToIntOp::create(builder, loc,
                                    getStoredType(value.getType()), value);
}

namespace {
struct ConvertLoad : OpConversionPattern<tile::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = getTypeConverter()->convertType(op.getType());
    Type stored = getStoredType(type);
    Value pointer = adaptor.getPtr(), mask = adaptor.getMask();
    Value other = toStored(rewriter, loc, adaptor.getOther());
    Operation *load;
    if (isa<RankedTensorType>(type)) {
      load = kernel::GatherOp::create(rewriter, loc, stored, pointer, Value(),
                                      mask, other, adaptor.getCacheAttr(),
                                      adaptor.getEvictAttr(),
                                      adaptor.getIsVolatileAttr());
    } else {
      Box box;
      box.view = createScalarView(rewriter, loc, pointer);
      box.mask = mask;
      load = createBoxLoad(rewriter, loc, stored, box, other, op.getCache(),
                           op.getEvict(), op.getIsVolatile());
    }
    copyDiscardableAttributes(op, load);
    Value result = load->getResult(0);
    if (stored != type)
      result = kernel::IntToPtrOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConvertStore : OpConversionPattern<tile::StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = adaptor.getPtr(), mask = adaptor.getMask();
    Value value = toStored(rewriter, loc, adaptor.getValue());
    Operation *store;
    if (isa<RankedTensorType>(value.getType())) {
      store = kernel::ScatterOp::create(rewriter, loc, value, pointer, Value(),
                                        mask, adaptor.getCacheAttr(),
                                        adaptor.getEvictAttr());
    } else {
      Box box;
      box.view = createScalarView(rewriter, loc, pointer);
      box.mask = mask;
      store = createBoxStore(rewriter, loc, value, box, op.getCache(),
                             op.getEvict());
    }
    copyDiscardableAttributes(op, store);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelMemoryPatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertLoad, ConvertStore>(converter, patterns.getContext());
}
