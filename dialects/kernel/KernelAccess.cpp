//===- KernelAccess.cpp - Verify accesses to memory ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and the loads, stores, gathers, scatters and atomics of Kernel IR.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelOps.h"
#include "dialects/kernel/rules/OpRules.h"

using namespace mlir;
using namespace tilewright::kernel;
using namespace tilewright::kernel::rules;

static Type typeOrNull(Value value) { return value ? value.getType() : Type(); }

LogicalResult ViewOp::verify() {
  ViewType view = getType();
  if (getSizes().size() != view.getRank() ||
      getStrides().size() != view.getRank())
    return breaks(*this, "C1",
                  "expected " + Twine(view.getRank()) +
                      " sizes and strides, got " + Twine(getSizes().size()) +
                      " and " + Twine(getStrides().size()));
  Type pointee = getBase().getType().getPointee();
  if (view.getElementType() != pointee)
    return breaks(*this, "C2", "a view of the pointee", view);
  return success();
}

namespace {

/// A box of a view, as load and store name it.
struct Box {
  ViewType view;
  /// Type of the elements moved.
  Type value;
  size_t offsets, lo, hi;
  ArrayRef<int32_t> boundary;
  Type index;
  std::optional<int64_t> indexDim;
  Type mask;
};

template <typename Op> Box boxOf(Op op, Type value) {
  std::optional<int64_t> indexDim;
  if (op.getIndexDim())
    indexDim = static_cast<int32_t>(*op.getIndexDim());
  return {op.getView().getType(),    value,
          op.getOffsets().size(),    op.getLo().size(),
          op.getHi().size(),         op.getBoundary(),
          typeOrNull(op.getIndex()), indexDim,
          typeOrNull(op.getMask())};
}

} // namespace

/// C1 of load and store: as many of everything as the view has dimensions.
static LogicalResult verifyDimensions(Operation *op, const Box &box) {
  size_t rank = box.view.getRank();
  if (box.offsets != rank || box.lo != rank || box.hi != rank ||
      box.boundary.size() != rank)
    return breaks(op, "C1",
                  "expected " + Twine(rank) +
                      " offsets, lo, hi and boundary modes, got " +
                      Twine(box.offsets) + ", " + Twine(box.lo) + ", " +
                      Twine(box.hi) + " and " + Twine(box.boundary.size()));
  for (int32_t mode : box.boundary)
    if (!symbolizeBoundaryMode(mode))
      return breaks(op, "C1",
                    "expected boundary mode 0, 1 or 2, got " + Twine(mode));
  return success();
}

/// C5 of load, C4 of store.
static LogicalResult verifyIndex(Operation *op, const Box &box,
                                 StringRef rule) {
  if (!box.index && !box.indexDim)
    return success();
  if (!box.index || !box.indexDim)
    return breaks(op, rule, "expected both or neither of index and index_dim");
  ArrayRef<int64_t> shape = shapeOf(box.value);
  if (*box.indexDim < 0 || *box.indexDim >= static_cast<int64_t>(shape.size()))
    return breaks(op, rule,
                  "expected an index_dim below " + Twine(shape.size()) +
                      ", got " + Twine(*box.indexDim));
  Type element = getElementTypeOrSelf(box.index);
  if (shapeOf(box.index) != shape.slice(*box.indexDim, 1) ||
      !(element.isSignlessInteger(32) || element.isSignlessInteger(64)))
    return breaks(op, rule,
                  "a 1-D index of i32 or i64 with the extent of index_dim",
                  box.index);
  return success();
}

static LogicalResult verifyBox(Operation *op, const Box &box,
                               StringRef indexRule) {
  if (failed(verifyDimensions(op, box)))
    return failure();
  if (shapeOf(box.value).size() != box.view.getRank() ||
      (box.view.getRank() == 0 && isa<ShapedType>(box.value)) ||
      getElementTypeOrSelf(box.value) != box.view.getElementType())
    return breaks(op, "C2", "the view's rank and element type", box.value);
  if (box.mask && !haveSameShape(box.mask, box.value))
    return breaks(op, "C3", "a mask of the value's shape", box.mask);
  return verifyIndex(op, box, indexRule);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBox(*this, boxOf(*this, getType()), "C5")))
    return failure();
  if (!getOther())
    return success();
  Type other = getOther().getType();
  if (other != getType() && other != getElementTypeOrSelf(getType()))
    return breaks(*this, "C4", "other of the element's or the result's type",
                  other);
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyBox(*this, boxOf(*this, getValue().getType()), "C4");
}

namespace {

/// The elements that a gather, scatter or atomic touches.
struct Addresses {
  Type base;
  Type offsets;
  Type mask;
  Type value;
  /// Whether one element at a scalar address is meant to be legal.
  bool allowsScalar;
};

} // namespace

/// C1 and C2 of gather, scatter and the atomics.
static LogicalResult verifyAddresses(Operation *op, const Addresses &access) {
  bool isScalarBase = !isa<ShapedType>(access.base);
  if (!isScalarBase && !haveSameShape(access.base, access.value))
    return breaks(op, "C1", "pointers of the value's shape", access.base);
  bool isOneElement = access.allowsScalar && !isa<ShapedType>(access.value);
  if (isScalarBase && !isOneElement &&
      !(access.offsets && isa<ShapedType>(access.offsets)))
    return breaks(op, "C1", "expected tensor offsets with a scalar base");
  if (access.offsets) {
    Type element = getElementTypeOrSelf(access.offsets);
    if (!haveSameShape(access.offsets, access.value) ||
        !(element.isSignlessInteger(32) || element.isSignlessInteger(64)))
      return breaks(op, "C1", "i32 or i64 offsets of the value's shape",
                    access.offsets);
  }
  if (access.mask && !haveSameShape(access.mask, access.value))
    return breaks(op, "C1", "a mask of the value's shape", access.mask);
  Type pointee =
      cast<PointerType>(getElementTypeOrSelf(access.base)).getPointee();
  if (getElementTypeOrSelf(access.value) != pointee)
    return breaks(op, "C2", "elements of the pointee", access.value);
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyAddresses(
          *this, {getBase().getType(), typeOrNull(getOffsets()),
                  typeOrNull(getMask()), getType(), /*allowsScalar=*/false})))
    return failure();
  if (getOther() && getOther().getType() != getType())
    return breaks(*this, "C1", "other of the result's type",
                  getOther().getType());
  return success();
}

LogicalResult ScatterOp::verify() {
  return verifyAddresses(*this, {getBase().getType(), typeOrNull(getOffsets()),
                                 typeOrNull(getMask()), getValue().getType(),
                                 /*allowsScalar=*/false});
}

LogicalResult AtomicRMWOp::verify() {
  Type value = getValue().getType();
  if (failed(
          verifyAddresses(*this, {getBase().getType(), typeOrNull(getOffsets()),
                                  typeOrNull(getMask()), value,
                                  /*allowsScalar=*/true})))
    return failure();
  if (getType() != value)
    return breaks(*this, "C2", "a result of the value's type", getType());
  return verifyAtomicElement(*this, getKind(), getElementTypeOrSelf(value));
}

LogicalResult AtomicCASOp::verify() {
  Type value = getValue().getType();
  if (failed(
          verifyAddresses(*this, {getBase().getType(), typeOrNull(getOffsets()),
                                  Type(), value, /*allowsScalar=*/true})))
    return failure();
  if (getType() != value)
    return breaks(*this, "C2", "a result of the value's type", getType());
  return verifyExchangeWidth(*this, value);
}

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
