//===- DescriptorToKernel.cpp - Descriptors as views ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor is its components; every access makes a view of them and checks
// each dimension against the described shape.
//===----------------------------------------------------------------------===//

#include "dialects/lowering/convert/PopulatePatterns.h"
#include "dialects/lowering/raise/AccessBuilder.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lowering;

/// A descriptor access in the making: its parts and the box.
static Box createDescriptorBox(OpBuilder &builder, Location loc,
                               const DescriptorParts &parts,
                               ValueRange offsets) {
  Box box;
  auto pointer = cast<kernel::PointerType>(parts.base.getType());
  auto type = kernel::ViewType::get(builder.getContext(), parts.shape.size(),
                                    pointer.getPointee());
  box.view = kernel::ViewOp::create(builder, loc, type, parts.base, Value(),
                                    parts.shape, parts.strides);
  Value zero = createI64Constant(builder, loc, 0);
  for (Value offset : offsets)
    box.offsets.push_back(
        arith::ExtSIOp::create(builder, loc, builder.getI64Type(), offset));
  box.lo.assign(parts.shape.size(), zero);
  box.hi.assign(parts.shape.begin(), parts.shape.end());
  box.boundary.assign(parts.shape.size(),
                      static_cast<int32_t>(kernel::BoundaryMode::Checked));
  return box;
}

/// The value of elements out of bounds; null for plain zero, the default.
static Value getPadding(const DescriptorParts &parts) {
  bool isZero = matchPattern(parts.other, m_Zero()) ||
                matchPattern(parts.other, m_PosZeroFloat());
  return isZero ? Value() : parts.other;
}

/// Reshapes between a block and the same block without leading unit extents.
static Value reshapeBlock(OpBuilder &builder, Location loc, Value value,
                          RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from.getShape() == type.getShape())
    return value;
  auto groups = getReassociationIndicesForReshape(from, type);
  if (!groups)
    return {};
  if (from.getRank() > type.getRank())
    return tensor::CollapseShapeOp::create(builder, loc, type, value, *groups);
  return tensor::ExpandShapeOp::create(builder, loc, type, value, *groups);
}

/// Per element i64 offset and in-bounds flag of a box, for accesses that have
/// no box form.
static std::pair<Value, Value>
createElementwiseBox(OpBuilder &builder, Location loc, RankedTensorType block,
                     const DescriptorParts &parts, const Box &box) {
  auto offsetType =
      RankedTensorType::get(block.getShape(), builder.getI64Type());
  auto splat = [&](Value scalar) -> Value {
    return tensor::SplatOp::create(builder, loc, scalar, offsetType);
  };
  Value offset, inBounds;
  for (auto [dim, extent] : llvm::enumerate(block.getShape())) {
    Value steps = kernel::RangeOp::create(
        builder, loc, RankedTensorType::get({extent}, builder.getI32Type()),
        builder.getI32IntegerAttr(0), builder.getI32IntegerAttr(extent));
    steps = arith::ExtSIOp::create(
        builder, loc, RankedTensorType::get({extent}, builder.getI64Type()),
        steps);
    SmallVector<int64_t> others;
    for (int64_t other = 0; other < block.getRank(); ++other)
      if (other != static_cast<int64_t>(dim))
        others.push_back(other);
    if (!others.empty()) {
      Value init = tensor::EmptyOp::create(builder, loc, block.getShape(),
                                           builder.getI64Type());
      steps = linalg::BroadcastOp::create(builder, loc, steps, init, others)
                  ->getResult(0);
    }
    Value position =
        arith::AddIOp::create(builder, loc, steps, splat(box.offsets[dim]));
    Value above = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        position, splat(box.lo[dim]));
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        position, splat(box.hi[dim]));
    Value inside = arith::AndIOp::create(builder, loc, above, below);
    Value term = arith::MulIOp::create(builder, loc, position,
                                       splat(parts.strides[dim]));
    offset = offset ? arith::AddIOp::create(builder, loc, offset, term) : term;
    inBounds = inBounds ? arith::AndIOp::create(builder, loc, inBounds, inside)
                        : inside;
  }
  return {offset, inBounds};
}

