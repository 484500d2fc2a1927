//===- Shared.cpp - Buffers of shared memory and copies to them -----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors to and from buffers, and boxes of views to buffers: by the target's
// asynchronous copies, or by loads and stores where it has none.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/CopyPlan.h"
#include "backends/simt/emit/BoxAccess.h"
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/matrix/LocalReader.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

void emitRotate(Emitter &e, RotateOp op) {
  Value *next = e.b.CreateAdd(e.scalar(op.getSlot()), e.i32(1));
  Value *isPast = e.b.CreateICmpEQ(next, e.i32(op.getCount()));
  e.set(op.getResult(), e.b.CreateSelect(isPast, e.i32(0), next));
}

void emitLocalLoad(Emitter &e, LocalLoadOp op) {
  if (!isReadByDot(e, op))
    e.set(op.getResult(), LocalReader(e, op).all());
}

/// Writes the registers of one vector.
static void storeVector(Emitter &e, LocalAddresses &addresses,
                        mlir::Type element, ArrayRef<unsigned> members,
                        const Registers &values) {
  Registers vector;
  for (unsigned index : members)
    vector.push_back(values[index]);
  SharedBuffer(e, addresses.at(members[0]), element)
      .storeVector(vector, e.i32(0));
}

void emitLocalStore(Emitter &e, LocalStoreOp op) {
  EmittedLayout &layout = e.layout(op.getValue());
  mlir::Type element = op.getMemory().getType().getElementType();
  unsigned bytes = memoryBytes(element);
  LinearLayout offsets = offsetsIn(op.getMemory(), layout.map);
  VectorAccess access = vectorAccess(offsets, offsetDim, bytes, 16);
  LocalAddresses addresses(e, op.getMemory(), op.getBuffer(), offsets, bytes);
  const Registers &values = e.registers(op.getValue());
  e.emitIf(e.isOwner(layout), [&] {
    uint64_t skipped = layout.map.freeBits(registerDim);
    llvm::SmallVector<unsigned> lanes = {0};
    for (unsigned bit : access.registerBits) {
      for (size_t i = 0, size = lanes.size(); i < size; ++i)
        lanes.push_back(lanes[i] | 1u << bit);
      skipped |= uint64_t(1) << bit;
    }
    for (unsigned first = 0; first < layout.registers; ++first) {
      if (first & skipped)
        continue;
      llvm::SmallVector<unsigned> members = lanes;
      for (unsigned &index : members)
        index |= first;
      storeVector(e, addresses, element, members, values);
    }
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Zeros where a piece is masked off; through registers.
static void copyThroughRegisters(Emitter &e, ArrayRef<MemoryPiece> pieces,
                                 LocalAddresses &addresses, mlir::Type element,
                                 unsigned count) {
  Registers zeros(count, e.zero(element));
  Registers values = emitLoads(e, pieces, element, zeros, AccessFlags());
  for (const MemoryPiece &piece : pieces)
    storeVector(e, addresses, element, piece.registers, values);
}

void emitAsyncCopy(Emitter &e, AsyncCopyOp op) {
  MemDescType memory = op.getMemory().getType();
  mlir::Type element = memory.getElementType();
  unsigned bytes = memoryBytes(element);
  std::optional<CopyPlan> plan = planCopy(
      boxOf(op), memory.getShape(), bytes, llvm::Log2_32(e.target.warpLanes()),
      llvm::Log2_32(e.options.numWarps), e.target.copies);
  assert(plan && "simt-pipeline-loops asked for it");
  mlir::Type shaped =
      RankedTensorType::get(memory.getShape(), element,
                            LayoutAttr::get(op.getContext(), plan->threads));
  EmittedLayout &layout = e.layout(shaped);
  LinearLayout offsets = offsetsIn(op.getMemory(), layout.map);
  LocalAddresses addresses(e, op.getMemory(), op.getBuffer(), offsets, bytes);
  if (e.target.copies.areConsecutive) // of a warp's first lane
    offsets = offsets.resizeInput(laneDim, 0);
  LocalAddresses copied(e, op.getMemory(), op.getBuffer(), offsets, bytes);
  Value *predicate = op.getPredicate() ? e.scalar(op.getPredicate()) : nullptr;
  BoxAccess box(e, op, shaped);
  e.emitIf(e.isOwner(layout), [&] {
    llvm::SmallVector<MemoryPiece> pieces = box.pieces(/*isStore=*/false), rest;
    for (MemoryPiece &piece : pieces) {
      piece.mask = combineMasks(e, predicate, piece.mask);
      unsigned size = piece.registers.size() * bytes;
      bool isCopied = size == plan->bytes && piece.alignment >= size &&
                      e.hooks.asyncCopy(e.b, copied.at(piece.registers[0]),
                                        piece.pointer, size, piece.mask);
      if (!isCopied)
        rest.push_back(piece);
    }
    if (!rest.empty())
      copyThroughRegisters(e, rest, addresses, element, layout.registers);
  });
}

} // namespace tilewright::simt
