//===- Memory.cpp - Lanes to and from memory --------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One load and one store for every kind of address: a scalar, consecutive
// lanes, or lanes anywhere; guarded or not.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilewright::cpu {

/// Memory holds bytes for i1 and 8-bit floats.
Value Emitter::fromMemory(Value value, Type element) {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  if (element.isInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value,
                                 zero(value.getType()));
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return arith::BitcastOp::create(b, type, value);
  if (element.isIndex())
    return arith::IndexCastOp::create(b, type, value);
  return value;
}

Value Emitter::toMemory(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type type = memoryType(element);
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  if (type == value.getType())
    return value;
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, type, value);
  if (element.isIndex())
    return arith::IndexCastOp::create(b, type, value);
  return arith::BitcastOp::create(b, type, value);
}

Value Emitter::elementPointer(Value pointer, Type element, Value index) {
  if (!index)
    return pointer;
  Type type = pointer.getType();
  if (auto vector = dyn_cast<VectorType>(index.getType()))
    type = vector.clone(type);
  return LLVM::GEPOp::create(b, type, memoryType(element), pointer, index);
}

Value Emitter::load(const Address &address, Type element, unsigned width,
                    Value other, bool isVolatile) {
  Type memory = memoryType(element);
  Type type = laneType(memory, width);
  unsigned alignment = elementBytes(memory);
  auto pass = [&] { return other ? toMemory(other) : zero(type); };
  Value result;
  if (address.pointers) {
    Value mask = address.mask;
    if (!mask)
      mask = splat(constant(b.getBoolAttr(true)), width);
    result = LLVM::masked_gather::create(b, type, address.pointers, mask,
                                         ValueRange{pass()}, alignment);
  } else if (!address.mask) {
    result =
        LLVM::LoadOp::create(b, type, address.pointer, alignment, isVolatile);
  } else if (width == 1) {
    Value off = pass();
    auto guarded = scf::IfOp::create(b, TypeRange{type}, address.mask,
                                     /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(guarded.thenBlock());
    Value on =
        LLVM::LoadOp::create(b, type, address.pointer, alignment, isVolatile);
    scf::YieldOp::create(b, on);
    b.setInsertionPointToEnd(guarded.elseBlock());
    scf::YieldOp::create(b, off);
    result = guarded.getResult(0);
  } else {
    result = LLVM::MaskedLoadOp::create(b, type, address.pointer, address.mask,
                                        pass(), b.getI32IntegerAttr(alignment),
                                        /*nontemporal=*/UnitAttr());
  }
  if (result.getType() == laneType(element, width))
    return result;
  return fromMemory(result, element);
}

void Emitter::store(Value value, const Address &address, Type element,
                    unsigned width) {
  value = toMemory(value);
  unsigned alignment = elementBytes(memoryType(element));
  if (address.pointers) {
    Value mask = address.mask;
    if (!mask)
      mask = splat(constant(b.getBoolAttr(true)), width);
    LLVM::masked_scatter::create(b, value, address.pointers, mask, alignment);
  } else if (!address.mask) {
    LLVM::StoreOp::create(b, value, address.pointer, alignment);
  } else if (width == 1) {
    auto guarded = scf::IfOp::create(b, address.mask, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    LLVM::StoreOp::create(b, value, address.pointer, alignment);
  } else {
    LLVM::MaskedStoreOp::create(b, value, address.pointer, address.mask,
                                b.getI32IntegerAttr(alignment));
  }
}

/// Reads lanes of a buffer as if it had `shape`.
Value Emitter::readBuffer(const Buffer &buffer, ArrayRef<int64_t> shape,
                          const Indices &at, unsigned width, Type element) {
  Index index = linearise(shape, at, width);
  Address address;
  if (index.lanes) {
    address.pointers =
        elementPointer(buffer.pointer, buffer.element, index.lanes);
  } else {
    address.pointer =
        elementPointer(buffer.pointer, buffer.element, baseOf(index));
    if (index.step != 1 && width > 1)
      address.pointers = elementPointer(address.pointer, buffer.element,
                                        iota(64, index.step, width));
  }
  Value value = load(address, buffer.element, width, Value());
  return isa<FloatType>(element) && element != buffer.element
             ? convertFloat(value, element)
             : value;
}

void Emitter::writeBuffer(Value value, const Buffer &buffer, const Indices &at,
                          unsigned width) {
  if (!isa<kernel::PointerType>(buffer.element))
    value = convertFloat(value, buffer.element);
  Index index = linearise(buffer.shape, at, width);
  Address address;
  if (index.lanes) {
    address.pointers =
        elementPointer(buffer.pointer, buffer.element, index.lanes);
  } else {
    address.pointer =
        elementPointer(buffer.pointer, buffer.element, baseOf(index));
    if (index.step != 1 && width > 1)
      address.pointers = elementPointer(address.pointer, buffer.element,
                                        iota(64, index.step, width));
  }
  store(value, address, buffer.element, width);
}

Address Emitter::resolve(Value base, Value offsets, Value mask,
                         const Indices &at, unsigned width, Type element) {
  Address address;
  if (mask)
    address.mask = evaluate(mask, at, width);
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext());
  Type i64Type = laneType(b.getI64Type(), width);
  Value offset;
  if (offsets) {
    offset = evaluate(offsets, at, width);
    if (offset.getType() != i64Type)
      offset = arith::ExtSIOp::create(b, i64Type, offset);
  }
  Value pointer;
  if (!isa<RankedTensorType>(base.getType())) {
    pointer = elementPointer(scalar(base), element, offset);
    if (width > 1 && !offset)
      pointer = splat(pointer, width);
  } else {
    Value bits = evaluate(base, at, width);
    if (offset)
      bits = add(bits, b.createOrFold<arith::MulIOp>(
                           offset, splat(i64(elementBytes(element)), width)));
    Type type = width == 1 ? pointerType
                           : VectorType::get({int64_t(width)}, pointerType);
    pointer = LLVM::IntToPtrOp::create(b, type, bits);
  }
  (width == 1 ? address.pointer : address.pointers) = pointer;
  return address;
}

Value Emitter::loadGather(kernel::GatherOp op, const Indices &at,
                          unsigned width) {
  Type element = elementOf(op.getResult());
  Address address =
      resolve(op.getBase(), op.getOffsets(), op.getMask(), at, width, element);
  Value other = op.getOther() ? evaluate(op.getOther(), at, width) : Value();
  return load(address, element, width, other, op.getIsVolatile());
}

void Emitter::emitScatter(kernel::ScatterOp op) {
  SmallVector<Value> roots = llvm::to_vector(op->getOperands());
  NestPlan nestPlan = prepare(roots);
  ArrayRef<int64_t> shape = shapeOf(op.getValue());
  int64_t lane = laneDimension(shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan, 1);
  Type element = elementOf(op.getValue());
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    Value value = evaluate(op.getValue(), at, width);
    Address address = resolve(op.getBase(), op.getOffsets(), op.getMask(), at,
                              width, element);
    store(value, address, element, width);
  });
}

