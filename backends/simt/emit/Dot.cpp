//===- Dot.cpp - Matrix products without matrix instructions ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any shape, any layout: a window of both operands goes to shared memory, then
// every thread adds up the products of its elements,
//
//   for i in window: a = lhs[i, rows of this thread]; c = rhs[i, columns]
//                    sum[r] += a[row of r] * c[column of r]
//
// Where a thread has many elements, those of a chunk at a time: sums then live
// in private memory. Where it also has many windows, these are a loop, too.
//
// In the stated order i runs through K with its bits reversed, so that folding
// the upper half onto the lower is the sum of neighbours, then of pairs, ...
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/DotPlan.h"
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"
#include "backends/simt/emit/chunks/Chunks.h"
#include "backends/simt/emit/chunks/RegisterWalk.h"

using namespace mlir;

namespace tilewright::simt {

using llvm::Value; // not MLIR's

namespace {
/// One product under emission.
class DotEmitter {
public:
  DotEmitter(Emitter &e, DotOp op)
      : e(e), op(op), plan(planOf(op, scratchRules(e))),
        layout(&e.layout(op.getResult())),
        element(getElementTypeOrSelf(op.getResult().getType())),
        rank(layout->shape.size()),
        depth(cast<RankedTensorType>(op.getLhs().getType())
                  .getDimSize(rank - 1)) {}

  void emit();

private:
  bool isInChunks() const;
  void emitWhole();
  void emitInChunks();
  Registers sumChunk(Value *index, unsigned round);
  bool areRoundsLooped();
  void fillFromWalk(RegisterWalk &walk, bool isRhs, Value *round);
  void emitRounds(llvm::function_ref<void()> sumChunks);
  BufferRounds roundsOf(bool isRhs) const {
    return {plan.windowBits + plan.batchBits + plan.rowBits(isRhs),
            plan.rounds()};
  }
  void fillInChunks(mlir::Value operand, bool isRhs, uint64_t begin);
  void fillOperands(unsigned round);
  void fill(mlir::Value operand, bool isRhs, uint64_t begin, unsigned round);
  Value *rowOf(unsigned index, bool isRhs);
  Registers products(Value *step);
  Registers accumulate(Value *step, const Registers &sums);
  Registers sumWindow(unsigned round, Registers sums);
  Registers foldWindow(unsigned round, Registers state);
  Value *add(Value *lhs, Value *rhs);
  Value *multiply(Value *lhs, Value *rhs);
  Value *loadFactor(Value *step, unsigned index, bool isRhs,
                    llvm::DenseMap<uint64_t, Value *> &loaded);
  bool isInteger() const { return element.isInteger(); }

