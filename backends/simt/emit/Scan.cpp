//===- Scan.cpp - Prefixes along an axis ----------------------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through shared memory, for any layout: threads scan segments of lines in
// place, one thread a line scans the segments' totals, and readers combine the
// prefix of their segment with what lies there. Lines longer than the buffer
// go window by window with a carried prefix. Large tensors are in private
// memory, and their rounds and windows are loops.
//===----------------------------------------------------------------------===//
#include "backends/simt/emit/Families.h"
#include "backends/simt/emit/SharedBuffer.h"

#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/emit/chunks/RegisterWalk.h"
#include "backends/simt/layout/TensorLayouts.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::simt;
using llvm::Value;

namespace {

/// What a window of the axis is, known at compile time or in a loop.
struct Window {
  Value *count;    ///< i32: how many elements of the axis lie in it
  Value *segments; ///< i32: how many segments have elements
  bool isFirst;    ///< in the direction of the scan: nothing is carried in
};

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
  /// How many windows have elements; the others are padding alone.
  unsigned usedWindows() const;
  /// Window `number`, i32.
  Window window(Value *number, bool isFirst);
  /// i32: where element i of line o lies.
  Value *offsetOf(Value *i, Value *o);

  void emitInRegisters();
  void emitWindow(unsigned otherRound, unsigned number, bool isFirst);
  void scanWindow(const Window &window);
  void write(const RoundFilter &others, const RoundFilter &axis);
  void scanSegments(const Window &window);
  void scanTotals(const Window &window);
  void read(const RoundFilter &others, const RoundFilter &axis,
            const Window &window);
  /// Element i of line o, which is the last one for padding behind it.
  Values readElement(Value *i, Value *o, const Window &window);

