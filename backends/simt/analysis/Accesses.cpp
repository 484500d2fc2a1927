//===- Accesses.cpp - What operations touch in memory ---------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses are traced to kernel arguments; two arguments are apart only if
// both are declared disjoint.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Accesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

AccessModel::AccessModel(func::FuncOp kernel) : kernel(kernel) {}

//===----------------------------------------------------------------------===//
// Roots of addresses
//===----------------------------------------------------------------------===//

static bool isAddress(Value value) {
  return isa<kernel::PointerType, kernel::ViewType>(
      getElementTypeOrSelf(value.getType()));
}

/// Values that a region operation passes on: what enters it and what each of
/// its regions yields.
static void addForwarded(Operation *op, SmallVector<Value> &work) {
  llvm::append_range(work, op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(work, block.getTerminator()->getOperands());
}

/// The kernel arguments that an address may come from; true if it may come
/// from elsewhere as well.
static bool collectRoots(func::FuncOp kernel, Value address,
                         SmallVector<Value, 2> &roots) {
  SmallVector<Value> work = {address};
  llvm::SetVector<Value> seen;
  bool isAnywhere = false;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!isAddress(value) || !seen.insert(value))
      continue;
    Operation *op = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      op = argument.getOwner()->getParentOp();
      if (op == kernel) {
        roots.push_back(value);
        continue;
      }
    }
    bool isMade = isa<kernel::IntToPtrOp, kernel::LoadOp, kernel::GatherOp,
                      kernel::AtomicRMWOp, kernel::AtomicCASOp,
                      kernel::InlineAsmOp, kernel::ExternCallOp>(op);
    isAnywhere |= isMade;
    if (!isMade)
      addForwarded(op, work);
  }
  return isAnywhere || roots.empty();
}

bool AccessModel::mayAlias(const Access &first, const Access &second) const {
  if (first.isAnywhere || second.isAnywhere)
    return true;
  func::FuncOp function = kernel;
  auto isDisjoint = [&](Value root) {
    auto number = cast<BlockArgument>(root).getArgNumber();
    return function.getArgAttr(number, "tw.disjoint") != nullptr;
  };
  for (Value a : first.roots)
    for (Value b : second.roots)
      if (a == b || !isDisjoint(a) || !isDisjoint(b))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Owners of elements
//===----------------------------------------------------------------------===//

/// Whether elements of the view have addresses of their own.
static bool isInjective(kernel::ViewOp view) {
  if (!view || view.getStrides().size() != 1)
    return false;
  APInt stride;
  return matchPattern(view.getStrides()[0], m_ConstantInt(&stride)) &&
         !stride.isZero();
}

/// Whether no two threads hold an element.
static bool hasOneOwner(Type shaped) {
  LayoutAttr layout = layoutOf(shaped);
  if (!layout)
    return false;
  LinearLayout map = layout.getLayout();
  return map.freeBits(laneDim) == 0 && map.freeBits(warpDim) == 0;
}

bool simt::isInvariant(const Access &access, Operation *loop) {
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  };
  return access.view && isOutside(access.view) &&
         llvm::all_of(access.offsets, isOutside);
}

//===----------------------------------------------------------------------===//
// Buffers in turn
//===----------------------------------------------------------------------===//

Passage Passage::behind(const Access &first, Operation *backEdge) const {
  Passage next = *this;
  next.isSameValue &= isInvariant(first, backEdge);
  if (first.slotCount == 1)
    return next;
  Operation *counted = first.slotLoop ? first.slotLoop : loop;
  next.loop = backEdge;
  next.isTurnsKnown &= !counted || counted == backEdge;
  next.turns = next.isTurnsKnown ? (turns + 1) % first.slotCount : 0;
  return next;
}