  Emitter &e;
  DotOp op;
  DotPlan plan;
  EmittedLayout *layout; ///< of the result, or of its chunk under emission
  mlir::Type element;
  unsigned rank;
  int64_t depth;
};
} // namespace

/// f16 bits as f32: exponents are moved by a product, which is exact.
static Value *widenHalf(Emitter &e, Value *bits) {
  llvm::Type *number = e.b.getFloatTy();
  Value *wide = e.b.CreateZExt(bits, e.b.getInt32Ty());
  Value *magnitude = e.b.CreateShl(e.b.CreateAnd(wide, e.i32(0x7fff)), 13);
  Value *sign = e.b.CreateShl(e.b.CreateAnd(wide, e.i32(0x8000)), 16);
  Value *finite = e.b.CreateFMul(e.b.CreateBitCast(magnitude, number),
                                 llvm::ConstantFP::get(number, 0x1p112));
  Value *special = e.b.CreateOr(magnitude, e.i32(0x7f800000));
  Value *isSpecial = e.b.CreateICmpUGE(magnitude, e.i32(0x0f800000));
  Value *result = e.b.CreateSelect(isSpecial, special,
                                   e.b.CreateBitCast(finite, e.b.getInt32Ty()));
  return e.b.CreateBitCast(e.b.CreateOr(result, sign), number);
}

/// An operand's element in the type of sums. Products without an atom have
/// operands of that type; an atom's come as they are.
static Value *widen(Emitter &e, Value *value, mlir::Type from) {
  if (from.isInteger(8))
    return e.b.CreateSExt(value, e.b.getInt32Ty());
  if (from.isBF16())
    return e.b.CreateBitCast(
        e.b.CreateShl(e.b.CreateZExt(value, e.b.getInt32Ty()), 16),
        e.b.getFloatTy());
  if (!from.isF16())
    return value;
  return value->getType()->isHalfTy() ? e.b.CreateFPExt(value, e.b.getFloatTy())
                                      : widenHalf(e, value);
}

/// Writes an operand that is in private memory, all of whose extents are powers
/// of two.
void DotEmitter::fillInChunks(mlir::Value operand, bool isRhs, uint64_t begin) {
  const ChunkSizes &sizes = e.target.chunks;
  EmittedLayout &from = e.layout(operand);
  LinearIndex number(e, plan.places(from.map, isRhs));
  std::vector<uint64_t> columns = chunkColumns(number.layout(), sizes);
  SharedBuffer buffer(e, e.scratch(op, begin), element);
  e.emitLoop(
      e.i32(0), e.i32(from.registers >> sizes.chunkBits), e.i32(1), {},
      [&](Value *index, const Registers &) -> Registers {
        Value *first = e.b.CreateShl(index, sizes.chunkBits);
        Value *ofChunk = emitLinearMap(e, index, columns);
        for (unsigned r = 0; r < 1u << sizes.chunkBits; ++r)
          buffer.store(
              widen(e, e.loadPrivate(operand, e.b.CreateOr(first, e.i32(r))),
                    getElementTypeOrSelf(operand)),
              e.b.CreateXor(number.at(r), ofChunk));
        return {};
      });
}

/// Writes the operand's elements of one round.
void DotEmitter::fill(mlir::Value operand, bool isRhs, uint64_t begin,
                      unsigned round) {
  EmittedLayout &from = e.layout(operand);
  if (e.isPrivate(operand) && plan.rounds() == 1 &&
      isCutIntoChunks(from.map, e.target.chunks) &&
      llvm::all_of(from.shape, llvm::isPowerOf2_64))
    return e.emitIf(e.isOwner(from),
                    [&] { fillInChunks(operand, isRhs, begin); });
  const Registers &values = e.registers(operand);
  LinearIndex number(e, plan.places(from.map, isRhs));
  RoundFilter filter(e, roundsOf(isRhs), round);
  SharedBuffer buffer(e, e.scratch(op, begin), element);
  // Registers of one round's condition share a branch.
  llvm::MapVector<uint64_t, llvm::SmallVector<unsigned>> groups;
  for (unsigned index = 0; index < from.registers; ++index) {
    if (Emitter::firstCopy(from, index) != index ||
        filter.isElsewhere(number, index))
      continue;
    bool isPadded = e.isElement(from, index);
    uint64_t key =
        isPadded ? ~uint64_t(index) : number.ofRegister(index) & filter.mask();
    groups[key].push_back(index);
  }
  e.emitIf(e.isOwner(from), [&] {
    for (auto &entry : groups) {
      unsigned first = entry.second[0];
      e.emitIf(
          emitAnd(e, e.isElement(from, first), filter.isHere(number, first)),
          [&] {
            for (unsigned index : entry.second)
              buffer.store(
                  widen(e, values[index], getElementTypeOrSelf(operand)),
                  filter.inside(number.at(index)));
          });
    }
  });
}

/// i32: batch and row (or column) of a result register, as operands number it.
Value *DotEmitter::rowOf(unsigned index, bool isRhs) {
  Value *number = nullptr;
  for (unsigned dim = 0; dim + 2 < rank; ++dim) {
    Value *at = e.coordinate(*layout, dim, index);
    unsigned bits = layout->map.outputBits(tensorDim(dim));
    number = number ? e.b.CreateOr(e.b.CreateShl(number, bits), at) : at;
  }
  Value *row = e.coordinate(*layout, isRhs ? rank - 1 : rank - 2, index);
  unsigned bits = plan.rowBits(isRhs);
  return number ? e.b.CreateOr(e.b.CreateShl(number, bits), row) : row;
}

Value *DotEmitter::add(Value *lhs, Value *rhs) {
  return isInteger() ? e.b.CreateAdd(lhs, rhs) : e.b.CreateFAdd(lhs, rhs);
}

Value *DotEmitter::multiply(Value *lhs, Value *rhs) {
  return isInteger() ? e.b.CreateMul(lhs, rhs) : e.b.CreateFMul(lhs, rhs);
}

/// Registers in one row (one column) read one element of the operand.
Value *DotEmitter::loadFactor(Value *step, unsigned index, bool isRhs,
                              llvm::DenseMap<uint64_t, Value *> &loaded) {
  uint64_t key =
      layout->packed(index) &
      ~layout->map.outputMask(tensorDim(isRhs ? rank - 2 : rank - 1));
  Value *&value = loaded[key];
  if (value)
    return value;
  SharedBuffer buffer(e, e.scratch(op, isRhs ? plan.lhsBytes() : 0), element);
  unsigned shift = plan.batchBits + plan.rowBits(isRhs);
  Value *row = rowOf(index, isRhs);
  return value = buffer.load(e.b.CreateAdd(e.b.CreateShl(step, shift), row));
}

/// The products of all result registers at one step of the window.
Registers DotEmitter::products(Value *step) {
  llvm::DenseMap<uint64_t, Value *> lhs, rhs;
  Registers results;
  for (unsigned index = 0; index < layout->registers; ++index)
    results.push_back(multiply(loadFactor(step, index, false, lhs),
                               loadFactor(step, index, true, rhs)));
  return results;
}

Registers DotEmitter::accumulate(Value *step, const Registers &sums) {
  llvm::DenseMap<uint64_t, Value *> lhs, rhs;
  Registers results;
  for (unsigned index = 0; index < layout->registers; ++index) {
    Value *a = loadFactor(step, index, false, lhs);
    Value *c = loadFactor(step, index, true, rhs);
    results.push_back(!isInteger() && e.target.hasFma
                          ? e.hooks.fusedMultiplyAdd(e.b, a, c, sums[index])
                          : add(sums[index], multiply(a, c)));
  }
  return results;
}

/// In the order of K, onto the accumulator.
Registers DotEmitter::sumWindow(unsigned round, Registers sums) {
  int64_t window = int64_t(1) << plan.windowBits;
  int64_t count = std::min(window, depth - int64_t(round) * window);
  if (count <= 0)
    return sums;
  return e.emitLoop(e.i32(0), e.i32(count), e.i32(1), sums,
                    [&](Value *step, const Registers &carried) {
                      return accumulate(step, carried);
                    });
}

/// A pair of products is added to what waits at level 0; two sums of a level go
/// up one. State: the registers' newest sums, then those waiting, by level.
Registers DotEmitter::foldWindow(unsigned round, Registers state) {
  unsigned count = layout->registers, levels = plan.kBits - 1;
  uint64_t window = uint64_t(1) << plan.windowBits, first = round * window;
  bool isFull = uint64_t(depth) == uint64_t(1) << plan.kBits;
  return e.emitLoop(
      e.i32(0), e.i32(window), e.i32(2), state,
      [&](Value *step, const Registers &carried) {
        Registers sums = products(step);
        Registers upper = products(e.b.CreateAdd(step, e.i32(1)));
        Value *number = e.b.CreateAdd(step, e.i32(first));
        Value *position = e.b.CreateLShr(
            e.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse,
                                     e.b.CreateAdd(number, e.i32(1))),
            32 - plan.kBits);
        for (unsigned r = 0; r < count; ++r) {
          Value *pair = add(sums[r], upper[r]);
          sums[r] =
              isFull
                  ? pair
                  : e.b.CreateSelect(e.b.CreateICmpULT(position, e.i32(depth)),
                                     pair, sums[r]);
        }
        Registers waiting(carried.begin() + count, carried.end());
        Value *goesUp = e.b.getTrue();
        for (unsigned level = 0; level < levels; ++level) {
          Value *bit =
              e.b.CreateAnd(e.b.CreateLShr(number, level + 1), e.i32(1));
          Value *isSecond = e.b.CreateICmpNE(bit, e.i32(0));
          Value *waits = e.b.CreateAnd(goesUp, e.b.CreateNot(isSecond));
          goesUp = e.b.CreateAnd(goesUp, isSecond);
          for (unsigned r = 0; r < count; ++r) {
            Value *&slot = waiting[level * count + r];
            Value *both = add(slot, sums[r]);
            slot = e.b.CreateSelect(waits, sums[r], slot);
            sums[r] = e.b.CreateSelect(goesUp, both, sums[r]);
          }
        }
        llvm::append_range(sums, waiting);
        return sums;
      });
}