static BoxAccess accessOf(kernel::StoreOp op) {
  return {op,          op.getView(),     op.getOffsets(), op.getLo(),
          op.getHi(),  op.getBoundary(), op.getIndex(),   op.getIndexDim(),
          op.getMask()};
}

void Emitter::emitStore(kernel::StoreOp op) {
  NestPlan nestPlan = prepare(llvm::to_vector(op->getOperands()));
  nestPlan.hasChecks |= hasBounds(op.getBoundary());
  ArrayRef<int64_t> shape = shapeOf(op.getValue());
  int64_t lane = laneDimension(shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
  Type element = elementOf(op.getValue());
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    Value value = evaluate(op.getValue(), at, width);
    store(value, resolve(accessOf(op), at, width), element, width);
  });
}

Value Emitter::loadBox(kernel::LoadOp op, const Indices &at, unsigned width) {
  BoxAccess access{
      op,          op.getView(),     op.getOffsets(), op.getLo(),
      op.getHi(),  op.getBoundary(), op.getIndex(),   op.getIndexDim(),
      op.getMask()};
  Type element = elementOf(op.getResult());
  Address address = resolve(access, at, width);
  Value other;
  if (address.mask && op.getOther())
    other = evaluate(op.getOther(), at, width);
  return load(address, element, width, other, op.getIsVolatile());
}

} // namespace tilewright::cpu
