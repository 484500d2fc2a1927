//===- Scan.cpp - Prefixes along an axis ----------------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through shared memory, for any layout: threads scan segments of lines in
// place, one thread a line scans the segments' totals, and readers combine the
// prefix of their segment with what lies there. Lines longer than the buffer
// go window by window with a carried prefix.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/layout/TensorLayouts.h"

using namespace tilewright;
using namespace tilewright::simt;
using llvm::Value;

namespace {

/// One scan while it is emitted. In a window element (i, o) lies at
/// `i << otherBits | o`, where both count from the window's begin.
class Scan {
public:
  Scan(Emitter &e, kernel::ScanOp op);
  void emit();

private:
  using Values = Registers; ///< one value an operand

  Values combine(const Values &earlier, const Values &later) {
    Values both = earlier;
    both.append(later);
    return e.emitCombine(op.getCombine().front(), both);
  }
  unsigned windows() const { return plan.axisWindows.rounds; }
  unsigned windowBits() const { return plan.axisWindows.bits; }
  unsigned otherBits() const { return plan.otherRounds.bits; }
  unsigned segmentLengthBits() const { return windowBits() - plan.segmentBits; }
  /// How many elements of the axis lie in the window.
  int64_t windowExtent(unsigned window) const;
  /// i32: where element i of line o lies.
  Value *offsetOf(Value *i, Value *o);

  void emitWindow(unsigned otherRound, unsigned window);
  void write(const RoundFilter &others, const RoundFilter &axis);
  void scanSegments(unsigned window);
  void scanTotals(unsigned window);
  void read(const RoundFilter &others, const RoundFilter &axis,
            unsigned window);
  Values readElement(Value *i, Value *o, unsigned window);

  Emitter &e;
  kernel::ScanOp op;
  ScanPlan plan;
  bool isReversed;
  int64_t extent;
  EmittedLayout &layout;
  LinearIndex others, axisIndex;
  llvm::SmallVector<mlir::Type> elements;
  uint64_t scratchUsed = 0;
  SharedBuffers buffers, prefixes, carries;
  std::vector<Values> results; ///< one a register
};

} // namespace

static LinearIndex axisOf(Emitter &e, const LinearLayout &map, unsigned axis) {
  return LinearIndex(
      e, map.sublayout({warpDim, laneDim, registerDim}, {tensorDim(axis)}));
}

static LinearIndex othersOf(Emitter &e, const LinearLayout &map,
                            unsigned axis) {
  LinearLayout slice = sliceOutputs(map, axis);
  return LinearIndex(e,
                     slice.reshapeOutputs({{offsetDim, slice.outputBits()}}));
}

static llvm::SmallVector<mlir::Type> elementTypes(mlir::ValueRange values) {
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value value : values)
    types.push_back(mlir::getElementTypeOrSelf(value.getType()));
  return types;
}

Scan::Scan(Emitter &e, kernel::ScanOp op)
    : e(e), op(op), plan(planOf(op, scratchRules(e))),
      isReversed(op.getReverse()), layout(e.layout(op.getOperands()[0])),
      others(othersOf(e, layout.map, op.getAxis())),
      axisIndex(axisOf(e, layout.map, op.getAxis())),
      elements(elementTypes(op.getOperands())),
      buffers(e, op, elements, plan.elements(), scratchUsed),
      prefixes(e, op, elements, plan.prefixes(), scratchUsed),
      carries(e, op, elements, plan.carries(), scratchUsed) {
  extent = layout.shape[op.getAxis()];
  results.resize(layout.registers);
}

int64_t Scan::windowExtent(unsigned window) const {
  int64_t length = int64_t(1) << windowBits();
  return std::min(length, extent - int64_t(window) * length);
}

Value *Scan::offsetOf(Value *i, Value *o) {
  return e.b.CreateOr(e.b.CreateShl(i, otherBits()), o);
}

void Scan::write(const RoundFilter &otherFilter,
                 const RoundFilter &axisFilter) {
  e.emitIf(e.isOwner(layout), [&] {
    for (unsigned r = 0; r < layout.registers; ++r) {
      if (Emitter::firstCopy(layout, r) != r ||
          otherFilter.isElsewhere(others, r) ||
          axisFilter.isElsewhere(axisIndex, r))
        continue;
      Value *isHere = emitAnd(e, otherFilter.isHere(others, r),
                              axisFilter.isHere(axisIndex, r));
      e.emitIf(isHere, [&] {
        Values values;
        for (mlir::Value operand : op.getOperands())
          values.push_back(e.registers(operand)[r]);
        buffers.store(values, offsetOf(axisFilter.inside(axisIndex.at(r)),
                                       otherFilter.inside(others.at(r))));
      });
    }
  });
}

