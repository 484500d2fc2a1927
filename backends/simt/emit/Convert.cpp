//===- Convert.cpp - Tensors from one layout to another -------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion permutes registers, shuffles lanes, or writes a swizzled buffer
// in shared memory and reads it in the other order, whichever is the least that
// the layouts allow.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"

using namespace tilewright::simt;
using llvm::Value;

/// The register part of where a result's register comes from.
static uint64_t sourceRegister(const LinearLayout &sourceOf, unsigned index) {
  uint64_t source =
      sourceOf.apply(uint64_t(index) << sourceOf.inputShift(registerDim));
  return (source & sourceOf.outputMask(registerDim)) >>
         sourceOf.outputShift(registerDim);
}

static Registers permute(const LinearLayout &sourceOf,
                         const Registers &source) {
  Registers result;
  for (unsigned r = 0; r < 1u << sourceOf.inputBits(registerDim); ++r)
    result.push_back(source[sourceRegister(sourceOf, r)]);
  return result;
}

//===----------------------------------------------------------------------===//
// Inside warps
//===----------------------------------------------------------------------===//

/// Register r of lane l comes from lane `A l ^ B r`, register `C l ^ D r`
/// there. All lanes of one shuffle offer the same register, so each register
/// that `C l` may add is shuffled, and the lane takes its own.
static Registers shuffle(Emitter &e, const LinearLayout &sourceOf,
                         const Registers &source) {
  LinearLayout toLane =
      sourceOf.sublayout({warpDim, laneDim, registerDim}, {laneDim});
  LinearLayout laneToRegister = sourceOf.sublayout({laneDim}, {registerDim});
  LinearIndex sourceLane(e, toLane);
  Value *added = emitLinearMap(e, e.laneId(), laneToRegister.columns());
  std::vector<uint64_t> choices = {0};
  for (uint64_t vector : laneToRegister.image())
    for (size_t i = 0, size = choices.size(); i < size; ++i)
      choices.push_back(choices[i] ^ vector);
  Registers result;
  for (unsigned r = 0; r < 1u << sourceOf.inputBits(registerDim); ++r) {
    uint64_t known = sourceRegister(sourceOf, r);
    Value *value = nullptr;
    for (uint64_t choice : choices) {
      Value *moved =
          e.hooks.shuffleIndex(e.b, source[known ^ choice], sourceLane.at(r));
      value = value ? e.b.CreateSelect(e.b.CreateICmpEQ(added, e.i32(choice)),
                                       moved, value)
                    : moved;
    }
    result.push_back(value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

/// The registers of each vector, in order of their elements, in `groups`.
static std::vector<std::vector<unsigned>>
vectorGroups(const LinearLayout &layout, const VectorAccess &access,
             bool skipCopies) {
  uint64_t skipped = skipCopies ? layout.freeBits(registerDim) : 0;
  std::vector<unsigned> lanes = {0};
  for (unsigned bit : access.registerBits) {
    for (size_t i = 0, size = lanes.size(); i < size; ++i)
      lanes.push_back(lanes[i] | 1u << bit);
    skipped |= uint64_t(1) << bit;
  }
  std::vector<std::vector<unsigned>> groups;
  for (unsigned r = 0; r < 1u << layout.inputBits(registerDim); ++r) {
    if (r & skipped)
      continue;
    groups.push_back(lanes);
    for (unsigned &index : groups.back())
      index |= r;
  }
  return groups;
}

static void writeRound(Emitter &e, const Exchange &exchange,
                       const RoundFilter &filter, const SharedBuffer &buffer,
                       const Registers &source) {
  LinearIndex offset(e, exchange.write);
  e.emitIf(emitIsOwner(e, exchange.write), [&] {
    for (const auto &group :
         vectorGroups(exchange.write, exchange.writeVector, true)) {
      if (filter.isElsewhere(offset, group[0]))
        continue;
      e.emitIf(filter.isHere(offset, group[0]), [&] {
        Registers values;
        for (unsigned index : group)
          values.push_back(source[index]);
        buffer.storeVector(values, filter.inside(offset.at(group[0])));
      });
    }
  });
}

/// Reads what is in the round; other registers keep what they have.
static void readRound(Emitter &e, const Exchange &exchange,
                      const RoundFilter &filter, const SharedBuffer &buffer,
                      Registers &result) {
  LinearIndex offset(e, exchange.read);
  for (const auto &group :
       vectorGroups(exchange.read, exchange.readVector, false)) {
    if (filter.isElsewhere(offset, group[0]))
      continue;
    Registers values =
        buffer.loadVector(filter.inside(offset.at(group[0])), group.size());
    Value *isHere = filter.isHere(offset, group[0]);
    for (auto [index, value] : llvm::zip_equal(group, values))
      result[index] = isHere && result[index]
                          ? e.b.CreateSelect(isHere, value, result[index])
                          : value;
  }
}

static Registers exchange(Emitter &e, mlir::Operation *op,
                          const ConversionPlan &plan, mlir::Type element,
                          const Registers &source, unsigned registers) {
  const Exchange &exchange = *plan.exchange;
  SharedBuffer buffer(e, e.scratch(op), element);
  Registers result(registers, nullptr);
  for (unsigned round = 0; round < plan.rounds.rounds; ++round) {
    if (round)
      e.barrier();
    RoundFilter filter(e, plan.rounds, round);
    writeRound(e, exchange, filter, buffer, source);
    e.barrier();
    readRound(e, exchange, filter, buffer, result);
  }
  return result;
}

void tilewright::simt::emitConvertLayout(Emitter &e, ConvertLayoutOp op) {
  ConversionPlan plan = planOf(op, scratchRules(e));
  const Registers &source = e.registers(op.getSource());
  EmittedLayout &to = e.layout(op.getResult());
  switch (plan.move.crossing) {
  case Crossing::Registers:
    return e.set(op.getResult(), permute(plan.move.sourceOf, source));
  case Crossing::Lanes:
    return e.set(op.getResult(), shuffle(e, plan.move.sourceOf, source));
  case Crossing::Warps:
    mlir::Type element =
        mlir::cast<mlir::RankedTensorType>(op.getType()).getElementType();
    return e.set(op.getResult(),
                 exchange(e, op, plan, element, source, to.registers));
  }
}

//===----------------------------------------------------------------------===//
// By element number
//===----------------------------------------------------------------------===//

void tilewright::simt::emitExchange(Emitter &e, mlir::Operation *op,
                                    mlir::Value source, mlir::Value result,
                                    SourceElement elementNumber) {
  if (emitLoopedExchange(e, op, source, result, elementNumber))
    return;
  EmittedLayout &from = e.layout(source);
  EmittedLayout *to = layoutOf(result.getType()) ? &e.layout(result) : nullptr;
  mlir::Type element =
      mlir::cast<mlir::RankedTensorType>(source.getType()).getElementType();
  BufferRounds rounds = exchangeRounds(source.getType(), scratchRules(e));
  SharedBuffer buffer(e, e.scratch(op), element);
  const Registers &values = e.registers(source);
  Registers results(to ? to->registers : 1, nullptr);
  for (unsigned round = 0; round < rounds.rounds; ++round) {
    if (round)
      e.barrier();
    RoundFilter filter(e, rounds, round);
    e.emitIf(e.isOwner(from), [&] {
      for (unsigned r = 0; r < from.registers; ++r) {
        if (Emitter::firstCopy(from, r) != r)
          continue;
        Value *number = emitElementNumber(e, from, r);
        e.emitIf(emitAnd(e, e.isElement(from, r), filter.isHere(number)),
                 [&] { buffer.store(values[r], filter.inside(number)); });
      }
    });
    e.barrier();
    for (unsigned r = 0; r < results.size(); ++r) {
      Value *number = elementNumber(to, r);
      if (Value *isElement = to ? e.isElement(*to, r) : nullptr)
        number = e.b.CreateSelect(isElement, number, e.i32(0));
      Value *value = buffer.load(filter.inside(number));
      Value *isHere = filter.isHere(number);
      results[r] = isHere && results[r]
                       ? e.b.CreateSelect(isHere, value, results[r])
                       : value;
    }
  }
  e.set(result, results);
}
