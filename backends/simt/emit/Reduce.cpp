//===- Reduce.cpp - Elements along an axis to one -------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds one bit of the axis at a time inside threads, then from lane to lane,
// as ReductionPlan says; what is left goes through shared memory. An element is
// combined once: copies are never counted, and an index beyond the extent is
// recognised by the lowest index of a partial value.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/chunks/RegisterWalk.h"
#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/TensorLayouts.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::simt;
using llvm::Value;

namespace {

/// One reduction while it is emitted.
class Reduction {
public:
  Reduction(Emitter &e, kernel::ReduceOp op);
  void emit();
  /// The same on operands in private memory; false if nothing is folded there.
  bool emitInLoops();
  /// Registers are folded already.
  void emitFrom(std::vector<Registers> folded);

private:
  using Values = Registers; ///< one value an operand

  Values combine(const Values &lower, const Values &upper) {
    Values both = lower;
    both.append(upper);
    return e.emitCombine(op.getCombine().front(), both);
  }
  /// `lower` alone where `isValid` (null: always) says that there is no upper.
  Values combineIf(Value *isValid, const Values &lower, const Values &upper);
  /// i1, or null for "always": whether an index of the axis is an element.
  Value *isInExtent(Value *axisIndex);
  Value *isInExtent(const LinearIndex &axisIndex, unsigned index);

  void foldRegisters(const Fold &fold);
  void foldRegistersInChains(llvm::ArrayRef<Fold> folds);
  void foldInLoops();
  void foldLanes(const Fold &fold);
  /// Combines with the value of the lane whose number differs in one bit.
  Values foldWithLane(const Values &own, unsigned laneBit, Value *upperIndex);
  /// The axis's index in the current layout of partials.
  LinearIndex axisIndex();
  void clearAxisBit(unsigned bit, uint64_t removedInputs);

  void emitThroughShared();
  void emitRound(unsigned round, unsigned window, const SharedBuffers &buffers,
                 std::vector<Values> &results);
  void writePartials(const RoundFilter &filter, const RoundFilter &window,
                     const SharedBuffers &buffers);
  unsigned foldRound(const SharedBuffers &buffers, unsigned bits);
  void halve(const SharedBuffers &buffers);
  Values foldItem(const SharedBuffers &buffers, Value *item, unsigned bits,
                  unsigned foldedBits);
  bool mayFoldInLanes(unsigned bits);
  Values foldInLanes(const SharedBuffers &buffers, unsigned bits);
  void readResults(const RoundFilter &filter, const SharedBuffers &buffers,
                   unsigned bits, std::vector<Values> &results);
  uint64_t indexOfWindow(unsigned window) const;
  unsigned lineBits() const { return plan.axisBits.size() - plan.windowBits; }
  void readOperands();
  void finish();
  void setResults();

  Emitter &e;
  kernel::ReduceOp op;
  ReductionPlan plan;
  std::string axis;
  int64_t extent;
  uint64_t windowIndex = 0; ///< what the window adds to indices of the axis
  LinearLayout current;     ///< of `partials`
  std::vector<Values> partials;
  std::vector<Values> results; ///< one a result register
  llvm::SmallVector<mlir::Type> elements;
};

} // namespace

Reduction::Reduction(Emitter &e, kernel::ReduceOp op)
    : e(e), op(op), plan(planOf(op, scratchRules(e))),
      axis(tensorDim(op.getAxis())) {
  auto type = mlir::cast<mlir::RankedTensorType>(op.getOperands()[0].getType());
  extent = type.getDimSize(op.getAxis());
  current = plan.distinct;
  for (mlir::Value each : op.getOperands())
    elements.push_back(mlir::getElementTypeOrSelf(each.getType()));
}

void Reduction::readOperands() {
  EmittedLayout &layout = e.layout(op.getOperands()[0]);
  uint64_t copies = layout.map.freeBits(registerDim);
  for (unsigned r = 0; r < layout.registers; ++r) {
    if (r & copies)
      continue;
    Values values;
    for (mlir::Value each : op.getOperands())
      values.push_back(e.registers(each)[r]);
    partials.push_back(values);
  }
}

//===----------------------------------------------------------------------===//
// In threads and warps
//===----------------------------------------------------------------------===//

Reduction::Values Reduction::combineIf(Value *isValid, const Values &lower,
                                       const Values &upper) {
  Values combined = combine(lower, upper);
  if (isValid)
    for (auto [value, alone] : llvm::zip_equal(combined, lower))
      value = e.b.CreateSelect(isValid, value, alone);
  return combined;
}

