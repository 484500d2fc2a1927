//===- Plan.cpp - Which values live in memory -------------------*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One forward sweep for costs and one backward sweep for readers: a value's
// readers are decided before the value is.
//===----------------------------------------------------------------------===//
#include "backends/cpu/loops/plan/Plan.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::cpu {

/// Above these costs a value is stored rather than computed again: by a second
/// nest, for every outer index, or by every iteration of a loop around.
static constexpr unsigned kSecondNestCost = 6;
static constexpr unsigned kReplicationCost = 3;
static constexpr unsigned kCaptureCost = 4;
static constexpr unsigned kCostLimit = 1000;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

bool isUnitReshape(Operation *op) {
  auto keepsOrder = [](RankedTensorType a, RankedTensorType b) {
    auto significant = [](RankedTensorType type) {
      return llvm::to_vector(llvm::make_filter_range(
          type.getShape(), [](int64_t extent) { return extent != 1; }));
    };
    return significant(a) == significant(b);
  };
  return keepsOrder(cast<RankedTensorType>(op->getOperand(0).getType()),
                    cast<RankedTensorType>(op->getResult(0).getType()));
}

bool isInlineable(Operation *op) {
  if (isa<arith::ConstantOp, tensor::SplatOp, tensor::EmptyOp, linalg::FillOp,
          linalg::BroadcastOp, linalg::TransposeOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::ExtractSliceOp, kernel::RangeOp,
          kernel::LoadOp, kernel::GatherOp, kernel::SplitOp,
          kernel::GatherInTileOp, kernel::FactOp, kernel::AddPtrOp,
          kernel::IntToPtrOp, kernel::PtrToIntOp, kernel::PtrCastOp>(op))
    return true;
  if (auto call = dyn_cast<kernel::ExternCallOp>(op))
    return call.getPure();
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op);
}

/// Instructions per element, roughly; operands not included.
static unsigned ownCost(Operation *op) {
  if (isa<arith::ConstantOp, tensor::SplatOp, tensor::EmptyOp, linalg::FillOp,
          linalg::BroadcastOp, linalg::TransposeOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::ExtractSliceOp, kernel::RangeOp,
          kernel::FactOp, kernel::SplitOp>(op))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp,
          math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp,
          math::CtPopOp, kernel::PtrCastOp>(op))
    return 1;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return 4;
  if (isa<kernel::LoadOp>(op))
    return 3;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          kernel::GatherOp, kernel::GatherInTileOp>(op))
    return 8;
  return isa<math::MathDialect>(op->getDialect()) ||
                 isa<kernel::ExternCallOp>(op)
             ? 12
             : 1;
}

void Plan::estimateCosts(Block &block) {
  for (Operation &op : block) {
    if (!isInlineable(&op))
      continue;
    unsigned cost = ownCost(&op);
    bool hasLoad = isa<kernel::LoadOp, kernel::GatherOp>(op);
    for (Value operand : op.getOperands()) {
      if (!isTensor(operand))
        continue;
      const ValueInfo &info = values[operand];
      bool isLeaf = !operand.getDefiningOp() || info.isStored ||
                    !isInlineable(operand.getDefiningOp()) ||
                    (info.cost > kSecondNestCost && !operand.hasOneUse());
      cost += isLeaf ? 1 : info.cost;
      hasLoad |= info.hasLoad;
    }
    for (Value result : op.getResults()) {
      values[result].cost = std::min(cost, kCostLimit);
      values[result].hasLoad = hasLoad;
    }
  }
}

/// Dead: nothing live uses it and it does nothing else.
bool Plan::findDead(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || !wouldOpBeTriviallyDead(&op))
    return false;
  auto load = dyn_cast<kernel::LoadOp>(op);
  if (load && load.getIsVolatile())
    return false;
  for (Operation *user : op.getUsers()) {
    Operation *ancestor = op.getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || !dead.contains(ancestor))
      return false;
  }
  return true;
}

void Plan::addRead(Value value, Operation *root, unsigned first, unsigned last,
                   Block *block) {
  if (!isTensor(value) || value.getParentBlock() != block)
    return;
  ValueInfo &info = values[value];
  info.hasManyRoots |= info.root && info.root != root;
  info.root = root;
  info.isRead = true;
  info.firstRead = std::min(info.firstRead, first);
  info.lastRead = std::max(info.lastRead, last);
}