  void emitInLoops();
  void emitLoopedWindow(Value *otherRound, Value *number, bool isFirst);

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

unsigned Scan::usedWindows() const {
  return ((extent - 1) >> windowBits()) + 1;
}

Window Scan::window(Value *number, bool isFirst) {
  int64_t length = int64_t(1) << windowBits();
  Value *count = e.i32(length);
  if (extent % length) {
    Value *left =
        e.b.CreateSub(e.i32(extent), e.b.CreateShl(number, windowBits()));
    count = e.b.CreateSelect(e.b.CreateICmpSLT(left, count), left, count);
  }
  int64_t roundsUp = (int64_t(1) << segmentLengthBits()) - 1;
  Value *segments = e.b.CreateLShr(e.b.CreateAdd(count, e.i32(roundsUp)),
                                   segmentLengthBits());
  return {count, segments, isFirst};
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
void Scan::scanSegments(const Window &window) {
  uint64_t items = uint64_t(1) << (plan.segmentBits + otherBits());
  forEachItem(e, items, [&](Value *item) {
    Value *o = e.b.CreateAnd(item, e.i32((uint64_t(1) << otherBits()) - 1));
    Value *segment = e.b.CreateLShr(item, otherBits());
    Value *begin = e.b.CreateShl(segment, segmentLengthBits());
    Value *length = e.i32(int64_t(1) << segmentLengthBits());
    Value *end = e.b.CreateAdd(begin, length);
    Value *last = window.count;
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
void Scan::scanTotals(const Window &window) {
  int64_t length = int64_t(1) << segmentLengthBits();
  forEachItem(e, uint64_t(1) << otherBits(), [&](Value *o) {
    // What a segment contributes lies at its end in the axis's direction.
    auto total = [&](Value *segment) {
      Value *i = e.b.CreateShl(segment, segmentLengthBits());
      if (!isReversed) {
        i = e.b.CreateAdd(i, e.i32(length - 1));
        Value *last = e.b.CreateSub(window.count, e.i32(1));
        i = e.b.CreateSelect(e.b.CreateICmpSLT(i, last), i, last);
      }
      return buffers.load(offsetOf(i, o));
    };
    auto segmentAt = [&](Value *step) -> Value * {
      if (!isReversed)
        return step;
      return e.b.CreateSub(e.b.CreateSub(window.segments, e.i32(1)), step);
    };
    int64_t begin = window.isFirst ? 1 : 0;
    Values running =
        window.isFirst ? total(segmentAt(e.i32(0))) : carries.load(o);
    running = e.emitLoop(e.i32(begin), window.segments, e.i32(1), running,
                         [&](Value *step, const Registers &before) {
                           Value *segment = segmentAt(step);
                           prefixes.store(before, offsetOf(segment, o));
                           return combine(before, total(segment));
                         });
    if (windows() > 1)
      carries.store(running, o);
  });
}

Scan::Values Scan::readElement(Value *i, Value *o, const Window &window) {
  if (!llvm::isPowerOf2_64(extent)) {
    Value *last = e.b.CreateSub(window.count, e.i32(1));
    i = e.b.CreateSelect(e.b.CreateICmpSLT(i, last), i, last);
  }
  Values own = buffers.load(offsetOf(i, o));
  if (!plan.hasPrefixes())
    return own;
  Value *segment = e.b.CreateLShr(i, segmentLengthBits());
  Value *hasPrefix = nullptr;
  if (window.isFirst) {
    Value *first =
        isReversed ? e.b.CreateSub(window.segments, e.i32(1)) : e.i32(0);
    hasPrefix = e.b.CreateICmpNE(segment, first);
  }
  return e.emitIf(hasPrefix, own, [&]() -> Registers {
    return combine(prefixes.load(offsetOf(segment, o)), own);
  });
}

void Scan::read(const RoundFilter &otherFilter, const RoundFilter &axisFilter,
                const Window &window) {
  for (unsigned r = 0; r < layout.registers; ++r) {
    if (otherFilter.isElsewhere(others, r) ||
        axisFilter.isElsewhere(axisIndex, r))
      continue;
    Value *isHere = emitAnd(e, otherFilter.isHere(others, r),
                            axisFilter.isHere(axisIndex, r));
    Values values = readElement(axisFilter.inside(axisIndex.at(r)),
                                otherFilter.inside(others.at(r)), window);
    if (isHere && !results[r].empty())
      for (auto [value, earlier] : llvm::zip_equal(values, results[r]))
        value = e.b.CreateSelect(isHere, value, earlier);
    results[r] = values;
  }
}

void Scan::scanWindow(const Window &window) {
  e.barrier();
  scanSegments(window);
  e.barrier();
  if (!plan.hasPrefixes())
    return;
  scanTotals(window);
  e.barrier();
}

void Scan::emitWindow(unsigned otherRound, unsigned number, bool isFirst) {
  RoundFilter otherFilter(e, plan.otherRounds, otherRound);
  RoundFilter axisFilter(e, plan.axisWindows, number);
  Window current = window(e.i32(number), isFirst);
  write(otherFilter, axisFilter);
  scanWindow(current);
  read(otherFilter, axisFilter, current);
}

void Scan::emitInRegisters() {
  unsigned used = usedWindows();
  for (unsigned round = 0; round < plan.otherRounds.rounds; ++round)
    for (unsigned step = 0; step < used; ++step) {
      if (round || step)
        e.barrier();
      emitWindow(round, isReversed ? used - 1 - step : step, step == 0);
    }
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    Registers registers;
    for (const Values &values : results)
      registers.push_back(values.empty() ? e.zero(elements[k]) : values[k]);
    e.set(result, registers);
  }
}

//===----------------------------------------------------------------------===//
// Large tensors
//===----------------------------------------------------------------------===//

void Scan::emitLoopedWindow(Value *otherRound, Value *number, bool isFirst) {
  // The element's number is i * others + o, of which rounds and windows tell
  // some bits.
  std::vector<unsigned> axisBits(plan.axisBits);
  std::iota(axisBits.begin(), axisBits.end(), 0u);
  LinearLayout numbers = axisFirstNumbers(layout.map, op.getAxis(), axisBits);
  uint64_t filter = roundMask(plan.axisWindows) << plan.otherBits |
                    roundMask(plan.otherRounds);
  Value *wanted =
      e.b.CreateOr(e.b.CreateShl(number, windowBits() + plan.otherBits),
                   e.b.CreateShl(otherRound, otherBits()));
  auto axisPart = [&](Value *at) {
    return e.b.CreateAnd(e.b.CreateLShr(at, plan.otherBits),
                         e.i32(insideMask(plan.axisWindows)));
  };
  auto otherPart = [&](Value *at) {
    return e.b.CreateAnd(at, e.i32(insideMask(plan.otherRounds)));
  };
  e.emitIf(e.isOwner(layout), [&] {
    RegisterWalk(e, numbers, filter, numbers.freeBits(registerDim))
        .forEach(wanted, [&](Value *index, Value *at) {
          Values values;
          for (mlir::Value operand : op.getOperands())
            values.push_back(e.loadPrivate(operand, index));
          buffers.store(values, offsetOf(axisPart(at), otherPart(at)));
        });
  });
  Window current = window(number, isFirst);
  scanWindow(current);
  RegisterWalk(e, numbers, filter)
      .forEach(wanted, [&](Value *index, Value *at) {
        Values values = readElement(axisPart(at), otherPart(at), current);
        for (auto [result, value] : llvm::zip_equal(op.getResults(), values))
          e.storePrivate(result, index, value);
      });
}

void Scan::emitInLoops() {
  for (mlir::Value operand : op.getOperands())
    e.copyToPrivate(operand);
  if (usedWindows() < windows())
    for (mlir::Value result : op.getResults())
      clearPrivate(e, result);
  Value *last = e.i32(usedWindows() - 1);
  forEachRound(e, plan.otherRounds.rounds, [&](Value *round) {
    emitLoopedWindow(round, isReversed ? last : e.i32(0), /*isFirst=*/true);
    if (usedWindows() == 1)
      return;
    e.emitLoop(e.i32(1), e.i32(usedWindows()), e.i32(1), {},
               [&](Value *step, const Registers &) -> Registers {
                 e.barrier();
                 emitLoopedWindow(round,
                                  isReversed ? e.b.CreateSub(last, step) : step,
                                  /*isFirst=*/false);
                 return {};
               });
  });
  for (mlir::Value result : op.getResults())
    e.setPrivate(result);
}

void Scan::emit() {
  isMovedInLoops(layout.map, e.target.chunks) ? emitInLoops()
                                              : emitInRegisters();
}

void tilewright::simt::emitScan(Emitter &e, kernel::ScanOp op) {
  Scan(e, op).emit();
}
