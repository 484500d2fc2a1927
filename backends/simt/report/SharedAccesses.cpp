//===- SharedAccesses.cpp - What accesses do to the banks -----------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps from (warp, lane, register) to offsets, taken from the plans that
// emission follows.
//===----------------------------------------------------------------------===//
#include "backends/simt/report/SharedAccesses.h"

#include "backends/simt/analysis/DotPlan.h"
#include "backends/simt/analysis/Exchanges.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

/// The widest access of shared memory by one thread, in bytes.
static constexpr unsigned kMaxBytes = 16;

static LinearLayout layoutMap(Value value) {
  return layoutOf(value.getType()).getLayout();
}

static unsigned bytesOf(Value value) {
  return memoryBytes(getElementTypeOrSelf(value.getType()));
}

/// An access in vectors of the given registers.
static SharedAccess makeAccess(bool isWrite, const LinearLayout &offsets,
                               unsigned elementBytes,
                               const VectorAccess &vector, const Banks &banks) {
  return {isWrite, elementBytes * vector.elements(),
          bankConflicts(offsets, elementBytes, vector.registerBits, banks)};
}

static void addConversion(std::vector<SharedAccess> &accesses,
                          ConvertLayoutOp op, const ScratchRules &rules) {
  ConversionPlan plan = planOf(op, rules);
  if (!plan.exchange)
    return;
  unsigned bytes = bytesOf(op.getSource());
  const Exchange &exchange = *plan.exchange;
  accesses.push_back(makeAccess(true, exchange.write, bytes,
                                exchange.writeVector, rules.banks));
  accesses.push_back(makeAccess(false, exchange.read, bytes,
                                exchange.readVector, rules.banks));
}

/// Partial values, one access an operand. Rounds and windows take a part of
/// the elements each, under conditions.
static void addReduction(std::vector<SharedAccess> &accesses,
                         kernel::ReduceOp op, const ScratchRules &rules) {
  ReductionPlan plan = planOf(op, rules);
  if (!plan.isThroughShared || plan.windowBits || plan.rounds.rounds > 1)
    return;
  LinearLayout offsets =
      axisFirstNumbers(plan.partials, op.getAxis(), plan.axisBits);
  for (Value operand : op.getOperands())
    accesses.push_back(
        makeAccess(true, offsets, bytesOf(operand), {}, rules.banks));
}

/// All elements, those along the axis apart.
static void addWholeTensor(std::vector<SharedAccess> &accesses, Value operand,
                           unsigned axis, const ScratchRules &rules) {
  LinearLayout layout = layoutMap(operand);
  std::vector<unsigned> bits;
  for (unsigned bit = 0; bit < layout.outputBits(tensorDim(axis)); ++bit)
    bits.push_back(bit);
  accesses.push_back(makeAccess(true, axisFirstNumbers(layout, axis, bits),
                                bytesOf(operand), {}, rules.banks));
}

/// Buffers with a layout of their own.
static void addLocal(std::vector<SharedAccess> &accesses, bool isWrite,
                     Value tensor, MemDescType memory, const Banks &banks) {
  LinearLayout buffer = memory.getLayout().getLayout();
  if (!buffer.isInvertible())
    return;
  LinearLayout offsets = layoutMap(tensor).compose(buffer.inverse());
  unsigned bytes = bytesOf(tensor);
  accesses.push_back(makeAccess(
      isWrite, offsets, bytes,
      vectorAccess(offsets, offsetDim, bytes, kMaxBytes, kMaxBytes), banks));
}

/// A product without a matrix instruction: each operand is written once, in a
/// window of K if there is one only, and read at every step of K.
static void addProduct(std::vector<SharedAccess> &accesses, DotOp op,
                       const ScratchRules &rules) {
  if (op.getAtom() && rules.hasMatrixAtoms)
    return;
  DotPlan plan = planOf(op, rules);
  auto add = [&](bool isWrite, const LinearLayout &places) {
    accesses.push_back(
        makeAccess(isWrite, places, plan.elementBytes, {}, rules.banks));
  };
  if (plan.rounds() == 1) {
    add(true, plan.places(layoutMap(op.getLhs()), false));
    add(true, plan.places(layoutMap(op.getRhs()), true));
  }
  LinearLayout result = layoutMap(op.getResult());
  add(false, plan.placesRead(result, false));
  add(false, plan.placesRead(result, true));
}

std::vector<SharedAccess> simt::sharedAccesses(Operation *op,
                                               const ScratchRules &rules) {
  std::vector<SharedAccess> accesses;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ConvertLayoutOp o) { addConversion(accesses, o, rules); })
      .Case([&](kernel::ReduceOp o) { addReduction(accesses, o, rules); })
      .Case([&](kernel::ScanOp o) {
        ScanPlan plan = planOf(o, rules);
        if (plan.otherRounds.rounds == 1 && plan.axisWindows.rounds == 1)
          for (Value operand : o.getOperands())
            addWholeTensor(accesses, operand, o.getAxis(), rules);
      })
      .Case([&](kernel::GatherInTileOp o) {
        if (planOf(o, rules).rounds.rounds == 1)
          addWholeTensor(accesses, o.getSource(), o.getAxis(), rules);
      })
      .Case([&](DotOp o) { addProduct(accesses, o, rules); })
      .Case([&](LocalLoadOp o) {
        addLocal(accesses, false, o.getResult(), o.getMemory().getType(),
                 rules.banks);
      })
      .Case([&](LocalStoreOp o) {
        addLocal(accesses, true, o.getValue(), o.getMemory().getType(),
                 rules.banks);
      });
  return accesses;
}