Value *Reduction::isInExtent(Value *axisIndex) {
  if (llvm::isPowerOf2_64(extent))
    return nullptr;
  return e.b.CreateICmpULT(axisIndex, e.i32(extent));
}

Value *Reduction::isInExtent(const LinearIndex &axisIndex, unsigned index) {
  return llvm::isPowerOf2_64(extent) ? nullptr
                                     : isInExtent(axisIndex.at(index));
}

LinearIndex Reduction::axisIndex() {
  return LinearIndex(
      e, current.sublayout({warpDim, laneDim, registerDim}, {axis}));
}

void Reduction::clearAxisBit(unsigned bit, uint64_t removedInputs) {
  uint64_t mask = uint64_t(1) << (current.outputShift(axis) + bit);
  current = current.removeInputBits(removedInputs);
  std::vector<uint64_t> columns = current.columns();
  for (uint64_t &column : columns)
    column &= ~mask;
  current = LinearLayout(current.inputs(), current.outputs(), columns);
}

void Reduction::foldRegisters(const Fold &fold) {
  LinearIndex index = axisIndex();
  uint64_t bit = uint64_t(1) << fold.inputBit;
  std::vector<Values> folded;
  for (unsigned r = 0; r < partials.size(); ++r)
    if (!(r & bit))
      folded.push_back(combineIf(isInExtent(index, r | bit), partials[r],
                                 partials[r | bit]));
  partials = std::move(folded);
  clearAxisBit(fold.axisBit, bit << current.inputShift(registerDim));
}

/// The same for several bits where any order will do: a few chains through the
/// registers, whose products become fused multiply-adds.
void Reduction::foldRegistersInChains(llvm::ArrayRef<Fold> folds) {
  std::vector<std::vector<Values>> groups;
  for (const Values &values : partials)
    groups.push_back({values});
  for (const Fold &fold : folds) {
    uint64_t bit = uint64_t(1) << fold.inputBit;
    std::vector<std::vector<Values>> merged;
    for (unsigned r = 0; r < groups.size(); ++r) {
      if (r & bit)
        continue;
      llvm::append_range(groups[r], groups[r | bit]);
      merged.push_back(std::move(groups[r]));
    }
    groups = std::move(merged);
    clearAxisBit(fold.axisBit, bit << current.inputShift(registerDim));
  }
  constexpr size_t chains = 4;
  partials.clear();
  for (std::vector<Values> &group : groups) {
    while (group.size() > 1) {
      size_t kept = std::min(chains, group.size() / 2);
      for (size_t i = kept; i < group.size(); ++i)
        group[i % kept] = combine(group[i % kept], group[i]);
      group.resize(kept);
    }
    partials.push_back(group[0]);
  }
}

/// The folds of a large operand, bit by bit in loops over private memory.
/// Registers keep their numbers there: those that are left have 0 in the bits
/// that are gone.
void Reduction::foldInLoops() {
  unsigned bits = plan.distinct.inputBits(registerDim);
  llvm::SmallVector<llvm::AllocaInst *> memory;
  for (mlir::Value operand : op.getOperands())
    memory.push_back(e.allocatePrivate(e.memoryType(operand.getType()),
                                       uint64_t(1) << bits));
  auto slot = [&](unsigned k, Value *index) {
    llvm::Type *type = e.memoryType(op.getOperands()[k].getType());
    return std::pair(type, e.b.CreateInBoundsGEP(type, memory[k], index));
  };
  auto load = [&](Value *index) {
    Values values;
    for (auto [k, operand] : llvm::enumerate(op.getOperands())) {
      auto [type, address] = slot(k, index);
      values.push_back(
          e.fromMemory(e.b.CreateLoad(type, address), operand.getType()));
    }
    return values;
  };
  // The operand's own registers, among which are copies.
  const LinearLayout &operandMap = e.layout(op.getOperands()[0]).map;
  std::vector<uint64_t> origin;
  for (unsigned bit = 0; bit < operandMap.inputBits(registerDim); ++bit)
    if (!(operandMap.freeBits(registerDim) >> bit & 1))
      origin.push_back(uint64_t(1) << bit);
  auto loadOperands = [&](Value *index) {
    Values values;
    for (mlir::Value operand : op.getOperands())
      values.push_back(e.loadPrivate(operand, emitLinearMap(e, index, origin)));
    return values;
  };
  std::vector<unsigned> left(bits);
  std::iota(left.begin(), left.end(), 0u);
  uint64_t gone = 0;
  bool isFirst = true;
  auto read = [&](Value *index) {
    return isFirst ? loadOperands(index) : load(index);
  };
  for (const Fold &fold : plan.folds) {
    uint64_t bit = 0;
    if (!fold.isLane) {
      bit = uint64_t(1) << left[fold.inputBit];
      left.erase(left.begin() + fold.inputBit);
    }
    RegisterWalk walk(e, plan.distinct, 0, gone | bit);
    walk.forEach(nullptr, [&](Value *index, Value *) {
      Values all = fold.isLane ? foldWithLane(read(index), fold.inputBit,
                                              /*upperIndex=*/nullptr)
                               : combine(read(index),
                                         read(e.b.CreateOr(index, e.i32(bit))));
      for (auto [k, value] : llvm::enumerate(all))
        e.b.CreateStore(e.toMemory(value), slot(k, index).second);
    });
    gone |= bit;
    isFirst = false;
    clearAxisBit(
        fold.axisBit,
        fold.isLane
            ? 0
            : uint64_t(1) << (fold.inputBit + current.inputShift(registerDim)));
  }
  partials.clear();
  for (unsigned r = 0; r < 1u << bits; ++r)
    if (!(r & gone))
      partials.push_back(load(e.i32(r)));
}