/// Each thread scans a segment of a line in place, in the axis's direction.
void Scan::scanSegments(unsigned window) {
  int64_t count = windowExtent(window);
  uint64_t items = uint64_t(1) << (plan.segmentBits + otherBits());
  forEachItem(e, items, [&](Value *item) {
    Value *o = e.b.CreateAnd(item, e.i32((uint64_t(1) << otherBits()) - 1));
    Value *segment = e.b.CreateLShr(item, otherBits());
    Value *begin = e.b.CreateShl(segment, segmentLengthBits());
    Value *length = e.i32(int64_t(1) << segmentLengthBits());
    Value *end = e.b.CreateAdd(begin, length);
    Value *last = e.i32(count);
    end = e.b.CreateSelect(e.b.CreateICmpSLT(end, last), end, last);
    // Segments beyond the extent have no element to begin with.
    e.emitIf(e.b.CreateICmpSLT(begin, end), [&] {
      auto position = [&](Value *step) {
        Value *i = isReversed
                       ? e.b.CreateSub(e.b.CreateSub(end, e.i32(1)), step)
                       : e.b.CreateAdd(begin, step);
        return offsetOf(i, o);
      };
      Values first = buffers.load(position(e.i32(0)));
      e.emitLoop(e.i32(1), e.b.CreateSub(end, begin), e.i32(1), first,
                 [&](Value *step, const Registers &running) {
                   Value *at = position(step);
                   Values next = combine(running, buffers.load(at));
                   buffers.store(next, at);
                   return next;
                 });
    });
  });
}

/// Each thread scans the totals of a line's segments: `prefixes` gets what
/// comes before each segment, `carries` what comes before the next window.
void Scan::scanTotals(unsigned window) {
  int64_t count = windowExtent(window);
  int64_t length = int64_t(1) << segmentLengthBits();
  int64_t segments = (count + length - 1) / length;
  bool isFirst = window == (isReversed ? windows() - 1 : 0);
  forEachItem(e, uint64_t(1) << otherBits(), [&](Value *o) {
    // What a segment contributes lies at its end in the axis's direction.
    auto total = [&](Value *segment) {
      Value *i = e.b.CreateShl(segment, segmentLengthBits());
      if (!isReversed) {
        i = e.b.CreateAdd(i, e.i32(length - 1));
        Value *last = e.i32(count - 1);
        i = e.b.CreateSelect(e.b.CreateICmpSLT(i, last), i, last);
      }
      return buffers.load(offsetOf(i, o));
    };
    auto segmentAt = [&](Value *step) -> Value * {
      return isReversed ? e.b.CreateSub(e.i32(segments - 1), step) : step;
    };
    int64_t begin = isFirst ? 1 : 0;
    Values running = isFirst ? total(segmentAt(e.i32(0))) : carries.load(o);
    running = e.emitLoop(e.i32(begin), e.i32(segments), e.i32(1), running,
                         [&](Value *step, const Registers &before) {
                           Value *segment = segmentAt(step);
                           prefixes.store(before, offsetOf(segment, o));
                           return combine(before, total(segment));
                         });
    if (windows() > 1)
      carries.store(running, o);
  });
}

Scan::Values Scan::readElement(Value *i, Value *o, unsigned window) {
  Values own = buffers.load(offsetOf(i, o));
  if (!plan.hasPrefixes())
    return own;
  int64_t length = int64_t(1) << segmentLengthBits();
  int64_t segments = (windowExtent(window) + length - 1) / length;
  Value *segment = e.b.CreateLShr(i, segmentLengthBits());
  bool isFirst = window == (isReversed ? windows() - 1 : 0);
  Value *hasPrefix = nullptr;
  if (isFirst)
    hasPrefix = e.b.CreateICmpNE(segment, e.i32(isReversed ? segments - 1 : 0));
  return e.emitIf(hasPrefix, own, [&]() -> Registers {
    return combine(prefixes.load(offsetOf(segment, o)), own);
  });
}

void Scan::read(const RoundFilter &otherFilter, const RoundFilter &axisFilter,
                unsigned window) {
  for (unsigned r = 0; r < layout.registers; ++r) {
    if (otherFilter.isElsewhere(others, r) ||
        axisFilter.isElsewhere(axisIndex, r))
      continue;
    Value *isHere = emitAnd(e, otherFilter.isHere(others, r),
                            axisFilter.isHere(axisIndex, r));
    Value *i = axisFilter.inside(axisIndex.at(r));
    // Padding reads what lies at the end instead.
    if (!llvm::isPowerOf2_64(extent)) {
      Value *last = e.i32(windowExtent(window) - 1);
      i = e.b.CreateSelect(e.b.CreateICmpSLT(i, last), i, last);
    }
    Values values = readElement(i, otherFilter.inside(others.at(r)), window);
    if (isHere && !results[r].empty())
      for (auto [value, earlier] : llvm::zip_equal(values, results[r]))
        value = e.b.CreateSelect(isHere, value, earlier);
    results[r] = values;
  }
}

void Scan::emitWindow(unsigned otherRound, unsigned window) {
  RoundFilter otherFilter(e, plan.otherRounds, otherRound);
  RoundFilter axisFilter(e, plan.axisWindows, window);
  write(otherFilter, axisFilter);
  e.barrier();
  scanSegments(window);
  e.barrier();
  if (plan.hasPrefixes()) {
    scanTotals(window);
    e.barrier();
  }
  read(otherFilter, axisFilter, window);
}

void Scan::emit() {
  bool isFirst = true;
  for (unsigned round = 0; round < plan.otherRounds.rounds; ++round)
    for (unsigned step = 0; step < windows(); ++step) {
      unsigned window = isReversed ? windows() - 1 - step : step;
      if (windowExtent(window) <= 0)
        continue; // padding alone
      if (!isFirst)
        e.barrier();
      isFirst = false;
      emitWindow(round, window);
    }
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    Registers registers;
    for (const Values &values : results)
      registers.push_back(values.empty() ? e.zero(elements[k]) : values[k]);
    e.set(result, registers);
  }
}

void tilewright::simt::emitScan(Emitter &e, kernel::ScanOp op) {
  Scan(e, op).emit();
}
