//===- RegisterPressure.cpp - Registers that a kernel will need -----------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sweep over the operations in program order.
//===----------------------------------------------------------------------===//
#include "backends/simt/report/RegisterPressure.h"

#include "backends/simt/analysis/Scratch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilewright::simt;

/// Registers of 32 bits that a value takes; narrower elements take one each.
/// Scalars and what repeats other registers take none worth counting. Of large
/// tensors a chunk is in registers, but for those that loops carry.
static unsigned registersOf(Value value, const ChunkSizes &sizes) {
  LayoutAttr layout = layoutOf(value.getType());
  if (!layout ||
      isa_and_nonnull<arith::ConstantOp, tensor::SplatOp, BroadcastOp,
                      TransposeOp>(value.getDefiningOp()))
    return 0;
  unsigned bits = layout.getLayout().inputBits(registerDim);
  auto argument = dyn_cast<BlockArgument>(value);
  bool isCarried =
      argument && isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (bits > sizes.fewestBits && !isCarried)
    bits = sizes.chunkBits;
  unsigned bytes = memoryBytes(getElementTypeOrSelf(value.getType()));
  return (1u << bits) * std::max(bytes / 4, 1u);
}

/// The outermost operation around `op` that may run it again after it has run,
/// inside of the region that the value belongs to; or `op`.
static Operation *lastRun(Operation *op, Region *scope) {
  Operation *found = op;
  for (Operation *at = op; at && at->getParentRegion() != scope;
       at = at->getParentOp())
    if (at->getParentOp() && isa<LoopLikeOpInterface>(at->getParentOp()))
      found = at->getParentOp();
  return found;
}

RegisterEstimate tilewright::simt::estimateRegisters(func::FuncOp kernel,
                                                     const ChunkSizes &sizes) {
  DenseMap<Operation *, unsigned> begins, ends;
  std::vector<Operation *> operations;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    begins[op] = operations.size();
    operations.push_back(op);
  });
  kernel.walk<WalkOrder::PostOrder>([&](Operation *op) {
    unsigned end = begins[op];
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          end = std::max(end, ends[&block.back()]);
    ends[op] = end;
  });
  std::vector<int64_t> change(operations.size() + 1, 0);
  auto add = [&](Value value, unsigned begin) {
    unsigned registers = registersOf(value, sizes);
    unsigned end = begin;
    for (Operation *user : value.getUsers())
      end = std::max(end, ends[lastRun(user, value.getParentRegion())]);
    change[begin] += registers;
    change[end + 1] -= registers;
  };
  for (Operation *op : operations) {
    for (Value result : op->getResults())
      add(result, begins[op]);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          add(argument, begins[op]);
  }
  RegisterEstimate peak;
  int64_t live = 0;
  for (auto [position, op] : llvm::enumerate(operations)) {
    live += change[position];
    if (live > int64_t(peak.registers))
      peak = {unsigned(live), op};
  }
  return peak;
}