Reduction::Values Reduction::foldWithLane(const Values &own, unsigned laneBit,
                                          Value *upperIndex) {
  Value *bit = e.b.CreateAnd(e.laneId(), e.i32(uint64_t(1) << laneBit));
  Value *isUpper = e.b.CreateICmpNE(bit, e.i32(0));
  Values lower, upper;
  for (Value *value : own) {
    Value *other = e.hooks.shuffleXor(e.b, value, 1u << laneBit);
    lower.push_back(e.b.CreateSelect(isUpper, other, value));
    upper.push_back(e.b.CreateSelect(isUpper, value, other));
  }
  return combineIf(isInExtent(upperIndex), lower, upper);
}

void Reduction::foldLanes(const Fold &fold) {
  LinearIndex index = axisIndex();
  for (auto [r, own] : llvm::enumerate(partials))
    own = foldWithLane(
        own, fold.inputBit,
        e.b.CreateOr(index.at(r), e.i32(uint64_t(1) << fold.axisBit)));
  clearAxisBit(fold.axisBit, 0);
}

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

void Reduction::writePartials(const RoundFilter &filter,
                              const RoundFilter &window,
                              const SharedBuffers &buffers) {
  LinearIndex others(e, axisFirstNumbers(current, op.getAxis(), {}));
  // The window's bits above the others, where RoundFilter looks for them.
  std::vector<unsigned> bits = plan.axisBits;
  std::rotate(bits.begin(), bits.begin() + plan.windowBits, bits.end());
  LinearLayout alongAxis =
      current.sublayout({warpDim, laneDim, registerDim}, {axis})
          .renameOutput(axis, tensorDim(0));
  LinearIndex index(e, axisFirstNumbers(alongAxis, 0, bits));
  uint64_t copies = current.freeBits(registerDim);
  e.emitIf(emitIsOwner(e, current), [&] {
    for (auto [r, each] : llvm::enumerate(partials)) {
      const Values &values = each;
      if ((r & copies) || filter.isElsewhere(others, r) ||
          window.isElsewhere(index, r))
        continue;
      Value *isHere =
          emitAnd(e, filter.isHere(others, r), window.isHere(index, r));
      e.emitIf(isHere, [&, r = r] {
        Value *high =
            e.b.CreateShl(window.inside(index.at(r)), plan.rounds.bits);
        buffers.store(values, e.b.CreateOr(high, filter.inside(others.at(r))));
      });
    }
  });
}

