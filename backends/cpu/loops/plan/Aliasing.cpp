//===- Aliasing.cpp - Which accesses may meet -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces pointers to their root argument and finds writes between a load and
// the place where its value is wanted.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/plan/Plan.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::cpu {

Value rootOfPointer(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    Value next =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case<kernel::ViewOp>([](auto o) { return o.getBase(); })
            .Case<kernel::AddPtrOp>([](auto o) { return o.getPtr(); })
            .Case<kernel::PtrCastOp, kernel::FactOp>(
                [](auto o) { return o.getSource(); })
            .Case<tensor::SplatOp>([](auto o) { return o.getInput(); })
            .Case<linalg::BroadcastOp>([](auto o) { return o.getInput(); })
            .Default([](Operation *) { return Value(); });
    if (!next)
      return {};
    pointer = next;
  }
  auto argument = cast<BlockArgument>(pointer);
  if (isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return pointer;
  return {};
}

static bool isDeclaredDisjoint(Value root) {
  auto argument = cast<BlockArgument>(root);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function.getArgAttr(argument.getArgNumber(), "tw.disjoint") != nullptr;
}

bool mayAlias(Value rootA, Value rootB) {
  if (!rootA || !rootB || rootA == rootB)
    return true;
  return !isDeclaredDisjoint(rootA) || !isDeclaredDisjoint(rootB);
}

/// Whether `op` itself may write what is read through `root`.
static bool writesRoot(Operation *op, Value root) {
  if (auto store = dyn_cast<kernel::StoreOp>(op))
    return mayAlias(root, rootOfPointer(store.getView()));
  if (auto scatter = dyn_cast<kernel::ScatterOp>(op))
    return mayAlias(root, rootOfPointer(scatter.getBase()));
  if (auto rmw = dyn_cast<kernel::AtomicRMWOp>(op))
    return rmw.getSemantics() != kernel::MemorySemantics::Relaxed ||
           mayAlias(root, rootOfPointer(rmw.getBase()));
  return isa<kernel::AtomicCASOp, kernel::BarrierOp>(op);
}

static bool writesRootInside(Operation *op, Value root) {
  return op
      ->walk([&](Operation *inner) {
        return writesRoot(inner, root) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool haveSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto viewA = a.getDefiningOp<kernel::ViewOp>();
  auto viewB = b.getDefiningOp<kernel::ViewOp>();
  return viewA && viewB && viewA->getOperands() == viewB->getOperands() &&
         viewA.getProperties().operandSegmentSizes ==
             viewB.getProperties().operandSegmentSizes;
}

/// x[i] = f(x[i]): each element is read just before it is written. Only for
/// one dimension of unit stride, where no two elements share an address.
static bool isInPlaceUpdate(Operation &op, kernel::StoreOp store) {
  auto load = dyn_cast<kernel::LoadOp>(op);
  if (!load || load.getOffsets().size() != 1 || load.getIndex() ||
      store.getIndex() || load.getOffsets() != store.getOffsets() ||
      !haveSameView(load.getView(), store.getView()))
    return false;
  auto isWrapped = [](int32_t mode) {
    return mode == int32_t(kernel::BoundaryMode::Wrap);
  };
  if (llvm::any_of(load.getBoundary(), isWrapped) ||
      llvm::any_of(store.getBoundary(), isWrapped))
    return false;
  auto view = load.getView().getDefiningOp<kernel::ViewOp>();
  return view && matchPattern(view.getStrides()[0], m_One());
}

bool Plan::isOverwritten(Operation &load, const ValueInfo &info) {
  Value root = isa<kernel::LoadOp>(load)
                   ? rootOfPointer(cast<kernel::LoadOp>(load).getView())
                   : rootOfPointer(cast<kernel::GatherOp>(load).getBase());
  for (Operation *op = load.getNextNode(); op; op = op->getNextNode()) {
    unsigned position = positions.lookup(op);
    if (position > info.lastRead)
      return false;
    if (!writesRootInside(op, root))
      continue;
    auto store = dyn_cast<kernel::StoreOp>(op);
    bool isOnlyReader = info.root == op && !info.hasManyRoots;
    if (!store || !isOnlyReader || !info.onlyElementwise ||
        !isInPlaceUpdate(load, store))
      return true;
  }
  return false;
}

} // namespace tilewright::cpu
