//===- MovePlans.cpp - How values cross threads ---------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each plan takes the cheapest way that the algebra proves right and falls back
// to shared memory, which serves any layout.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/MovePlans.h"

#include "backends/simt/layout/GF2.h"
#include "backends/simt/layout/TensorLayouts.h"

#include <algorithm>
#include <cassert>

using namespace tilewright::simt;

BufferRounds tilewright::simt::splitRounds(unsigned totalBits,
                                           uint64_t elementBytes,
                                           uint64_t limitBytes) {
  BufferRounds rounds{totalBits, 1};
  while (rounds.bits > 0 && (elementBytes << rounds.bits) > limitBytes) {
    --rounds.bits;
    rounds.rounds *= 2;
  }
  return rounds;
}

uint64_t
tilewright::simt::bufferBytes(const std::vector<unsigned> &elementBytes,
                              uint64_t elements) {
  uint64_t bytes = 0;
  for (unsigned size : elementBytes)
    bytes += (elements * size + 15) / 16 * 16;
  return bytes;
}

LinearLayout
tilewright::simt::axisFirstNumbers(const LinearLayout &layout, unsigned axis,
                                   const std::vector<unsigned> &axisBits) {
  LinearLayout others = sliceOutputs(layout, axis);
  unsigned shift = layout.outputShift(tensorDim(axis));
  std::vector<uint64_t> columns = others.columns();
  for (size_t i = 0; i < columns.size(); ++i)
    for (size_t k = 0; k < axisBits.size(); ++k)
      columns[i] |= (layout.columns()[i] >> (shift + axisBits[k]) & 1)
                    << (others.outputBits() + k);
  unsigned bits = others.outputBits() + axisBits.size();
  return LinearLayout(layout.inputs(), {{offsetDim, bits}}, columns);
}