namespace {
/// The padding is carried as the value that an element out of bounds gets.
struct ConvertMakeDescriptor : OpConversionPattern<tile::MakeDescriptorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::MakeDescriptorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = op.getType().getBlock().getElementType();
    TypedAttr padding = rewriter.getZeroAttr(element);
    auto floatType = dyn_cast<FloatType>(element);
    if (floatType && op.getPadding() == kernel::Padding::NaN) {
      if (!APFloat::semanticsHasNaN(floatType.getFloatSemantics()))
        return rewriter.notifyMatchFailure(op, "element type has no NaN");
      padding = rewriter.getFloatAttr(
          element, APFloat::getQNaN(floatType.getFloatSemantics()));
    }
    SmallVector<Value> components{adaptor.getBase()};
    llvm::append_range(components, adaptor.getShape());
    llvm::append_range(components, adaptor.getStrides());
    components.push_back(
        arith::ConstantOp::create(rewriter, op.getLoc(), padding));
    SmallVector<SmallVector<Value>> replacement{components};
    rewriter.replaceOpWithMultiple(op, std::move(replacement));
    return success();
  }
};

struct ConvertDescriptorLoad : OpConversionPattern<tile::DescriptorLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType block = op.getDescriptor().getType().getBlock();
    DescriptorParts parts =
        splitDescriptor(adaptor.getDescriptor(), block.getRank());
    Box box =
        createDescriptorBox(rewriter, op.getLoc(), parts, op.getOffsets());
    auto load = createBoxLoad(
        rewriter, op.getLoc(),
        RankedTensorType::get(block.getShape(), block.getElementType()), box,
        getPadding(parts), op.getCache(), op.getEvict(), /*isVolatile=*/false);
    copyDiscardableAttributes(op, load);
    Value result =
        reshapeBlock(rewriter, op.getLoc(), load.getResult(), op.getType());
    if (!result)
      return rewriter.notifyMatchFailure(op, "result is not the block's shape");
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConvertDescriptorStore : OpConversionPattern<tile::DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType block = op.getDescriptor().getType().getBlock();
    DescriptorParts parts =
        splitDescriptor(adaptor.getDescriptor(), block.getRank());
    Box box = createDescriptorBox(rewriter, loc, parts, op.getOffsets());
    Value value =
        reshapeBlock(rewriter, loc, adaptor.getValue().front(), block);
    if (!value)
      return rewriter.notifyMatchFailure(op, "value is not the block's shape");
    if (!op.getKind()) {
      auto store =
          createBoxStore(rewriter, loc, value, box, kernel::CacheHint::None,
                         kernel::EvictionHint::Normal);
      copyDiscardableAttributes(op, store);
      rewriter.eraseOp(op);
      return success();
    }
    auto [offsets, mask] =
        createElementwiseBox(rewriter, loc, block, parts, box);
    MLIRContext *context = op.getContext();
    auto atomic = kernel::AtomicRMWOp::create(
        rewriter, loc, value.getType(), op.getKindAttr(),
        kernel::MemorySemanticsAttr::get(context,
                                         kernel::MemorySemantics::Relaxed),
        kernel::MemoryScopeAttr::get(context, kernel::MemoryScope::Device),
        value, parts.base, offsets, mask);
    copyDiscardableAttributes(op, atomic);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Sets the rows of a gather or scatter as the index of dimension 0.
static Box createRowBox(OpBuilder &builder, Location loc,
                        const DescriptorParts &parts, Value rows,
                        Value column) {
  Box box = createDescriptorBox(builder, loc, parts, ValueRange{column});
  box.offsets.insert(box.offsets.begin(), createI64Constant(builder, loc, 0));
  box.index = rows;
  box.indexDim = 0;
  return box;
}

struct ConvertDescriptorGather : OpConversionPattern<tile::DescriptorGatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DescriptorParts parts = splitDescriptor(adaptor.getDescriptor(), 2);
    Box box =
        createRowBox(rewriter, op.getLoc(), parts, adaptor.getRows().front(),
                     adaptor.getColumn().front());
    auto load = createBoxLoad(rewriter, op.getLoc(), op.getType(), box,
                              getPadding(parts), kernel::CacheHint::None,
                              kernel::EvictionHint::Normal,
                              /*isVolatile=*/false);
    copyDiscardableAttributes(op, load);
    rewriter.replaceOp(op, load);
    return success();
  }
};

struct ConvertDescriptorScatter
    : OpConversionPattern<tile::DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DescriptorParts parts = splitDescriptor(adaptor.getDescriptor(), 2);
    Box box =
        createRowBox(rewriter, op.getLoc(), parts, adaptor.getRows().front(),
                     adaptor.getColumn().front());
    auto store =
        createBoxStore(rewriter, op.getLoc(), adaptor.getValue().front(), box,
                       kernel::CacheHint::None, kernel::EvictionHint::Normal);
    copyDiscardableAttributes(op, store);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void lowering::populateTileToKernelDescriptorPatterns(
    const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertDescriptorGather, ConvertDescriptorLoad,
               ConvertDescriptorScatter, ConvertDescriptorStore,
               ConvertMakeDescriptor>(converter, patterns.getContext());
}
