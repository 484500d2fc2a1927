//===- InsertBarriers.cpp - Order accesses of different threads -----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the kernel with the accesses since the last barrier and puts a barrier
// before an operation that conflicts with one of them. Loops are walked until
// what their end hands to their beginning does not grow.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/Races.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTINSERTBARRIERSPASS
#include "backends/simt/transforms/Passes.h.inc"

namespace {

/// An access that no barrier has ordered yet.
struct Pending {
  const Access *access;
  Passage passage; ///< since the access
  /// Of an asynchronous copy: groups closed since, its own being the first. A
  /// barrier orders it once a wait has set `isLanded`.
  unsigned groups = 0;
  bool isLanded = true;

  bool operator==(const Pending &other) const {
    return access == other.access && passage == other.passage &&
           groups == other.groups && isLanded == other.isLanded;
  }
};
using PendingList = SmallVector<Pending>;

/// Places the barriers of one kernel.
class Placement {
public:
  explicit Placement(func::FuncOp kernel) : kernel(kernel), model(kernel) {}
  void run();
  /// What was inserted, in the order of the code.
  ArrayRef<BarrierOp> barriers() const { return inserted; }

private:
  void walk(Block &block, PendingList &pending);
  void walkOperation(Operation *op, PendingList &pending);
  void walkFor(scf::ForOp op, PendingList &pending);
  void walkIf(scf::IfOp op, PendingList &pending);
  void walkWhile(scf::WhileOp op, PendingList &pending);
  void walkSteps(Operation *op, PendingList &pending);
  ArrayRef<Step> stepsOf(Operation *op);

  func::FuncOp kernel;
  AccessModel model;
  DenseMap<Operation *, std::unique_ptr<SmallVector<Step>>> steps;
  SmallVector<BarrierOp> inserted;
};

} // namespace

/// Adds what is not there yet; true if anything was added.
static bool join(PendingList &into, const PendingList &from) {
  bool grew = false;
  for (const Pending &pending : from)
    if (!llvm::is_contained(into, pending)) {
      into.push_back(pending);
      grew = true;
    }
  return grew;
}

/// What a loop's end hands to its next iteration, where operands computed
/// inside have other values.
static PendingList acrossBackEdge(const PendingList &pending, Operation *loop) {
  PendingList result;
  for (Pending each : pending) {
    each.passage = each.passage.behind(*each.access, loop);
    if (!llvm::is_contained(result, each))
      result.push_back(each);
  }
  return result;
}

/// What a barrier leaves: a shared one does not order global memory.
static void order(PendingList &pending, bool isGlobal) {
  llvm::erase_if(pending, [&](const Pending &each) {
    return each.isLanded &&
           (isGlobal || each.access->space == MemorySpace::Shared);
  });
}

/// Notes that a group of copies is closed, or that all but some are over.
static void advanceCopies(PendingList &pending, const Step &step) {
  constexpr unsigned mostGroups = 16; // so that loops come to an end
  for (Pending &each : pending) {
    if (each.isLanded)
      continue;
    if (step.kind == Step::Commit)
      each.groups = std::min(each.groups + 1, mostGroups);
    else
      each.isLanded = each.groups > step.pendingGroups;
  }
}

ArrayRef<Step> Placement::stepsOf(Operation *op) {
  auto &slot = steps[op];
  if (!slot)
    slot = std::make_unique<SmallVector<Step>>(model.steps(op));
  return *slot;
}

void Placement::walk(Block &block, PendingList &pending) {
  for (Operation &op : block)
    walkOperation(&op, pending);
}

void Placement::walkOperation(Operation *op, PendingList &pending) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp o) { walkFor(o, pending); })
      .Case([&](scf::IfOp o) { walkIf(o, pending); })
      .Case([&](scf::WhileOp o) { walkWhile(o, pending); })
      .Default([&](Operation *) { walkSteps(op, pending); });
}

void Placement::walkFor(scf::ForOp op, PendingList &pending) {
  PendingList atEnd;
  do {
    atEnd = pending;
    walk(*op.getBody(), atEnd);
  } while (join(pending, acrossBackEdge(atEnd, op)));
  join(pending, atEnd);
}

void Placement::walkIf(scf::IfOp op, PendingList &pending) {
  PendingList other = pending;
  walk(*op.thenBlock(), pending);
  if (Block *elseBlock = op.elseBlock())
    walk(*elseBlock, other);
  join(pending, other);
}

void Placement::walkWhile(scf::WhileOp op, PendingList &pending) {
  PendingList atCondition, atEnd;
  do {
    atCondition = pending;
    walk(*op.getBeforeBody(), atCondition);
    atEnd = atCondition;
    walk(*op.getAfterBody(), atEnd);
  } while (join(pending, acrossBackEdge(atEnd, op)));
  pending = atCondition;
}

void Placement::walkSteps(Operation *op, PendingList &pending) {
  ArrayRef<Step> all = stepsOf(op);
  // Barriers stand before the operation, so later steps count as its first
  // unless the operation has a barrier of its own between.
  bool needsShared = false, needsGlobal = false;
  bool isSharedOrdered = false, isGlobalOrdered = false;
  for (const Step &step : all) {
    if (step.kind == Step::Barrier) {
      isSharedOrdered = true;
      isGlobalOrdered |= step.isGlobal;
    }
    if (step.kind != Step::Touch)
      continue;
    for (const Pending &each : pending) {
      bool isShared = each.access->space == MemorySpace::Shared;
      if (isShared ? isSharedOrdered : isGlobalOrdered)
        continue;
      if (model.conflict(*each.access, step.access, each.passage))
        (isShared ? needsShared : needsGlobal) = true;
    }
  }
  if (needsShared || needsGlobal) {
    OpBuilder builder(op);
    inserted.push_back(BarrierOp::create(
        builder, op->getLoc(), needsGlobal ? builder.getUnitAttr() : nullptr));
    order(pending, needsGlobal);
  }
  for (const Step &step : all) {
    switch (step.kind) {
    case Step::Barrier:
      order(pending, step.isGlobal);
      break;
    case Step::Touch:
      join(pending, {{&step.access, {}, 0, !step.access.isAsync}});
      break;
    case Step::Commit:
    case Step::Wait:
      advanceCopies(pending, step);
      break;
    }
  }
}

void Placement::run() {
  PendingList pending;
  walk(kernel.getBody().front(), pending);
}

/// Takes out barriers that later ones made needless.
static void prune(func::FuncOp kernel, ArrayRef<BarrierOp> barriers) {
  for (BarrierOp barrier : barriers) {
    Operation *next = barrier->getNextNode();
    barrier->remove();
    if (findRace(kernel))
      next->getBlock()->getOperations().insert(next->getIterator(), barrier);
    else
      barrier->destroy();
  }
}

namespace {
struct InsertBarriersPass
    : public impl::SimtInsertBarriersPassBase<InsertBarriersPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      Placement placement(kernel);
      placement.run();
      prune(kernel, placement.barriers());
    }
  }
};
} // namespace

} // namespace tilewright::simt
