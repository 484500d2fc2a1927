//===- LayoutFlow.cpp - Layouts that spread from anchors ------------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A work list: the first layout that reaches a value stays; where another one
// is wanted, a conversion will stand.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/LayoutFlow.h"

#include "backends/simt/layout/TensorLayouts.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

bool simt::isElementwise(Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() == 0)
    return false;
  RankedTensorType type = tensorOf(op->getResult(0));
  auto isAlike = [&](Value value) {
    RankedTensorType other = tensorOf(value);
    return !other || (type && other.getShape() == type.getShape());
  };
  return type && llvm::all_of(op->getOperands(), isAlike) &&
         llvm::all_of(op->getResults(), isAlike);
}

LayoutAttr simt::withoutDimensions(LayoutAttr layout,
                                   ArrayRef<int64_t> dropped) {
  LinearLayout map = layout.getLayout();
  for (int64_t dim : llvm::reverse(dropped))
    map = sliceLayout(map, dim);
  return LayoutAttr::get(layout.getContext(), map);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Whether elementwise operations lead from a value to the left operand of a
/// product.
static bool reachesLeftOperand(Value value) {
  llvm::SetVector<Value> work;
  work.insert(value);
  for (size_t i = 0; i < work.size(); ++i)
    for (OpOperand &use : work[i].getUses()) {
      auto dot = dyn_cast<DotOp>(use.getOwner());
      if (dot && dot.getAtom() && use.get() == dot.getLhs())
        return true;
      if (isElementwise(use.getOwner()))
        work.insert_range(use.getOwner()->getResults());
    }
  return false;
}

/// Whether elementwise operations lead from a product to a value.
static bool comesFromDot(Value value) {
  llvm::SetVector<Value> work;
  work.insert(value);
  for (size_t i = 0; i < work.size(); ++i) {
    Operation *op = work[i].getDefiningOp();
    if (!op)
      continue;
    if (auto dot = dyn_cast<DotOp>(op))
      if (dot.getAtom())
        return true;
    if (isElementwise(op))
      work.insert_range(op->getOperands());
  }
  return false;
}

bool simt::isChained(DotOp op) {
  return reachesLeftOperand(op.getResult()) || comesFromDot(op.getLhs());
}

//===----------------------------------------------------------------------===//
// The flow
//===----------------------------------------------------------------------===//

namespace {

class Flow {
public:
  llvm::DenseMap<Value, LayoutAttr> run(const DotAnchors &anchors);

private:
  void mark(Value value, LayoutAttr layout);
  void want(Value value, LayoutAttr layout);
  void spread(Value value, LayoutAttr layout);
  void spreadToUse(OpOperand &use, LayoutAttr layout);
  void spreadToSource(Value value, LayoutAttr layout);
  void tie(Value value, LayoutAttr layout);

  llvm::DenseMap<Value, LayoutAttr> layouts;
  SmallVector<Value> work;
};

} // namespace

/// Values that only loops by condition pass on keep their shape's layout.
static bool isPassedByWhile(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value))
    op = argument.getOwner()->getParentOp();
  return isa<scf::WhileOp>(op);
}

void Flow::mark(Value value, LayoutAttr layout) {
  if (!tensorOf(value) || isPassedByWhile(value))
    return;
  if (layouts.try_emplace(value, layout).second)
    work.push_back(value);
}

/// Whether memory is accessed with the value directly: it had better stay in
/// the layout of its shape.
static bool isUsedByMemory(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<kernel::LoadOp, kernel::StoreOp, kernel::GatherOp,
               kernel::ScatterOp, kernel::AtomicRMWOp, kernel::AtomicCASOp>(
        user);
  });
}

/// Marks what can be computed in any layout.
void Flow::want(Value value, LayoutAttr layout) {
  if (!tensorOf(value) || isUsedByMemory(value))
    return;
  Operation *op = value.getDefiningOp();
  if (isa<BlockArgument>(value) ||
      isa<arith::ConstantOp, tensor::SplatOp, kernel::RangeOp, BroadcastOp,
          scf::ForOp, scf::IfOp>(op) ||
      isElementwise(op))
    mark(value, layout);
}

void Flow::spreadToUse(OpOperand &use, LayoutAttr layout) {
  Operation *op = use.getOwner();
  if (isElementwise(op)) {
    for (Value result : op->getResults())
      mark(result, layout);
    return;
  }
  if (auto reduce = dyn_cast<kernel::ReduceOp>(op)) {
    for (Value result : reduce->getResults())
      mark(result, withoutDimensions(layout, reduce.getAxis()));
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return mark(loop.getTiedLoopRegionIterArg(&use), layout);
  if (!isa<scf::YieldOp>(op))
    return;
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    mark(loop.getRegionIterArg(number), layout);
  if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
    mark(branch.getResult(number), layout);
}

/// What a loop or a branch passes on under several names.
void Flow::tie(Value value, LayoutAttr layout) {
  if (auto result = dyn_cast<OpResult>(value)) {
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      mark(loop.getRegionIterArg(number), layout);
    if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
      for (Block *block : {branch.thenBlock(), branch.elseBlock()})
        want(block->getTerminator()->getOperand(number), layout);
    return;
  }
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return;
  mark(loop.getTiedLoopResult(argument), layout);
  want(loop.getTiedLoopInit(argument)->get(), layout);
  want(loop.getTiedLoopYieldedValue(argument)->get(), layout);
}

void Flow::spreadToSource(Value value, LayoutAttr layout) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isElementwise(op))
    for (Value operand : op->getOperands())
      want(operand, layout);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    want(broadcast.getSource(),
         withoutDimensions(layout, broadcast.getDimensions()));
}

void Flow::spread(Value value, LayoutAttr layout) {
  tie(value, layout);
  spreadToSource(value, layout);
  for (OpOperand &use : value.getUses())
    spreadToUse(use, layout);
}

llvm::DenseMap<Value, LayoutAttr> Flow::run(const DotAnchors &anchors) {
  for (auto &[op, dot] : anchors) {
    mark(cast<DotOp>(op).getResult(), dot.result);
    want(cast<DotOp>(op).getAccumulator(), dot.result);
  }
  for (size_t i = 0; i < work.size(); ++i)
    spread(work[i], layouts.lookup(work[i]));
  return std::move(layouts);
}

llvm::DenseMap<Value, LayoutAttr> simt::flowLayouts(const DotAnchors &anchors) {
  return Flow().run(anchors);
}