/// Folds the highest `foldedBits` of the `bits` that i has, for the partials
/// that share the number `item` otherwise.
Reduction::Values Reduction::foldItem(const SharedBuffers &buffers, Value *item,
                                      unsigned bits, unsigned foldedBits) {
  unsigned keptBits = bits - foldedBits;
  // The axis's index of i, whose bits lie where they were not folded.
  auto indexOf = [&](unsigned high) {
    std::vector<uint64_t> columns(plan.rounds.bits, 0);
    for (unsigned k = 0; k < keptBits; ++k)
      columns.push_back(uint64_t(1) << plan.axisBits[plan.windowBits + k]);
    uint64_t known = windowIndex;
    for (unsigned k = 0; k < foldedBits; ++k)
      known |= uint64_t(high >> k & 1)
               << plan.axisBits[plan.windowBits + keptBits + k];
    return e.b.CreateOr(emitLinearMap(e, item, columns), e.i32(known));
  };
  std::vector<Values> parts;
  for (unsigned high = 0; high < 1u << foldedBits; ++high)
    parts.push_back(buffers.load(e.b.CreateAdd(
        item, e.i32(uint64_t(high) << (keptBits + plan.rounds.bits)))));
  for (unsigned half = parts.size() / 2; half > 0; half /= 2) {
    for (unsigned i = 0; i < half; ++i) {
      Value *isValid =
          llvm::isPowerOf2_64(extent) ? nullptr : isInExtent(indexOf(i + half));
      parts[i] = combineIf(isValid, parts[i], parts[i + half]);
    }
    parts.resize(half);
  }
  return parts[0];
}

/// Whether a scalar's partials fit into the lanes of a warp and are many enough
/// for each warp to fold them there.
bool Reduction::mayFoldInLanes(unsigned bits) {
  return bits > 3 && e.hooks.hasShuffles() && plan.rounds.bits == 0 &&
         plan.otherBits == 0 && plan.windowBits == 0 &&
         llvm::isPowerOf2_64(extent) && (1u << bits) <= e.target.warpLanes() &&
         !layoutOf(op.getResult(0).getType());
}

/// Every warp reads all partials, one a lane, and folds them, the upper half
/// onto the lower.
Reduction::Values Reduction::foldInLanes(const SharedBuffers &buffers,
                                         unsigned bits) {
  Values values = buffers.load(e.b.CreateAnd(e.laneId(), (1u << bits) - 1));
  while (bits-- > 0)
    values = foldWithLane(values, bits, /*upperIndex=*/nullptr);
  return values;
}

/// Folds some of the `bits` that i has, in place; gives how many are left.
unsigned Reduction::foldRound(const SharedBuffers &buffers, unsigned bits) {
  unsigned folded = std::min(bits - bits / 2, 4u);
  unsigned left = bits - folded;
  forEachItem(e, uint64_t(1) << (left + plan.rounds.bits), [&](Value *item) {
    buffers.store(foldItem(buffers, item, bits, folded), item);
  });
  e.barrier();
  return left;
}

/// The stated order of an extent that is no power of two: partial i takes
/// partial i + half until one is left, where half is rounded up.
void Reduction::halve(const SharedBuffers &buffers) {
  for (int64_t count = extent; count > 1;) {
    int64_t half = (count + 1) / 2;
    uint64_t pairs = count - half;
    forEachItem(e, pairs << plan.rounds.bits, [&](Value *item) {
      Value *upper = e.b.CreateAdd(item, e.i32(half << plan.rounds.bits));
      Values lowerValues = buffers.load(item);
      buffers.store(combine(lowerValues, buffers.load(upper)), item);
    });
    e.barrier();
    count = half;
  }
}

void Reduction::readResults(const RoundFilter &filter,
                            const SharedBuffers &buffers, unsigned bits,
                            std::vector<Values> &results) {
  if (results.size() == 1 && !layoutOf(op.getResult(0).getType())) {
    results[0] = foldItem(buffers, e.i32(0), bits, bits);
    return;
  }
  EmittedLayout &to = e.layout(op.getResult(0));
  LinearIndex others(e, to.map.reshapeOutputs({{offsetDim, plan.otherBits}}));
  for (unsigned r = 0; r < results.size(); ++r) {
    if (filter.isElsewhere(others, r))
      continue;
    Values values = foldItem(buffers, filter.inside(others.at(r)), bits, bits);
    Value *isHere = filter.isHere(others, r);
    if (isHere && !results[r].empty())
      for (auto [value, earlier] : llvm::zip_equal(values, results[r]))
        value = e.b.CreateSelect(isHere, value, earlier);
    results[r] = values;
  }
}

/// The lowest index of the axis in a window.
uint64_t Reduction::indexOfWindow(unsigned window) const {
  uint64_t index = 0;
  for (unsigned k = 0; k < plan.windowBits; ++k)
    index |= uint64_t(window >> k & 1) << plan.axisBits[k];
  return index;
}

