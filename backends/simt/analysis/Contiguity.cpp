//===- Contiguity.cpp - Tensors that count along a dimension --------------===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk back from a tensor to the range that it is made of.
//===----------------------------------------------------------------------===//
#include "backends/simt/analysis/Contiguity.h"

#include "backends/simt/analysis/Divisibility.h"
#include "backends/simt/dialect/SimtOps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::simt {

static constexpr unsigned kMaxDepth = 12;

/// What divides all elements of a tensor that has one value, 1 of others.
static uint64_t divisorOfSplat(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op))
    return divisibilityOf(splat.getInput());
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  auto dense = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                        : DenseIntElementsAttr();
  if (!dense || !dense.isSplat())
    return 1;
  APInt value = dense.getSplatValue<APInt>();
  return uint64_t(1) << std::min(value.countTrailingZeros(), 30u);
}

/// The dimension of a reshape's result that is the only one of the source.
static std::optional<unsigned> onlyDimension(ReshapeOp op) {
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  if (from.getRank() != 1)
    return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(to.getShape()))
    if (extent == from.getDimSize(0))
      return dim;
  return std::nullopt;
}

static AlignedRuns walk(Value tensor, unsigned depth);

static AlignedRuns ofSum(arith::AddIOp op, unsigned depth) {
  auto limited = [&](Value counted, Value added) {
    AlignedRuns runs = walk(counted, depth);
    runs.block = std::min(runs.block, divisorOfSplat(added));
    return runs;
  };
  AlignedRuns left = limited(op.getLhs(), op.getRhs());
  return left.block > 1 ? left : limited(op.getRhs(), op.getLhs());
}

/// The source's dimension becomes one of those that were not added.
static AlignedRuns ofBroadcast(BroadcastOp op, unsigned depth) {
  AlignedRuns runs = walk(op.getSource(), depth);
  unsigned seen = 0;
  int64_t rank = cast<RankedTensorType>(op.getResult().getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(op.getDimensions(), dim) && seen++ == runs.dim)
      return {unsigned(dim), runs.block};
  return {};
}

static AlignedRuns walk(Value tensor, unsigned depth) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth++ > kMaxDepth || !isa<RankedTensorType>(tensor.getType()))
    return {};
  return llvm::TypeSwitch<Operation *, AlignedRuns>(op)
      .Case([&](kernel::RangeOp o) -> AlignedRuns {
        uint64_t start = uint64_t(int64_t(o.getStart())) | kMostDivisible;
        return {0, start & -start};
      })
      .Case([&](arith::AddIOp o) { return ofSum(o, depth); })
      .Case([&](BroadcastOp o) { return ofBroadcast(o, depth); })
      .Case([&](ReshapeOp o) -> AlignedRuns {
        std::optional<unsigned> dim = onlyDimension(o);
        return dim ? AlignedRuns{*dim, walk(o.getSource(), depth).block}
                   : AlignedRuns{};
      })
      .Case<ConvertLayoutOp, kernel::FactOp, arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto o) { return walk(o->getOperand(0), depth); })
      .Default([](Operation *) { return AlignedRuns(); });
}

AlignedRuns alignedRunsOf(Value tensor) { return walk(tensor, 0); }

/// x < B and x >= B, where x counts and B is a multiple of its blocks, look at
/// the multiple in x alone; so do B > x and B <= x.
AlignedRuns constantRunsOf(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  Value counted = op.getLhs(), bound = op.getRhs();
  switch (op.getPredicate()) {
  case P::slt:
  case P::ult:
  case P::sge:
  case P::uge:
    break;
  case P::sgt:
  case P::ugt:
  case P::sle:
  case P::ule:
    std::swap(counted, bound);
    break;
  default:
    return {};
  }
  AlignedRuns runs = alignedRunsOf(counted);
  runs.block = std::min(runs.block, divisorOfSplat(bound));
  return runs;
}

} // namespace tilewright::simt