/// Whether both use one of the same buffers, and never the same one.
static bool areApart(const Access &first, const Access &second,
                     const Passage &passage) {
  if (!first.buffers || first.buffers != second.buffers ||
      !passage.isTurnsKnown)
    return false;
  if (!first.slotLoop && !second.slotLoop)
    return first.firstSlot != second.firstSlot;
  // Both slots begin at the loop's first turn, whichever turn the first access
  // is in; a constant one is counted from where the path enters the loop.
  bool isCounted = !passage.loop || passage.loop == second.slotLoop;
  if (!second.slotLoop || !isCounted)
    return false;
  if (first.slotLoop ? first.slotLoop != second.slotLoop
                     : second.slotLoop->isAncestor(first.op))
    return false;
  return first.firstSlot !=
         (second.firstSlot + passage.turns) % second.slotCount;
}

bool AccessModel::conflict(const Access &first, const Access &second,
                           const Passage &passage) const {
  if (first.space != second.space || !(first.isWrite || second.isWrite))
    return false;
  if (first.space == MemorySpace::Shared)
    return first.begin < second.end && second.begin < first.end &&
           !areApart(first, second, passage);
  if (!mayAlias(first, second))
    return false;
  bool isSameOwner = passage.isSameValue && first.view &&
                     first.view == second.view &&
                     first.offsets == second.offsets &&
                     layoutOf(first.shaped) == layoutOf(second.shaped);
  return !isSameOwner;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void addTouch(SmallVector<Step> &steps, Access access) {
  Step step;
  step.access = std::move(access);
  steps.push_back(std::move(step));
}

static void addBarrier(SmallVector<Step> &steps, bool isGlobal) {
  Step step;
  step.kind = Step::Barrier;
  step.isGlobal = isGlobal;
  steps.push_back(std::move(step));
}

/// Bytes of one buffer of a memory descriptor.
static uint64_t bufferBytes(MemDescType type) {
  uint64_t elements = uint64_t(1) << type.getLayout().getLayout().inputBits();
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return elements * std::max(bits / 8, 1u);
}

/// Notes the slot that a loop carries from a constant on and rotates.
static void readRotation(Value buffer, unsigned count, Access &access) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return;
  APInt first;
  auto next =
      loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<RotateOp>();
  if (!next || next.getSlot() != buffer || next.getCount() != count ||
      !matchPattern(loop.getTiedLoopInit(argument)->get(),
                    m_ConstantInt(&first)) ||
      first.uge(count))
    return;
  access.slotLoop = loop;
  access.firstSlot = first.getZExtValue();
}

/// The buffers of an allocation, or the one that a constant picks.
void AccessModel::addShared(SmallVector<Step> &steps, Operation *op,
                            Value memory, Value buffer, bool isWrite,
                            bool isAsync) const {
  auto type = cast<MemDescType>(memory.getType());
  Access access;
  access.op = op;
  access.isWrite = isWrite;
  access.isAsync = isAsync;
  auto alloc = memory.getDefiningOp<AllocOp>();
  uint64_t bytes = bufferBytes(type);
  access.begin = alloc && alloc.getOffset() ? *alloc.getOffset() : 0;
  access.end = alloc ? access.begin + bytes * type.getBuffers() : UINT64_MAX;
  access.slotCount = type.getBuffers();
  APInt slot;
  if (alloc && (!buffer || matchPattern(buffer, m_ConstantInt(&slot)))) {
    access.firstSlot = buffer ? slot.getZExtValue() : 0;
    access.begin += access.firstSlot * bytes;
    access.end = access.begin + bytes;
    access.buffers = memory;
  } else if (alloc) {
    readRotation(buffer, type.getBuffers(), access);
    if (access.slotLoop)
      access.buffers = memory;
  }
  addTouch(steps, access);
}

void AccessModel::addGlobal(SmallVector<Step> &steps, Operation *op,
                            Value address, bool isWrite) const {
  Access access;
  access.op = op;
  access.space = MemorySpace::Global;
  access.isWrite = isWrite;
  access.isAnywhere = !address || collectRoots(kernel, address, access.roots);
  addTouch(steps, access);
}