void DotEmitter::fillOperands(unsigned round) {
  if (round)
    e.barrier();
  fill(op.getLhs(), false, 0, round);
  fill(op.getRhs(), true, plan.lhsBytes(), round);
  e.barrier();
}

void DotEmitter::emitWhole() {
  const Registers &accumulator = e.registers(op.getAccumulator());
  bool isFolded = plan.isStated && plan.kBits > 0;
  Registers state = accumulator;
  if (isFolded)
    state.assign(size_t(layout->registers) * plan.kBits, e.zero(element));
  for (unsigned round = 0; round < plan.rounds(); ++round) {
    fillOperands(round);
    if (isFolded)
      state = foldWindow(round, state);
    else if (plan.isStated)
      state = products(e.i32(0));
    else
      state = sumWindow(round, state);
  }
  state.resize(layout->registers);
  if (plan.isStated)
    for (unsigned r = 0; r < layout->registers; ++r)
      state[r] = add(accumulator[r], state[r]);
  e.set(op.getResult(), std::move(state));
}

//===--- In chunks --------------------------------------------------------===//

/// In the stated order, partial sums of a chunk do not outlive a round.
bool DotEmitter::isInChunks() const {
  return isCutIntoChunks(layout->map, e.target.chunks) &&
         (!plan.isStated || plan.rounds() == 1);
}

