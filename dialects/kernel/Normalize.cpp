//===- Normalize.cpp - What no form of Kernel IR carries ---*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers all operations, then shuffles the lists that are out of order.
//===----------------------------------------------------------------------===//

#include "dialects/kernel/Normalize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

/// Sorts the uses of one value by the numbers of their operations.
static void sortUses(Value value,
                     const DenseMap<Operation *, unsigned> &numbers) {
  if (value.use_empty() || value.hasOneUse())
    return;
  SmallVector<std::pair<unsigned, unsigned>> keys;
  for (OpOperand &use : value.getUses())
    keys.emplace_back(numbers.lookup(use.getOwner()), use.getOperandNumber());
  if (llvm::is_sorted(keys, std::greater<>()))
    return;
  SmallVector<unsigned> order(
      llvm::to_vector(llvm::seq<unsigned>(0, keys.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) { return keys[a] > keys[b]; });
  // Use number i moves to position indices[i].
  SmallVector<unsigned> indices(keys.size());
  for (auto [position, use] : llvm::enumerate(order))
    indices[use] = position;
  value.shuffleUseList(indices);
}

/// The body of linalg.reduce is the user's; others follow from the name.
static void placeImpliedRegion(linalg::LinalgOp op) {
  if (isa<linalg::ReduceOp>(op))
    return;
  Location place = op->getLoc();
  for (BlockArgument argument : op.getBlock()->getArguments())
    argument.setLoc(place);
  for (Operation &inner : *op.getBlock())
    inner.setLoc(place);
}

void tilewright::kernel::normalizeModule(ModuleOp module) {
  DenseMap<Operation *, unsigned> numbers;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    numbers.try_emplace(op, numbers.size());
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      placeImpliedRegion(structured);
  });
  module->walk([&](Operation *op) {
    for (Value result : op->getResults())
      sortUses(result, numbers);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          sortUses(argument, numbers);
  });
}