void Reduction::emitRound(unsigned round, unsigned window,
                          const SharedBuffers &buffers,
                          std::vector<Values> &results) {
  if (round || window)
    e.barrier();
  windowIndex = indexOfWindow(window);
  RoundFilter filter(e, plan.rounds, round);
  RoundFilter windowFilter(e, {lineBits(), 1u << plan.windowBits}, window);
  writePartials(filter, windowFilter, buffers);
  e.barrier();
  unsigned bits = lineBits();
  if (plan.isHalved) {
    halve(buffers);
    bits = 0;
  }
  if (mayFoldInLanes(bits)) {
    results[0] = foldInLanes(buffers, bits);
    return;
  }
  // Readers fold the last few themselves: each does so for all its registers.
  unsigned readerBits = results.size() > 8 ? 1 : 3;
  while (bits > readerBits)
    bits = foldRound(buffers, bits);
  readResults(filter, buffers, bits, results);
}

void Reduction::emitThroughShared() {
  uint64_t begin = 0;
  SharedBuffers buffers(e, op, elements,
                        uint64_t(1) << (lineBits() + plan.rounds.bits), begin);
  std::vector<std::vector<Values>> windows(1u << plan.windowBits, results);
  for (unsigned round = 0; round < plan.rounds.rounds; ++round)
    for (auto [window, parts] : llvm::enumerate(windows))
      emitRound(round, window, buffers, parts);
  for (unsigned half = windows.size() / 2; half > 0; half /= 2)
    for (unsigned window = 0; window < half; ++window)
      for (unsigned r = 0; r < results.size(); ++r)
        windows[window][r] =
            combineIf(isInExtent(e.i32(indexOfWindow(window + half))),
                      windows[window][r], windows[window + half][r]);
  results = windows[0];
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Reduction::setResults() {
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    Registers registers;
    for (const Values &values : results)
      registers.push_back(values[k]);
    e.set(result, registers);
  }
}

void Reduction::emit() {
  readOperands();
  llvm::ArrayRef<Fold> folds = plan.folds;
  if (op.getOrder() == kernel::ReduceOrder::Any && !e.options.isPortable &&
      llvm::isPowerOf2_64(extent)) {
    auto inRegisters = folds.take_until([](const Fold &f) { return f.isLane; });
    foldRegistersInChains(inRegisters);
    folds = folds.drop_front(inRegisters.size());
  }
  for (const Fold &fold : folds)
    fold.isLane ? foldLanes(fold) : foldRegisters(fold);
  finish();
}

bool Reduction::emitInLoops() {
  if (plan.folds.empty() || !llvm::isPowerOf2_64(extent))
    return false;
  for (mlir::Value operand : op.getOperands())
    e.copyToPrivate(operand);
  foldInLoops();
  finish();
  return true;
}

void Reduction::emitFrom(std::vector<Registers> folded) {
  for (const Fold &fold : plan.folds)
    if (!fold.isLane)
      clearAxisBit(fold.axisBit,
                   uint64_t(1)
                       << (fold.inputBit + current.inputShift(registerDim)));
  partials = std::move(folded);
  for (const Fold &fold : plan.folds)
    if (fold.isLane)
      foldLanes(fold);
  finish();
}

void Reduction::finish() {
  bool isScalar = !layoutOf(op.getResult(0).getType());
  results.resize(isScalar ? 1 : e.layout(op.getResult(0)).registers);
  if (plan.isThroughShared) {
    emitThroughShared();
  } else {
    const LinearLayout &source = plan.resultSource;
    for (unsigned r = 0; r < results.size(); ++r) {
      uint64_t from =
          source.apply(uint64_t(r) << source.inputShift(registerDim));
      results[r] = partials[(from & source.outputMask(registerDim)) >>
                            source.outputShift(registerDim)];
    }
  }
  setResults();
}

void tilewright::simt::emitReduce(Emitter &e, kernel::ReduceOp op) {
  Reduction(e, op).emit();
}

bool tilewright::simt::emitLoopedReduce(Emitter &e, kernel::ReduceOp op) {
  return Reduction(e, op).emitInLoops();
}

void tilewright::simt::finishReduce(Emitter &e, kernel::ReduceOp op,
                                    std::vector<Registers> partials) {
  Reduction(e, op).emitFrom(std::move(partials));
}
