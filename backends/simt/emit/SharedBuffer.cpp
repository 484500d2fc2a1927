//===- SharedBuffer.cpp - Scratch memory and linear addresses -------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits layouts as shifts, masks and exclusive ors, and typed accesses to
// scratch memory.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/layout/GF2.h"

using namespace tilewright::simt;
using llvm::Value;

//===----------------------------------------------------------------------===//
// Linear maps
//===----------------------------------------------------------------------===//

/// The exclusive or of two values, either of which may be null for 0.
static Value *xorOf(Emitter &e, Value *lhs, Value *rhs) {
  return !lhs ? rhs : !rhs ? lhs : e.b.CreateXor(lhs, rhs);
}

/// Moves `value` up by `shift` bits, or down.
static Value *moveBits(Emitter &e, Value *value, int shift) {
  if (shift == 0)
    return value;
  return shift > 0 ? e.b.CreateShl(value, shift)
                   : e.b.CreateLShr(value, -shift);
}

Value *tilewright::simt::emitLinearMap(Emitter &e, Value *index,
                                       llvm::ArrayRef<uint64_t> columns) {
  Value *result = nullptr;
  // Bits that move by the same distance move together.
  llvm::MapVector<int, uint64_t> masks;
  for (auto [k, column] : llvm::enumerate(columns))
    for (uint64_t rest = column; rest; rest &= rest - 1)
      masks[int(lowestBit(rest)) - int(k)] |= uint64_t(1) << k;
  for (auto [shift, mask] : masks) {
    Value *bits = e.b.CreateAnd(index, e.i32(mask));
    result = xorOf(e, result, moveBits(e, bits, shift));
  }
  return result ? result : e.i32(0);
}

static llvm::ArrayRef<uint64_t> columnsOf(const LinearLayout &map,
                                          const char *input) {
  return llvm::ArrayRef(map.columns())
      .slice(map.inputShift(input), map.inputBits(input));
}

LinearIndex::LinearIndex(Emitter &e, LinearLayout layout)
    : e(e), map(std::move(layout)) {
  ofThread =
      e.b.CreateXor(emitLinearMap(e, e.laneId(), columnsOf(map, laneDim)),
                    emitLinearMap(e, e.warpId(), columnsOf(map, warpDim)));
}

Value *LinearIndex::at(Value *index) const {
  return e.b.CreateXor(ofThread,
                       emitLinearMap(e, index, columnsOf(map, registerDim)));
}

uint64_t LinearIndex::ofRegister(unsigned index) const {
  return map.apply(uint64_t(index) << map.inputShift(registerDim));
}

Value *LinearIndex::at(unsigned index) const {
  return ofThreads(ofRegister(index));
}

Value *LinearIndex::ofThreads(uint64_t known) const {
  return known ? e.b.CreateXor(ofThread, e.i32(known)) : ofThread;
}

bool LinearIndex::isStatic(uint64_t mask) const {
  uint64_t touched = 0;
  for (unsigned i = 0; i < map.inputBits(); ++i)
    if (!(map.inputMask(registerDim) >> i & 1))
      touched |= map.columns()[i];
  return (touched & mask) == 0;
}

Value *tilewright::simt::emitIsOwner(Emitter &e, const LinearLayout &layout) {
  Value *owner = nullptr;
  auto require = [&](Value *index, uint64_t freeBits) {
    if (!freeBits)
      return;
    Value *copies = e.b.CreateAnd(index, e.i32(freeBits));
    owner = emitAnd(e, owner, e.b.CreateICmpEQ(copies, e.i32(0)));
  };
  require(e.laneId(), layout.freeBits(laneDim));
  require(e.warpId(), layout.freeBits(warpDim));
  return owner;
}

