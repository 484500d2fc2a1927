//===- LoopedMoves.cpp - Large tensors that change their threads ----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions, exchanges and what only renames registers, on values in private
// memory: the code does not grow with the tensor, nor with the number of rounds
// through shared memory. Products have their own loops, in
// matrix/MatrixDot.cpp.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/chunks/Chunks.h"
#include "backends/simt/emit/chunks/RegisterWalk.h"

#include "backends/simt/analysis/Exchanges.h"
#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/Families.h"

#include "llvm/ADT/TypeSwitch.h"

using llvm::Value;

namespace tilewright::simt {

static bool isLarge(Emitter &e, mlir::Value value) {
  LayoutAttr layout = layoutOf(value.getType());
  return layout && isMovedInLoops(layout.getLayout(), e.target.chunks);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The registers of a vector relative to its first, in order of elements.
static std::vector<unsigned> lanesOf(const VectorAccess &access) {
  std::vector<unsigned> lanes = {0};
  for (unsigned bit : access.registerBits)
    for (size_t i = 0, size = lanes.size(); i < size; ++i)
      lanes.push_back(lanes[i] | 1u << bit);
  return lanes;
}

static uint64_t bitsOf(const VectorAccess &access) {
  uint64_t bits = 0;
  for (unsigned bit : access.registerBits)
    bits |= uint64_t(1) << bit;
  return bits;
}

static void convertThroughShared(Emitter &e, ConvertLayoutOp op,
                                 const ConversionPlan &plan) {
  mlir::Value source = op.getSource(), result = op.getResult();
  const Exchange &exchange = *plan.exchange;
  SharedBuffer buffer(e, e.scratch(op),
                      mlir::getElementTypeOrSelf(source.getType()));
  uint64_t mask = roundMask(plan.rounds);
  const VectorAccess &writeVector = exchange.writeVector;
  const VectorAccess &readVector = exchange.readVector;
  RegisterWalk writes(e, exchange.write, mask,
                      exchange.write.freeBits(registerDim) |
                          bitsOf(writeVector));
  RegisterWalk reads(e, exchange.read, mask, bitsOf(readVector));
  auto inside = [&](Value *number) {
    return e.b.CreateAnd(number, e.i32(insideMask(plan.rounds)));
  };
  auto slot = [&](Value *first, unsigned lane) {
    return e.b.CreateXor(first, e.i32(lane));
  };
  forEachRound(e, plan.rounds.rounds, [&](Value *round) {
    Value *wanted = e.b.CreateShl(round, plan.rounds.bits);
    e.emitIf(emitIsOwner(e, exchange.write), [&] {
      writes.forEach(wanted, [&](Value *first, Value *number) {
        Registers values;
        for (unsigned lane : lanesOf(writeVector))
          values.push_back(e.loadPrivate(source, slot(first, lane)));
        buffer.storeVector(values, inside(number));
      });
    });
    e.barrier();
    reads.forEach(wanted, [&](Value *first, Value *number) {
      std::vector<unsigned> lanes = lanesOf(readVector);
      Registers values = buffer.loadVector(inside(number), lanes.size());
      for (auto [lane, value] : llvm::zip_equal(lanes, values))
        e.storePrivate(result, slot(first, lane), value);
    });
  });
}

/// Register by register: from a lane that the layouts name, or the own one.
static void convertInWarp(Emitter &e, ConvertLayoutOp op,
                          const ConversionPlan &plan) {
  const LinearLayout &sourceOf = plan.move.sourceOf;
  RegisterWalk sources(e, sourceOf);
  unsigned laneShift = sourceOf.outputShift(laneDim);
  unsigned registerShift = sourceOf.outputShift(registerDim);
  auto field = [&](Value *packed, const char *name, unsigned shift) {
    return e.b.CreateLShr(
        e.b.CreateAnd(packed, e.i32(sourceOf.outputMask(name))), shift);
  };
  // All lanes of a shuffle offer the same register: what lanes add is chosen
  // among all that it may be.
  LinearLayout laneToRegister = sourceOf.sublayout({laneDim}, {registerDim});
  Value *added = emitLinearMap(e, e.laneId(), laneToRegister.columns());
  std::vector<uint64_t> choices = {0};
  for (uint64_t vector : laneToRegister.image())
    for (size_t i = 0, size = choices.size(); i < size; ++i)
      choices.push_back(choices[i] ^ vector);
  bool isInThread = plan.move.crossing == Crossing::Registers;
  sources.forEach(nullptr, [&](Value *index, Value *packed) {
    Value *own = field(packed, registerDim, registerShift), *value = nullptr;
    if (isInThread) {
      value = e.loadPrivate(op.getSource(), own);
    } else {
      Value *lane = field(packed, laneDim, laneShift);
      Value *known = e.b.CreateXor(own, added);
      for (uint64_t choice : choices) {
        Value *offered =
            e.loadPrivate(op.getSource(), e.b.CreateXor(known, e.i32(choice)));
        Value *moved = e.hooks.shuffleIndex(e.b, offered, lane);
        Value *isOwn = e.b.CreateICmpEQ(added, e.i32(choice));
        value = value ? e.b.CreateSelect(isOwn, moved, value) : moved;
      }
    }
    e.storePrivate(op.getResult(), index, value);
  });
}

static void emitLoopedConversion(Emitter &e, ConvertLayoutOp op) {
  ConversionPlan plan = planOf(op, scratchRules(e));
  e.copyToPrivate(op.getSource());
  if (plan.move.crossing == Crossing::Warps)
    convertThroughShared(e, op, plan);
  else
    convertInWarp(e, op, plan);
  e.setPrivate(op.getResult());
}

//===----------------------------------------------------------------------===//
// By element number
//===----------------------------------------------------------------------===//

/// Emits `body` for each register, with a layout of that register alone;
/// copies of others are left out if `skipsCopies`.
static void forEachRegister(
    Emitter &e, EmittedLayout &whole, bool skipsCopies,
    llvm::function_ref<void(EmittedLayout &one, Value *index)> body) {
  uint64_t copies = skipsCopies ? whole.map.freeBits(registerDim) : 0;
  RegisterWalk walk(e, whole.map, 0, copies);
  ChunkSizes single;
  single.chunkBits = 0;
  walk.forEach(nullptr, [&](Value *index, Value *) {
    body(*layoutOfChunk(e, whole, index, single), index);
  });
}

bool emitLoopedExchange(Emitter &e, mlir::Operation *op, mlir::Value source,
                        mlir::Value result, SourceElement elementNumber) {
  if (!layoutOf(result.getType()) ||
      (!isLarge(e, source) && !isLarge(e, result)))
    return false;
  EmittedLayout &from = e.layout(source);
  BufferRounds rounds = exchangeRounds(source.getType(), scratchRules(e));
  SharedBuffer buffer(e, e.scratch(op),
                      mlir::getElementTypeOrSelf(source.getType()));
  auto isHere = [&](Value *number, Value *round) -> Value * {
    if (rounds.rounds == 1)
      return nullptr;
    return e.b.CreateICmpEQ(e.b.CreateLShr(number, rounds.bits), round);
  };
  auto inside = [&](Value *number) {
    return e.b.CreateAnd(number, e.i32(insideMask(rounds)));
  };
  e.copyToPrivate(source);
  if (source != result &&
      !llvm::all_of(e.layout(result).shape, llvm::isPowerOf2_64))
    clearPrivate(e, result);
  forEachRound(e, rounds.rounds, [&](Value *round) {
    e.emitIf(e.isOwner(from), [&] {
      forEachRegister(e, from, true, [&](EmittedLayout &one, Value *index) {
        Value *number = emitElementNumber(e, one, 0);
        e.emitIf(emitAnd(e, e.isElement(one, 0), isHere(number, round)), [&] {
          buffer.store(e.loadPrivate(source, index), inside(number));
        });
      });
    });
    e.barrier();
    forEachRegister(
        e, e.layout(result), false, [&](EmittedLayout &one, Value *index) {
          Value *number = elementNumber(&one, 0);
          e.emitIf(emitAnd(e, e.isElement(one, 0), isHere(number, round)), [&] {
            e.storePrivate(result, index, buffer.load(inside(number)));
          });
        });
  });
  e.setPrivate(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool emitLoopedMove(Emitter &e, mlir::Operation *op) {
  if (auto dot = llvm::dyn_cast<DotOp>(op))
    return emitLoopedDot(e, dot);
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return false;
  mlir::Value source = op->getOperand(0), result = op->getResult(0);
  if (!isLarge(e, source) && !isLarge(e, result))
    return false;
  bool isRenamed = llvm::isa<TransposeOp>(op) ||
                   (llvm::isa<ReshapeOp>(op) && !needsExchange(op));
  if (isRenamed) {
    e.sharePrivate(result, source);
    return true;
  }
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](ConvertLayoutOp o) { return emitLoopedConversion(e, o), true; })
      .Case([&](ReshapeOp o) { return emitReshape(e, o), true; })
      .Case([&](mlir::tensor::ExtractSliceOp o) {
        return emitExtractSlice(e, o), true;
      })
      .Case([&](kernel::ReduceOp o) { return emitLoopedReduce(e, o); })
      .Case([&](kernel::ScanOp o) { return emitScan(e, o), true; })
      .Case([&](kernel::GatherInTileOp o) {
        return emitGatherInTile(e, o), true;
      })
      .Default(false);
}

} // namespace tilewright::simt