template <typename Op>
void AccessModel::addBox(SmallVector<Step> &steps, Op op, Type shaped,
                         bool isWrite) const {
  addGlobal(steps, op, op.getView(), isWrite);
  Access &access = steps.back().access;
  access.shaped = shaped;
  bool isWrapped = llvm::is_contained(op.getBoundary(), 2);
  if (op.getIndex() || isWrapped || !hasOneOwner(shaped) ||
      !isInjective(op.getView().template getDefiningOp<kernel::ViewOp>()))
    return;
  access.view = op.getView();
  llvm::append_range(access.offsets, op.getOffsets());
}

/// A release waits for all accesses of the program before it, an acquire holds
/// back all after it; the emitter puts these barriers itself.
void AccessModel::addAtomic(SmallVector<Step> &steps, Operation *op, Value base,
                            kernel::MemorySemantics semantics) const {
  using kernel::MemorySemantics;
  bool isBoth = semantics == MemorySemantics::AcquireRelease;
  if (isBoth || semantics == MemorySemantics::Release)
    addBarrier(steps, true);
  addGlobal(steps, op, base, true);
  if (isBoth || semantics == MemorySemantics::Acquire)
    addBarrier(steps, true);
}

/// Scratch memory is written first and read last, with barriers between.
static void addScratch(SmallVector<Step> &steps, Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(kScratchAttr);
  auto bytes = op->getAttrOfType<IntegerAttr>(kScratchBytesAttr);
  if (!offset || !bytes)
    return;
  Access access;
  access.op = op;
  access.begin = offset.getInt();
  access.end = access.begin + bytes.getInt();
  access.isWrite = true;
  addTouch(steps, access);
  addBarrier(steps, false);
  access.isWrite = false;
  addTouch(steps, access);
}

SmallVector<Step> AccessModel::steps(Operation *op) const {
  SmallVector<Step> steps;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kernel::LoadOp o) {
        addBox(steps, o, o.getResult().getType(), o.getIsVolatile());
      })
      .Case([&](kernel::StoreOp o) {
        addBox(steps, o, o.getValue().getType(), true);
      })
      .Case([&](kernel::GatherOp o) {
        addGlobal(steps, o, o.getBase(), o.getIsVolatile());
      })
      .Case(
          [&](kernel::ScatterOp o) { addGlobal(steps, o, o.getBase(), true); })
      .Case([&](kernel::AtomicRMWOp o) {
        addAtomic(steps, o, o.getBase(), o.getSemantics());
      })
      .Case([&](kernel::AtomicCASOp o) {
        addAtomic(steps, o, o.getBase(), o.getSemantics());
      })
      .Case([&](kernel::InlineAsmOp o) {
        if (!o.getPure())
          addGlobal(steps, o, nullptr, true);
      })
      .Case([&](kernel::ExternCallOp o) {
        if (!o.getPure())
          addGlobal(steps, o, nullptr, true);
      })
      .Case([&](kernel::BarrierOp) { addBarrier(steps, true); })
      .Case([&](BarrierOp o) { addBarrier(steps, o.getGlobal()); })
      .Case([&](LocalLoadOp o) {
        addShared(steps, o, o.getMemory(), o.getBuffer(), false);
      })
      .Case([&](LocalStoreOp o) {
        addShared(steps, o, o.getMemory(), o.getBuffer(), true);
      })
      .Case([&](AsyncCopyOp o) {
        addGlobal(steps, o, o.getView(), false);
        addShared(steps, o, o.getMemory(), o.getBuffer(), true, true);
      })
      .Case([&](AsyncCommitOp) {
        Step step;
        step.kind = Step::Commit;
        steps.push_back(step);
      })
      .Case([&](AsyncWaitOp o) {
        Step step;
        step.kind = Step::Wait;
        step.pendingGroups = o.getPending();
        steps.push_back(step);
      });
  addScratch(steps, op);
  return steps;
}