Value *tilewright::simt::emitAnd(Emitter &e, Value *lhs, Value *rhs) {
  return !lhs ? rhs : !rhs ? lhs : e.b.CreateAnd(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value *SharedBuffer::address(Value *offset) const {
  return e.b.CreateInBoundsGEP(e.memoryType(element), base, offset);
}

Value *SharedBuffer::load(Value *offset) const {
  Value *raw = e.b.CreateAlignedLoad(e.memoryType(element), address(offset),
                                     llvm::Align(memoryBytes(element)));
  return e.fromMemory(raw, element);
}

void SharedBuffer::store(Value *value, Value *offset) const {
  e.b.CreateAlignedStore(e.toMemory(value), address(offset),
                         llvm::Align(memoryBytes(element)));
}

Registers SharedBuffer::loadVector(Value *offset, unsigned count) const {
  if (count == 1)
    return {load(offset)};
  llvm::Type *type = llvm::FixedVectorType::get(e.memoryType(element), count);
  Value *vector = e.b.CreateAlignedLoad(
      type, address(offset), llvm::Align(memoryBytes(element) * count));
  Registers values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(
        e.fromMemory(e.b.CreateExtractElement(vector, i), element));
  return values;
}

void SharedBuffer::storeVector(llvm::ArrayRef<Value *> values,
                               Value *offset) const {
  if (values.size() == 1)
    return store(values[0], offset);
  Value *vector = llvm::PoisonValue::get(
      llvm::FixedVectorType::get(e.memoryType(element), values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    vector = e.b.CreateInsertElement(vector, e.toMemory(value), i);
  e.b.CreateAlignedStore(vector, address(offset),
                         llvm::Align(memoryBytes(element) * values.size()));
}

SharedBuffers::SharedBuffers(Emitter &e, mlir::Operation *op,
                             mlir::TypeRange elements, uint64_t count,
                             uint64_t &begin) {
  for (mlir::Type element : elements) {
    buffers.emplace_back(e, e.scratch(op, begin), element);
    begin += bufferBytes({memoryBytes(element)}, count);
  }
}

Registers SharedBuffers::load(Value *offset) const {
  Registers values;
  for (const SharedBuffer &buffer : buffers)
    values.push_back(buffer.load(offset));
  return values;
}

void SharedBuffers::store(llvm::ArrayRef<Value *> values, Value *offset) const {
  for (auto [buffer, value] : llvm::zip_equal(buffers, values))
    buffer.store(value, offset);
}

//===----------------------------------------------------------------------===//
// Items and rounds
//===----------------------------------------------------------------------===//

void tilewright::simt::forEachItem(Emitter &e, uint64_t count,
                                   llvm::function_ref<void(Value *)> body) {
  Value *thread = e.threadId();
  uint64_t threads = e.threads();
  if (count <= threads) {
    Value *hasItem =
        count == threads ? nullptr : e.b.CreateICmpULT(thread, e.i32(count));
    e.emitIf(hasItem, [&] { body(thread); });
    return;
  }
  e.emitLoop(thread, e.i32(count), e.i32(threads), {},
             [&](Value *item, const Registers &) -> Registers {
               body(item);
               return {};
             });
}

bool RoundFilter::isElsewhere(const LinearIndex &number, unsigned index) const {
  return number.isStatic(mask()) && mask() &&
         number.ofRegister(index) >> rounds.bits != round;
}

Value *RoundFilter::isHere(const LinearIndex &number, unsigned index) const {
  return number.isStatic(mask()) ? nullptr : isHere(number.at(index));
}

Value *RoundFilter::isHere(Value *number) const {
  if (!mask())
    return nullptr;
  return e.b.CreateICmpEQ(e.b.CreateLShr(number, rounds.bits), e.i32(round));
}

Value *RoundFilter::inside(Value *number) const {
  if (!mask())
    return number;
  return e.b.CreateAnd(number, e.i32((uint64_t(1) << rounds.bits) - 1));
}

ScratchRules tilewright::simt::scratchRules(const Emitter &e) {
  return makeScratchRules(e.target, e.options.numWarps, e.hooks.hasShuffles(),
                          e.hooks.hasMatrixAtoms());
}
