//===- Storage.cpp - Values in scratch memory -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives stored values their buffers and fills them.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/Emitter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright::cpu {

void Emitter::bindBuffer(Value value, const Buffer &buffer, bool owns) {
  ValueInfo &info = plan[value];
  info.isStored = true;
  info.buffer = buffer;
  info.ownsBuffer = owns;
}

Buffer Emitter::allocate(ArrayRef<int64_t> shape, Type element) {
  Buffer buffer;
  buffer.element = element;
  buffer.shape.assign(shape.begin(), shape.end());
  buffer.bytes = elementBytes(element);
  for (int64_t extent : shape)
    buffer.bytes *= extent;
  buffer.bytes = llvm::alignTo(buffer.bytes, 64);
  buffer.offset = scratch.allocate(buffer.bytes);
  Value &pointer = scratchPointers[buffer.offset];
  if (!pointer) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    pointer = LLVM::GEPOp::create(
        b, scratchPointer.getType(), b.getI8Type(), scratchPointer,
        ArrayRef<LLVM::GEPArg>{int32_t(buffer.offset)},
        LLVM::GEPNoWrapFlags::inbounds);
  }
  buffer.pointer = pointer;
  return buffer;
}

void Emitter::release(const Buffer &buffer) {
  scratch.release(buffer.offset, buffer.bytes);
}

/// Computes a stored value into its buffer, now.
void Emitter::materialise(Value value) {
  if (plan[value].isReady)
    return;
  plan[value].isStored = true;
  NestPlan nestPlan = prepare(value);
  if (writeTurned(value, plan[value].buffer, nestPlan))
    return;
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t lane = laneDimension(shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    evaluate(value, at, width);
  });
}

/// Computes `value` into any buffer of its shape, converting floats.
void Emitter::writeValue(Value value, const Buffer &buffer) {
  NestPlan nestPlan = prepare(value);
  // Turned blocks go to one buffer; a value with a buffer of its own needs
  // both.
  if (nestPlan.fused.contains(value)) {
    if (writeTurned(value, plan[value].buffer, nestPlan)) {
      copyBuffer(plan[value].buffer, buffer);
      return;
    }
  } else if (writeTurned(value, buffer, nestPlan)) {
    return;
  }
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t lane = laneDimension(shape);
  nestPlan.widestBytes =
      std::max<unsigned>(nestPlan.widestBytes, elementBytes(buffer.element));
  unsigned width = lane < 0 ? 1 : chooseWidth(shape[lane], nestPlan);
  emitNest(shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    writeBuffer(evaluate(value, at, width), buffer, at, width);
  });
}

void Emitter::copyBuffer(const Buffer &from, const Buffer &to) {
  NestPlan nestPlan;
  nestPlan.widestBytes = elementBytes(from.element);
  int64_t lane = laneDimension(from.shape);
  unsigned width = lane < 0 ? 1 : chooseWidth(from.shape[lane], nestPlan);
  emitNest(from.shape, nestPlan, width, [&](const Indices &at, unsigned width) {
    writeBuffer(readBuffer(from, from.shape, at, width, from.element), to, at,
                width);
  });
}

} // namespace tilewright::cpu
