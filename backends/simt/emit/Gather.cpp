//===- Gather.cpp - Elements picked by index and counted by value ---------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather inside a tile puts the source into shared memory, from which each
// register picks. A histogram counts in shared memory by atomic additions.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/chunks/RegisterWalk.h"
#include "backends/simt/layout/TensorLayouts.h"

using namespace tilewright;
using namespace tilewright::simt;
using llvm::Value;

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The number i * others + o of a layout's elements: the axis is moved first.
static LinearLayout axisMajor(const LinearLayout &map, unsigned axis) {
  std::vector<std::string> names = {tensorDim(axis)};
  for (unsigned d = 0; d < map.outputs().size(); ++d)
    if (d != axis)
      names.push_back(tensorDim(d));
  return map.transposeOutputs(names).reshapeOutputs(
      {{offsetDim, map.outputBits()}});
}

/// i32: the index clamped into [0, extent).
static Value *clampIndex(Emitter &e, Value *index, int64_t extent) {
  Value *zero = llvm::ConstantInt::get(index->getType(), 0);
  Value *last = llvm::ConstantInt::get(index->getType(), extent - 1);
  if (index->getType()->getIntegerBitWidth() <= 8) {
    // Narrow indices may not hold the extent: widen them first.
    index = e.b.CreateSExt(index, e.b.getInt32Ty());
    return clampIndex(e, index, extent);
  }
  index = e.b.CreateSelect(e.b.CreateICmpSLT(index, zero), zero, index);
  index = e.b.CreateSelect(e.b.CreateICmpSLT(index, last), index, last);
  return e.b.CreateZExtOrTrunc(index, e.b.getInt32Ty());
}

static void writeSource(Emitter &e, kernel::GatherInTileOp op,
                        const LinearIndex &number, const RoundFilter &filter,
                        const SharedBuffer &buffer) {
  const Registers &source = e.registers(op.getSource());
  uint64_t copies = number.layout().freeBits(registerDim);
  e.emitIf(emitIsOwner(e, number.layout()), [&] {
    for (unsigned r = 0; r < source.size(); ++r) {
      if ((r & copies) || filter.isElsewhere(number, r))
        continue;
      e.emitIf(filter.isHere(number, r),
               [&] { buffer.store(source[r], filter.inside(number.at(r))); });
    }
  });
}

/// The same for tensors in private memory: each round offers a part of the
/// source, and registers whose element is in it take theirs.
static void gatherInLoops(Emitter &e, kernel::GatherInTileOp op,
                          const GatherPlan &plan) {
  mlir::Value source = op.getSource(), result = op.getResult();
  EmittedLayout &from = e.layout(source);
  LinearLayout numbers = axisMajor(from.map, op.getAxis());
  LinearLayout slice = sliceOutputs(e.layout(result).map, op.getAxis());
  SharedBuffer buffer(e, e.scratch(op),
                      mlir::getElementTypeOrSelf(source.getType()));
  RegisterWalk writes(e, numbers, roundMask(plan.rounds),
                      numbers.freeBits(registerDim));
  RegisterWalk reads(e,
                     slice.reshapeOutputs({{offsetDim, slice.outputBits()}}));
  auto inside = [&](Value *number) {
    return e.b.CreateAnd(number, e.i32(insideMask(plan.rounds)));
  };
  e.copyToPrivate(source);
  e.copyToPrivate(op.getIndices());
  forEachRound(e, plan.rounds.rounds, [&](Value *round) {
    e.emitIf(emitIsOwner(e, numbers), [&] {
      writes.forEach(e.b.CreateShl(round, plan.rounds.bits),
                     [&](Value *index, Value *number) {
                       buffer.store(e.loadPrivate(source, index),
                                    inside(number));
                     });
    });
    e.barrier();
    reads.forEach(nullptr, [&](Value *index, Value *others) {
      Value *i = clampIndex(e, e.loadPrivate(op.getIndices(), index),
                            from.shape[op.getAxis()]);
      Value *at = e.b.CreateOr(e.b.CreateShl(i, plan.otherBits), others);
      Value *isHere = nullptr;
      if (plan.rounds.rounds > 1)
        isHere = e.b.CreateICmpEQ(e.b.CreateLShr(at, plan.rounds.bits), round);
      e.emitIf(isHere,
               [&] { e.storePrivate(result, index, buffer.load(inside(at))); });
    });
  });
  e.setPrivate(result);
}