/// Adds the round's products to the elements of one chunk.
Registers DotEmitter::sumChunk(Value *index, unsigned round) {
  EmittedLayout *whole = layout;
  std::unique_ptr<EmittedLayout> chunk =
      layoutOfChunk(e, *whole, index, e.target.chunks);
  layout = chunk.get();
  Value *first = e.b.CreateShl(index, e.target.chunks.chunkBits);
  auto slot = [&](unsigned r) { return e.b.CreateOr(first, e.i32(r)); };
  Registers sums;
  for (unsigned r = 0; r < layout->registers; ++r)
    sums.push_back(e.loadPrivate(op.getResult(), slot(r)));
  if (!plan.isStated) {
    sums = sumWindow(round, sums);
  } else {
    Registers state(size_t(layout->registers) * plan.kBits, e.zero(element));
    state = plan.kBits ? foldWindow(round, state) : products(e.i32(0));
    for (unsigned r = 0; r < layout->registers; ++r)
      sums[r] = add(sums[r], state[r]);
  }
  for (unsigned r = 0; r < layout->registers; ++r)
    e.storePrivate(op.getResult(), slot(r), sums[r]);
  layout = whole;
  return {};
}

/// Whether there are too many windows to write the code of each. All are full
/// ones then.
bool DotEmitter::areRoundsLooped() {
  constexpr uint64_t mostUnrolled =
      1024; // registers that are tested and stored
  uint64_t registers = 0;
  for (mlir::Value operand : {op.getLhs(), op.getRhs()}) {
    EmittedLayout &from = e.layout(operand);
    registers += from.registers;
    if (!llvm::all_of(from.shape, llvm::isPowerOf2_64))
      return false;
  }
  return !plan.isStated && plan.rounds() > 1 &&
         plan.rounds() * registers > mostUnrolled;
}

/// Writes what an operand in private memory has in one round.
void DotEmitter::fillFromWalk(RegisterWalk &walk, bool isRhs, Value *round) {
  mlir::Value operand = isRhs ? op.getRhs() : op.getLhs();
  BufferRounds rounds = roundsOf(isRhs);
  SharedBuffer buffer(e, e.scratch(op, isRhs ? plan.lhsBytes() : 0), element);
  auto store = [&](Value *index, Value *number) {
    buffer.store(
        widen(e, e.loadPrivate(operand, index), getElementTypeOrSelf(operand)),
        e.b.CreateAnd(number, e.i32(insideMask(rounds))));
  };
  e.emitIf(e.isOwner(e.layout(operand)),
           [&] { walk.forEach(e.b.CreateShl(round, rounds.bits), store); });
}

/// Fills a window, sums it up, and so on.
void DotEmitter::emitRounds(llvm::function_ref<void()> sumChunks) {
  auto makeWalk = [&](mlir::Value operand, bool isRhs) {
    e.copyToPrivate(operand);
    LinearLayout places = plan.places(e.layout(operand).map, isRhs);
    return RegisterWalk(e, places, roundMask(roundsOf(isRhs)),
                        places.freeBits(registerDim));
  };
  RegisterWalk lhs = makeWalk(op.getLhs(), false);
  RegisterWalk rhs = makeWalk(op.getRhs(), true);
  forEachRound(e, plan.rounds(), [&](Value *round) {
    fillFromWalk(lhs, false, round);
    fillFromWalk(rhs, true, round);
    e.barrier();
    sumChunks();
  });
}

void DotEmitter::emitInChunks() {
  copyPrivate(e, op.getResult(), op.getAccumulator());
  unsigned chunks = layout->registers >> e.target.chunks.chunkBits;
  auto sumChunks = [&](unsigned round) {
    e.emitLoop(e.i32(0), e.i32(chunks), e.i32(1), {},
               [&](Value *index, const Registers &) {
                 return sumChunk(index, round);
               });
  };
  if (areRoundsLooped()) {
    emitRounds([&] { sumChunks(0); });
  } else {
    for (unsigned round = 0; round < plan.rounds(); ++round) {
      fillOperands(round);
      sumChunks(round);
    }
  }
  e.setPrivate(op.getResult());
}

void DotEmitter::emit() { isInChunks() ? emitInChunks() : emitWhole(); }

void emitDot(Emitter &e, DotOp op) {
  if (op.getAtom() && (e.hooks.hasMatrixAtoms() || !op.getScales().empty()))
    return emitMatrixDot(e, op);
  DotEmitter(e, op).emit();
}

} // namespace tilewright::simt
