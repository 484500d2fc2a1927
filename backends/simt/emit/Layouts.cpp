//===- Layouts.cpp - Where the registers of a thread stand ------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates are the thread's, computed once in the entry block, plus a
// constant for each register.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/chunks/Chunks.h"

using llvm::Value;

namespace tilewright::simt {

uint64_t EmittedLayout::offset(unsigned index, unsigned dim) const {
  uint64_t all = map.apply(index);
  return (all & map.outputMask(tensorDim(dim))) >>
         map.outputShift(tensorDim(dim));
}

unsigned EmittedLayout::find(uint64_t packedCoordinate) {
  if (registerAt.empty())
    for (unsigned index = 0; index < registers; ++index)
      registerAt.try_emplace(map.apply(index), index);
  auto found = registerAt.find(packedCoordinate);
  assert(found != registerAt.end() && "this thread holds the element");
  return found->second;
}

EmittedLayout &Emitter::layout(mlir::Type type) {
  if (chunk &&
      isSameTensor(mlir::cast<mlir::RankedTensorType>(type), chunkType))
    return *chunk;
  std::unique_ptr<EmittedLayout> &slot = layouts[type];
  if (slot)
    return *slot;
  slot = std::make_unique<EmittedLayout>();
  LayoutAttr attribute = layoutOf(type);
  assert(attribute && "tensors have layouts here");
  slot->map = attribute.getLayout();
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  slot->shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  slot->registers = 1u << slot->map.inputBits(registerDim);
  slot->threadCoordinates.resize(tensor.getRank());
  return *slot;
}

/// The bits that an index (lane or warp) gives to one dimension: runs of bits
/// that move together are one shift and mask.
static Value *emitMap(llvm::IRBuilderBase &b, const LinearLayout &map,
                      const std::string &input, const std::string &output,
                      Value *index) {
  unsigned bits = map.inputBits(input), shift = map.outputShift(output);
  uint64_t mask = map.outputMask(output);
  auto column = [&](unsigned bit) {
    return (map.basis(input, bit) & mask) >> shift;
  };
  Value *sum = nullptr;
  auto add = [&](Value *part) { sum = sum ? b.CreateXor(sum, part) : part; };
  for (unsigned bit = 0; bit < bits;) {
    uint64_t first = column(bit);
    unsigned length = 1;
    if (llvm::isPowerOf2_64(first))
      while (bit + length < bits && column(bit + length) == first << length)
        ++length;
    if (first) {
      uint64_t field = ((uint64_t(1) << length) - 1) << bit;
      Value *part = b.CreateAnd(index, b.getInt32(field));
      if (llvm::isPowerOf2_64(first)) {
        int distance = int(llvm::Log2_64(first)) - int(bit);
        part = distance >= 0 ? b.CreateShl(part, distance)
                             : b.CreateLShr(part, -distance);
      } else {
        part = b.CreateMul(b.CreateLShr(part, bit), b.getInt32(first));
      }
      add(part);
    }
    bit += length;
  }
  return sum;
}

uint64_t EmittedLayout::threadBits(unsigned dim) const {
  uint64_t all = 0;
  for (const char *input : {laneDim, warpDim})
    for (unsigned bit = 0; bit < map.inputBits(input); ++bit)
      all |= map.basis(input, bit);
  std::string output = tensorDim(dim);
  uint64_t byLoop = loopBits.empty() ? 0 : loopBits[dim];
  return (all & map.outputMask(output)) >> map.outputShift(output) | byLoop;
}

Value *Emitter::coordinate(EmittedLayout &layout, unsigned dim,
                           unsigned index) {
  Value *&first = layout.threadCoordinates[dim];
  if (!first)
    inEntry([&] {
      std::string output = tensorDim(dim);
      Value *byLane = emitMap(b, layout.map, laneDim, output, lane);
      Value *byWarp = emitMap(b, layout.map, warpDim, output, warp);
      first = byLane && byWarp ? b.CreateXor(byLane, byWarp)
              : byLane         ? byLane
              : byWarp         ? byWarp
                               : b.getInt32(0);
    });
  uint64_t constant = layout.offset(index, dim);
  if (!constant)
    return first;
  if (constant & layout.threadBits(dim))
    return b.CreateXor(first, b.getInt32(constant));
  return b.CreateAdd(first, b.getInt32(constant), "", true, true);
}

Value *Emitter::isElement(EmittedLayout &layout, unsigned index) {
  Value *all = nullptr;
  for (auto [dim, extent] : llvm::enumerate(layout.shape)) {
    uint64_t most = layout.offset(index, dim) | layout.threadBits(dim);
    if (llvm::isPowerOf2_64(extent) || most < uint64_t(extent))
      continue;
    Value *inside =
        b.CreateICmpULT(coordinate(layout, dim, index), b.getInt32(extent));
    all = all ? b.CreateAnd(all, inside) : inside;
  }
  return all;
}

Value *Emitter::isOwner(EmittedLayout &layout) {
  uint64_t lanes = layout.map.freeBits(laneDim);
  uint64_t warps = layout.map.freeBits(warpDim);
  if (layout.isOwner || (!lanes && !warps))
    return layout.isOwner;
  inEntry([&] {
    Value *bits = b.CreateOr(b.CreateAnd(lane, b.getInt32(lanes)),
                             b.CreateAnd(warp, b.getInt32(warps)));
    layout.isOwner = b.CreateICmpEQ(bits, b.getInt32(0));
  });
  return layout.isOwner;
}

} // namespace tilewright::simt
