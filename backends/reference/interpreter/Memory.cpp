//===- Memory.cpp - Loads, stores, gathers, scatters -*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only active elements touch memory.
//===----------------------------------------------------------------------===//
#include "backends/reference/interpreter/Indexing.h"
#include "backends/reference/interpreter/Interpreter.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/kernel/KernelOps.h"

using namespace mlir;

namespace tilewright::reference {

static bool addPointer(Interpreter &at, Operation *op) {
  const Tile &pointer = at.get(op->getOperand(0));
  const Tile &offset = at.get(op->getOperand(1));
  uint64_t bytes =
      bytesOf(cast<kernel::PointerType>(pointer.element).getPointee());
  Tile result = makeTile(op->getResult(0).getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] =
        pointer.at(i) +
        uint64_t(signExtend(offset.at(i), widthOf(offset.element))) * bytes;
  at.set(op->getResult(0), std::move(result));
  return true;
}

static uint64_t addressOf(const Tile &base, const Tile *offsets, Type element,
                          int64_t i) {
  if (!offsets)
    return base.at(i);
  return base.at(i) +
         uint64_t(signExtend(offsets->at(i), widthOf(offsets->element))) *
             bytesOf(element);
}

static const Tile *optional(Interpreter &at, Value value) {
  return value ? &at.get(value) : nullptr;
}

/// A volatile load may wait for another program's atomic.
static Access readOf(bool isVolatile) {
  return isVolatile ? Access::AtomicRead : Access::Read;
}

static bool gather(Interpreter &at, Operation *op) {
  auto gather = cast<kernel::GatherOp>(op);
  const Tile &base = at.get(gather.getBase());
  const Tile *offsets = optional(at, gather.getOffsets());
  const Tile *mask = optional(at, gather.getMask());
  const Tile *other = optional(at, gather.getOther());
  Access access = readOf(gather.getIsVolatile());
  Tile result = makeTile(gather.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    if (mask && !mask->at(i))
      result.bits[i] = other ? other->at(i) : 0;
    else if (!at.load(op, gather.getBase(),
                      addressOf(base, offsets, result.element, i),
                      result.element, access, result.bits[i]))
      return at.failElement(positionOf(i, result.shape));
  at.set(gather.getResult(), std::move(result));
  return true;
}

static bool scatter(Interpreter &at, Operation *op) {
  auto scatter = cast<kernel::ScatterOp>(op);
  const Tile &value = at.get(scatter.getValue());
  const Tile &base = at.get(scatter.getBase());
  const Tile *offsets = optional(at, scatter.getOffsets());
  const Tile *mask = optional(at, scatter.getMask());
  for (int64_t i = 0; i < value.size(); ++i)
    if ((!mask || mask->at(i)) &&
        !at.store(op, scatter.getBase(),
                  addressOf(base, offsets, value.element, i), value.element,
                  value.bits[i]))
      return at.failElement(positionOf(i, value.shape));
  return true;
}

/// A view's tile holds the address of its origin, sizes and strides.
static bool makeView(Interpreter &at, Operation *op) {
  auto view = cast<kernel::ViewOp>(op);
  Type element = cast<kernel::ViewType>(view.getType()).getElementType();
  uint64_t origin = at.get(view.getBase()).bits[0];
  if (view.getOffset())
    origin += uint64_t(at.scalar(view.getOffset())) * bytesOf(element);
  Tile tile;
  tile.element = view.getType();
  tile.bits.push_back(origin);
  for (Value size : view.getSizes())
    tile.bits.push_back(at.get(size).bits[0]);
  for (Value stride : view.getStrides())
    tile.bits.push_back(at.get(stride).bits[0]);
  at.set(view.getResult(), std::move(tile));
  return true;
}

/// The address of a box's element, or nothing where it is out of bounds.
template <typename Access>
static std::optional<uint64_t> boxAddress(Interpreter &at, Access access,
                                          Type element, const Position &place) {
  const Tile &view = at.get(access.getView());
  const Tile *index = optional(at, access.getIndex());
  size_t rank = place.size();
  uint64_t address = view.bits[0];
  for (size_t d = 0; d < rank; ++d) {
    int64_t step = place[d];
    if (index && *access.getIndexDim() == d)
      step = signExtend(index->bits[step], widthOf(index->element));
    int64_t p = at.scalar(access.getOffsets()[d]) + step;
    int32_t mode = access.getBoundary()[d];
    if (mode == int32_t(kernel::BoundaryMode::Checked) &&
        (p < at.scalar(access.getLo()[d]) || p >= at.scalar(access.getHi()[d])))
      return std::nullopt;
    if (mode == int32_t(kernel::BoundaryMode::Wrap)) {
      int64_t size = int64_t(view.bits[1 + d]);
      p = ((p % size) + size) % size;
    }
    address += uint64_t(p) * view.bits[1 + rank + d] * bytesOf(element);
  }
  return address;
}

static bool loadBox(Interpreter &at, Operation *op) {
  auto load = cast<kernel::LoadOp>(op);
  const Tile *mask = optional(at, load.getMask());
  const Tile *other = optional(at, load.getOther());
  Access access = readOf(load.getIsVolatile());
  Tile result = makeTile(load.getType());
  for (int64_t i = 0; i < result.size(); ++i) {
    std::optional<uint64_t> address;
    Position place = positionOf(i, result.shape);
    if (!mask || mask->at(i))
      address = boxAddress(at, load, result.element, place);
    if (!address)
      result.bits[i] = other ? other->at(i) : 0;
    else if (!at.load(op, load.getView(), *address, result.element, access,
                      result.bits[i]))
      return at.failElement(place);
  }
  at.set(load.getResult(), std::move(result));
  return true;
}

static bool storeBox(Interpreter &at, Operation *op) {
  auto store = cast<kernel::StoreOp>(op);
  const Tile &value = at.get(store.getValue());
  const Tile *mask = optional(at, store.getMask());
  for (int64_t i = 0; i < value.size(); ++i) {
    if (mask && !mask->at(i))
      continue;
    Position place = positionOf(i, value.shape);
    std::optional<uint64_t> address =
        boxAddress(at, store, value.element, place);
    if (address &&
        !at.store(op, store.getView(), *address, value.element, value.bits[i]))
      return at.failElement(place);
  }
  return true;
}

void addMemory(Semantics &semantics) {
  auto &rows = semantics.operations;
  rows["kernel.addptr"] = addPointer;
  rows["kernel.gather"] = gather;
  rows["kernel.scatter"] = scatter;
  rows["kernel.view"] = makeView;
  rows["kernel.load"] = loadBox;
  rows["kernel.store"] = storeBox;
}

} // namespace tilewright::reference