void Plan::decideLoad(Value value, Operation &op) {
  ValueInfo &info = values[value];
  auto load = dyn_cast<kernel::LoadOp>(op);
  bool isVolatile =
      load ? load.getIsVolatile() : cast<kernel::GatherOp>(op).getIsVolatile();
  info.isEager = isVolatile || isOverwritten(op, info);
  info.isStored = info.isEager || info.isForced || info.isCaptured ||
                  (info.hasManyRoots && info.cost > kSecondNestCost) ||
                  (info.isReplicated && info.cost > kReplicationCost);
}

void Plan::decide(Value value, Operation &op) {
  ValueInfo &info = values[value];
  if (!isInlineable(&op)) {
    info.isStored = info.isEager = true;
    return;
  }
  if (isa<kernel::LoadOp, kernel::GatherOp>(op))
    return decideLoad(value, op);
  bool isCheap = info.cost == 0 && !info.hasLoad;
  info.isStored =
      info.isForced ||
      (!isCheap &&
       ((info.isCaptured && (info.hasLoad || info.cost > kCaptureCost)) ||
        (info.hasManyRoots && info.cost > kSecondNestCost) ||
        (info.isReplicated && info.cost > kReplicationCost)));
}

/// Whether `op` reads its operand again for every index of an outer dimension.
static bool replicates(Operation &op) {
  auto broadcast = dyn_cast<linalg::BroadcastOp>(op);
  if (!broadcast)
    return false;
  int64_t rank = broadcast.getInit().getType().getRank();
  for (int64_t dim : broadcast.getDimensions()) {
    int64_t extent = broadcast.getInit().getType().getDimSize(dim);
    bool hasInner = false;
    for (int64_t inner = dim + 1; inner < rank; ++inner)
      hasInner |= !llvm::is_contained(broadcast.getDimensions(), inner);
    if (hasInner && extent > 1)
      return true;
  }
  return false;
}

/// The operand that `op` reads at indices of its own, from memory; or null.
static Value addressedOperand(Operation &op) {
  if (isa<tensor::CollapseShapeOp>(op) && !isUnitReshape(&op))
    return op.getOperand(0);
  if (auto gather = dyn_cast<kernel::GatherInTileOp>(op))
    return gather.getSource();
  return {};
}

/// Passes what is known of the readers of the results on to the operands.
void Plan::propagate(Operation &op) {
  Block *block = op.getBlock();
  unsigned position = positions.lookup(&op);
  if (op.getNumRegions() && !isa<linalg::LinalgOp>(op)) {
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        addRead(operand, &op, position, position, block);
        if (inner != &op && isTensor(operand) &&
            operand.getParentBlock() == block)
          values[operand].isCaptured = true;
      }
      // Nested blocks are planned later, when this block is decided.
      if (Value addressed = addressedOperand(*inner))
        values[addressed].isForced = true;
    });
    return;
  }
  bool isRoot = !isInlineable(&op) || op.getNumResults() == 0 ||
                !isTensor(op.getResult(0));
  for (Value operand : op.getOperands()) {
    if (!isTensor(operand) || operand.getParentBlock() != block)
      continue;
    if (isRoot) {
      addRead(operand, &op, position, position, block);
      values[operand].onlyElementwise &= isa<kernel::StoreOp>(op);
      continue;
    }
    for (Value result : op.getResults()) {
      ValueInfo reader = values[result];
      if (!reader.isRead)
        continue;
      if (reader.isStored) {
        // A value that waits is computed for its own first reader, at latest.
        unsigned when = reader.isEager ? position : reader.firstRead;
        addRead(operand, &op, when, when, block);
        values[operand].onlyElementwise = false;
        continue;
      }
      addRead(operand, reader.root, reader.firstRead, reader.lastRead, block);
      ValueInfo &info = values[operand];
      info.hasManyRoots |= reader.hasManyRoots;
      info.isCaptured |= reader.isCaptured;
      info.isReplicated |= reader.isReplicated || replicates(op);
      info.onlyElementwise &=
          reader.onlyElementwise && op.hasTrait<OpTrait::Elementwise>();
    }
  }
  if (Value addressed = addressedOperand(op))
    values[addressed].isForced = true;
}

void Plan::planBlock(Block &block) {
  unsigned position = 0;
  for (Operation &op : block)
    positions[&op] = position++;
  estimateCosts(block);
  for (Operation &op : llvm::reverse(block)) {
    if (findDead(op)) {
      dead.insert(&op);
      continue;
    }
    for (Value result : op.getResults())
      if (isTensor(result))
        decide(result, op);
    propagate(op);
  }
}

} // namespace tilewright::cpu