void tilewright::simt::emitGatherInTile(Emitter &e, kernel::GatherInTileOp op) {
  GatherPlan plan = planOf(op, scratchRules(e));
  EmittedLayout &from = e.layout(op.getSource());
  EmittedLayout &to = e.layout(op.getResult());
  // Straight-line code has each register once in every round.
  if (std::max(from.registers, to.registers) * plan.rounds.rounds >
      1u << e.target.chunks.mostMovedBits)
    return gatherInLoops(e, op, plan);
  unsigned axis = op.getAxis();
  SharedBuffer buffer(e, e.scratch(op),
                      mlir::getElementTypeOrSelf(op.getSource().getType()));
  LinearIndex number(e, axisMajor(from.map, axis));
  LinearLayout slice = sliceOutputs(to.map, axis);
  LinearIndex others(e,
                     slice.reshapeOutputs({{offsetDim, slice.outputBits()}}));
  const Registers &indices = e.registers(op.getIndices());
  Registers results(to.registers, nullptr);
  for (unsigned round = 0; round < plan.rounds.rounds; ++round) {
    if (round)
      e.barrier();
    RoundFilter filter(e, plan.rounds, round);
    writeSource(e, op, number, filter, buffer);
    e.barrier();
    for (unsigned r = 0; r < to.registers; ++r) {
      Value *index = clampIndex(e, indices[r], from.shape[axis]);
      Value *at =
          e.b.CreateOr(e.b.CreateShl(index, plan.otherBits), others.at(r));
      Value *value = buffer.load(filter.inside(at));
      Value *isHere = filter.isHere(at);
      results[r] = isHere && results[r]
                       ? e.b.CreateSelect(isHere, value, results[r])
                       : value;
    }
  }
  e.set(op.getResult(), results);
}

//===----------------------------------------------------------------------===//
// Histogram
//===----------------------------------------------------------------------===//

/// i1: whether a source register counts, besides being an element.
static Value *isCounted(Emitter &e, kernel::HistogramOp op, unsigned index,
                        int64_t bins) {
  Value *value = e.registers(op.getSource())[index];
  llvm::Type *type = value->getType();
  unsigned width = type->getIntegerBitWidth();
  // Values that the type cannot hold are never out of range above.
  bool mayExceed = width >= 63 || (uint64_t(1) << width) > uint64_t(bins);
  Value *counted =
      mayExceed ? e.b.CreateICmpULT(value, llvm::ConstantInt::get(type, bins))
                : nullptr;
  Value *mask = op.getMask() ? e.registers(op.getMask())[index] : nullptr;
  return emitAnd(e, counted, mask);
}

void tilewright::simt::emitHistogram(Emitter &e, kernel::HistogramOp op) {
  EmittedLayout &from = e.layout(op.getSource());
  EmittedLayout &to = e.layout(op.getResult());
  int64_t bins = to.shape[0];
  Value *base = e.scratch(op);
  SharedBuffer counts(e, base,
                      mlir::getElementTypeOrSelf(op.getResult().getType()));
  forEachItem(e, bins, [&](Value *bin) { counts.store(e.i32(0), bin); });
  e.barrier();
  e.emitIf(e.isOwner(from), [&] {
    for (unsigned r = 0; r < from.registers; ++r) {
      if (Emitter::firstCopy(from, r) != r)
        continue;
      Value *condition =
          emitAnd(e, e.isElement(from, r), isCounted(e, op, r, bins));
      e.emitIf(condition, [&] {
        Value *bin = e.b.CreateZExtOrTrunc(e.registers(op.getSource())[r],
                                           e.b.getInt32Ty());
        Value *slot = e.b.CreateInBoundsGEP(e.b.getInt32Ty(), base, bin);
        e.hooks.atomicRMW(e.b, kernel::AtomicKind::Add,
                          kernel::MemorySemantics::Relaxed,
                          kernel::MemoryScope::Block, slot, e.i32(1));
      });
    }
  });
  e.barrier();
  Registers results;
  for (unsigned r = 0; r < to.registers; ++r) {
    Value *bin = e.coordinate(to, 0, r);
    if (Value *isElement = e.isElement(to, r))
      bin = e.b.CreateSelect(isElement, bin, e.i32(0));
    results.push_back(counts.load(bin));
  }
  e.set(op.getResult(), results);
}