static uint64_t sumOf(const std::vector<unsigned> &sizes) {
  uint64_t sum = 0;
  for (unsigned size : sizes)
    sum += size;
  return sum;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Registers of another lane that a result register may have to choose from.
static unsigned chosenRegisters(const Move &move) {
  return 1u << move.sourceOf.sublayout({laneDim}, {registerDim}).rank();
}

/// Vectors stay inside a round: their bits are the offset's lowest.
static void narrowVector(VectorAccess &access, const BufferRounds &rounds) {
  while (access.registerBits.size() > rounds.bits)
    access.registerBits.pop_back();
}

ConversionPlan tilewright::simt::planConversion(const LinearLayout &from,
                                                const LinearLayout &to,
                                                unsigned elementBytes,
                                                const ScratchRules &rules) {
  ConversionPlan plan;
  plan.move = planMove(from, to);
  if (plan.move.crossing == Crossing::Registers)
    return plan;
  if (plan.move.crossing == Crossing::Lanes && rules.hasShuffles &&
      chosenRegisters(plan.move) <= 2)
    return plan;
  plan.move.crossing = Crossing::Warps;
  plan.exchange = chooseExchange(from, to, elementBytes, rules.banks);
  plan.rounds = splitRounds(from.outputBits(), elementBytes, rules.limitBytes);
  narrowVector(plan.exchange->writeVector, plan.rounds);
  narrowVector(plan.exchange->readVector, plan.rounds);
  plan.scratchBytes =
      bufferBytes({elementBytes}, uint64_t(1) << plan.rounds.bits);
  return plan;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The input bit whose column is that bit of the axis alone, if it is the only
/// one that touches it.
static std::optional<unsigned> onlyInputOf(const LinearLayout &layout,
                                           uint64_t axisBit) {
  std::optional<unsigned> found;
  for (unsigned i = 0; i < layout.inputBits(); ++i) {
    if (!(layout.columns()[i] & axisBit))
      continue;
    if (found || layout.columns()[i] != axisBit)
      return std::nullopt;
    found = i;
  }
  return found;
}

/// The layout with a bit of the output cleared.
static LinearLayout clearOutputBit(const LinearLayout &layout, uint64_t bit) {
  std::vector<uint64_t> columns = layout.columns();
  for (uint64_t &column : columns)
    column &= ~bit;
  return LinearLayout(layout.inputs(), layout.outputs(), std::move(columns));
}

/// Folds one bit of the axis inside threads or warps, if it can be.
static bool tryFold(ReductionPlan &plan, const std::string &axis, unsigned bit,
                    bool mayShuffle) {
  LinearLayout &partials = plan.partials;
  uint64_t mask = uint64_t(1) << (partials.outputShift(axis) + bit);
  std::optional<unsigned> input = onlyInputOf(partials, mask);
  if (!input)
    return false;
  uint64_t inputMask = uint64_t(1) << *input;
  if (partials.inputMask(registerDim) & inputMask) {
    plan.folds.push_back(
        {bit, *input - partials.inputShift(registerDim), false});
    partials = clearOutputBit(partials.removeInputBits(inputMask), mask);
    return true;
  }
  if (!mayShuffle || !(partials.inputMask(laneDim) & inputMask))
    return false;
  plan.folds.push_back({bit, *input - partials.inputShift(laneDim), true});
  partials = clearOutputBit(partials, mask);
  return true;
}

/// Folds all bits that need no shared memory: any of them, or, in the stated
/// order, the highest ones; `axisBits` keeps the others.
static void foldInWarps(ReductionPlan &plan, const std::string &axis,
                        bool isStated, bool hasShuffles) {
  std::vector<unsigned> &left = plan.axisBits;
  if (isStated) {
    while (!left.empty() && tryFold(plan, axis, left.back(), hasShuffles))
      left.pop_back();
    return;
  }
  for (bool mayShuffle : {false, true}) {
    if (mayShuffle && !hasShuffles)
      break;
    for (size_t i = left.size(); i-- > 0;)
      if (tryFold(plan, axis, left[i], mayShuffle))
        left.erase(left.begin() + i);
  }
}

/// Whether the result's registers are registers that each thread has.
static bool isInPlace(ReductionPlan &plan, const LinearLayout &others,
                      const std::optional<LinearLayout> &result) {
  LinearLayout target =
      result ? *result : others; // scalars: one register, in every thread
  if (!others.isSurjective())
    return false;
  Move move = planMove(others, target);
  plan.resultSource = move.sourceOf;
  if (move.crossing != Crossing::Registers)
    return false;
  // Every thread needs the scalar, so every thread must hold it.
  return result || others.outputBits() == 0;
}

ReductionPlan tilewright::simt::planReduction(
    const LinearLayout &operand, unsigned axis, int64_t extent, bool isStated,
    const std::optional<LinearLayout> &result,
    const std::vector<unsigned> &elementBytes, const ScratchRules &rules) {
  ReductionPlan plan;
  plan.distinct = operand.removeInputBits(operand.freeInputBits() &
                                          operand.inputMask(registerDim));
  plan.partials = plan.distinct;
  std::string axisName = tensorDim(axis);
  for (unsigned bit = 0; bit < operand.outputBits(axisName); ++bit)
    plan.axisBits.push_back(bit);
  plan.isHalved = isStated && (extent & (extent - 1)) != 0;
  if (!plan.isHalved)
    foldInWarps(plan, axisName, isStated, rules.hasShuffles);
  LinearLayout others = sliceOutputs(plan.partials, axis);
  plan.otherBits = others.outputBits();
  plan.isThroughShared =
      !plan.axisBits.empty() || !isInPlace(plan, others, result);
  if (!plan.isThroughShared)
    return plan;
  uint64_t bytes = sumOf(elementBytes);
  unsigned lineBits = plan.axisBits.size();
  if (!plan.isHalved)
    lineBits = splitRounds(lineBits, bytes, rules.limitBytes).bits;
  plan.windowBits = plan.axisBits.size() - lineBits;
  plan.rounds =
      splitRounds(plan.otherBits, bytes << lineBits, rules.limitBytes);
  plan.scratchBytes =
      bufferBytes(elementBytes, uint64_t(1) << (lineBits + plan.rounds.bits));
  return plan;
}

//===----------------------------------------------------------------------===//
// Scans and gathers
//===----------------------------------------------------------------------===//

ScanPlan tilewright::simt::planScan(const LinearLayout &operand, unsigned axis,
                                    bool isSerial,
                                    const std::vector<unsigned> &elementBytes,
                                    const ScratchRules &rules) {
  ScanPlan plan;
  plan.axisBits = operand.outputBits(tensorDim(axis));
  plan.otherBits = operand.outputBits() - plan.axisBits;
  uint64_t bytes = sumOf(elementBytes);
  // Half of the limit for elements, so that prefixes always fit as well.
  uint64_t limit = rules.limitBytes / 2;
  plan.otherRounds = splitRounds(plan.otherBits, bytes << plan.axisBits, limit);
  plan.axisWindows =
      splitRounds(plan.axisBits, bytes << plan.otherRounds.bits, limit);
  if (!isSerial) {
    // As many segments as keep all threads busy, of eight elements at least.
    unsigned threadBits = ceilLog2(rules.threads);
    unsigned spare = threadBits > plan.otherRounds.bits
                         ? threadBits - plan.otherRounds.bits
                         : 0;
    unsigned longest =
        plan.axisWindows.bits > 3 ? plan.axisWindows.bits - 3 : 0;
    plan.segmentBits = std::min(spare, longest);
  }
  plan.scratchBytes = bufferBytes(elementBytes, plan.elements()) +
                      bufferBytes(elementBytes, plan.prefixes()) +
                      bufferBytes(elementBytes, plan.carries());
  return plan;
}

GatherPlan tilewright::simt::planGather(const LinearLayout &source,
                                        unsigned axis, unsigned elementBytes,
                                        const ScratchRules &rules) {
  GatherPlan plan;
  plan.axisBits = source.outputBits(tensorDim(axis));
  plan.otherBits = source.outputBits() - plan.axisBits;
  plan.rounds =
      splitRounds(source.outputBits(), elementBytes, rules.limitBytes);
  plan.scratchBytes =
      bufferBytes({elementBytes}, uint64_t(1) << plan.rounds.bits);
  return plan;
}
