//===- TileAccess.cpp - Verify accesses to memory ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, loads, stores, atomics and descriptors of the tile dialect.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/rules/OpRules.h"
#include "dialects/tile/TileOps.h"

using namespace mlir;
using namespace tilewright::tile;
using namespace tilewright::kernel::rules;

LogicalResult AddPtrOp::verify() {
  if (failed(verifySameShape(*this, getPtr().getType(), getOffset().getType())))
    return failure();
  Type offset = getElementTypeOrSelf(getOffset().getType());
  if (!offset.isSignlessInteger(32) && !offset.isSignlessInteger(64))
    return breaks(*this, "C1", "an offset of i32 or i64", offset);
  return success();
}

LogicalResult IntToPtrOp::verify() {
  return verifyPointerInteger(*this, getType(), getSource().getType());
}

LogicalResult PtrToIntOp::verify() {
  return verifyPointerInteger(*this, getSource().getType(), getType());
}

LogicalResult PtrCastOp::verify() {
  return verifySameShape(*this, getSource().getType(), getType());
}

/// What one access through pointers of this type moves.
static Type valueTypeOf(Type pointers) {
  auto pointer = cast<PointerType>(getElementTypeOrSelf(pointers));
  return withElement(pointers, pointer.getPointee());
}

/// C1 of loads, stores and atomics.
static LogicalResult verifyValue(Operation *op, Type pointers, Type value) {
  Type expected = valueTypeOf(pointers);
  if (value == expected)
    return success();
  return op->emitOpError("expected a value of type ")
         << expected << ", got " << value << " (C1)";
}

/// C2 of loads, stores and atomics.
static LogicalResult verifyMask(Operation *op, Type pointers, Value mask) {
  if (!mask || haveSameShape(pointers, mask.getType()))
    return success();
  return breaks(op, "C2", "a mask of the pointers' shape", mask.getType());
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value ptr,
                   Value mask, Value other, tilewright::kernel::CacheHint cache,
                   tilewright::kernel::EvictionHint evict, bool isVolatile) {
  build(builder, state, valueTypeOf(ptr.getType()), ptr, mask, other, cache,
        evict, isVolatile);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyValue(*this, getPtr().getType(), getType())) ||
      failed(verifyMask(*this, getPtr().getType(), getMask())))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return breaks(*this, "C3", "expected a mask beside other");
  if (getOther().getType() != getType())
    return breaks(*this, "C3", "other of the result's type",
                  getOther().getType());
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyValue(*this, getPtr().getType(), getValue().getType())))
    return failure();
  return verifyMask(*this, getPtr().getType(), getMask());
}

LogicalResult AtomicRMWOp::verify() {
  Type pointers = getPtr().getType();
  if (failed(verifyValue(*this, pointers, getValue().getType())) ||
      failed(verifyValue(*this, pointers, getType())) ||
      failed(verifyMask(*this, pointers, getMask())))
    return failure();
  return verifyAtomicElement(*this, getKind(), getElementTypeOrSelf(getType()));
}

LogicalResult AtomicCASOp::verify() {
  Type pointers = getPtr().getType();
  if (failed(verifyValue(*this, pointers, getValue().getType())) ||
      failed(verifyValue(*this, pointers, getType())))
    return failure();
  return verifyExchangeWidth(*this, getType());
}

LogicalResult MakeDescriptorOp::verify() {
  RankedTensorType block = getType().getBlock();
  size_t rank = block.getRank();
  if (getShape().size() != rank || getStrides().size() != rank)
    return breaks(
        *this, "C1",
        "expected " + Twine(rank) + " entries of shape and strides, got " +
            Twine(getShape().size()) + " and " + Twine(getStrides().size()));
  if (block.getElementType() != getBase().getType().getPointee())
    return breaks(*this, "C2", "a block of the pointee", block);
  if (rank < 1 || rank > 5)
    return breaks(*this, "C3", "expected rank 1 to 5, got " + Twine(rank));
  return success();
}

/// C1 of descriptor load and store.
static LogicalResult verifyOffsets(Operation *op, RankedTensorType block,
                                   size_t offsets) {
  if (static_cast<int64_t>(offsets) == block.getRank())
    return success();
  return breaks(op, "C1",
                "expected " + Twine(block.getRank()) + " offsets, got " +
                    Twine(offsets));
}

/// C2 of descriptor load and store: `value` is the block, or the block without
/// some of its leading extents of 1.
static LogicalResult verifyBlock(Operation *op, RankedTensorType block,
                                 RankedTensorType value) {
  int64_t dropped = block.getRank() - value.getRank();
  bool fits = block.getElementType() == value.getElementType() &&
              dropped >= 0 &&
              block.getShape().drop_front(dropped) == value.getShape() &&
              llvm::all_of(block.getShape().take_front(dropped),
                           [](int64_t extent) { return extent == 1; });
  if (fits)
    return success();
  return breaks(op, "C2", "the block's extents and element type", value);
}

LogicalResult DescriptorLoadOp::verify() {
  RankedTensorType block = getDescriptor().getType().getBlock();
  if (failed(verifyOffsets(*this, block, getOffsets().size())))
    return failure();
  return verifyBlock(*this, block, getType());
}

LogicalResult DescriptorStoreOp::verify() {
  RankedTensorType block = getDescriptor().getType().getBlock();
  if (failed(verifyOffsets(*this, block, getOffsets().size())) ||
      failed(verifyBlock(*this, block, getValue().getType())))
    return failure();
  if (!getKind())
    return success();
  return verifyAtomicElement(*this, *getKind(), block.getElementType());
}

/// C1 and C2 of descriptor gather and scatter.
static LogicalResult verifyRows(Operation *op, RankedTensorType block,
                                RankedTensorType rows, RankedTensorType value) {
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return breaks(op, "C1", "a block of 1xN", block);
  if (rows.getRank() != 1 || !rows.getElementType().isSignlessInteger(32))
    return breaks(op, "C2", "1-D rows of i32", rows);
  SmallVector<int64_t> shape{rows.getDimSize(0), block.getDimSize(1)};
  if (value != block.clone(shape))
    return breaks(op, "C2", "rows x N of the block's element type", value);
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDescriptor().getType().getBlock(),
                    getRows().getType(), getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDescriptor().getType().getBlock(),
                    getRows().getType(), getValue().getType());
}
