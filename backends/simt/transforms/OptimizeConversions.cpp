//===- OptimizeConversions.cpp - Fewer moves between threads ----*- C++ -*-===//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of conversions are one, what costs nothing to compute is computed
// in the layout that is wanted, and conversions move to where a tensor is
// smaller and out of loops.
//===----------------------------------------------------------------------===//
#include "backends/simt/transforms/Passes.h"

#include "backends/simt/analysis/LayoutFlow.h"
#include "backends/simt/analysis/Scratch.h"
#include "backends/simt/layout/TensorLayouts.h"
#include "backends/simt/report/AccessPlans.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::simt {

#define GEN_PASS_DEF_SIMTOPTIMIZECONVERSIONSPASS
#include "backends/simt/transforms/Passes.h.inc"

/// The same constant, splat or range in another layout; null for the rest.
static Value rematerialise(OpBuilder &b, Operation *op, RankedTensorType type) {
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return tensor::SplatOp::create(b, op->getLoc(), splat.getInput(), type);
  if (auto range = dyn_cast<kernel::RangeOp>(op)) {
    Operation *copy = b.clone(*range);
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!value || !value.isSplat())
    return nullptr;
  return arith::ConstantOp::create(
      b, op->getLoc(),
      cast<TypedAttr>(Attribute(
          DenseElementsAttr::get(type, value.getSplatValue<Attribute>()))));
}

/// Whether all tensors that a value is computed from are constants, splats and
/// ranges, and few operations do so.
static bool isCheap(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 6)
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    return !elements || elements.isSplat();
  }
  if (isa<tensor::SplatOp, kernel::RangeOp>(op))
    return true;
  auto isCheapOrScalar = [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) ||
           isCheap(operand, depth + 1);
  };
  return (isElementwise(op) || isa<BroadcastOp>(op)) &&
         llvm::all_of(op->getOperands(), isCheapOrScalar);
}

/// Tensors among the operands.
static SmallVector<OpOperand *> tensorOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      operands.push_back(&operand);
  return operands;
}

/// Whether it is less work to convert the operands of an operation than its
/// result: there is one of smaller elements, or they cost nothing.
static bool isBetterBefore(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  if (isa<TransposeOp>(op))
    return op->hasOneUse();
  if (isa<BroadcastOp>(op))
    return true;
  if (!isElementwise(op))
    return false;
  SmallVector<OpOperand *> operands = tensorOperands(op);
  auto bytes = [](Value value) {
    return memoryBytes(getElementTypeOrSelf(value.getType()));
  };
  if (operands.size() == 1 && op->hasOneUse() &&
      bytes(operands[0]->get()) < bytes(op->getResult(0)))
    return true;
  return isCheap(op->getResult(0));
}

/// What an operation's operands are in when its result is in `wanted`.
static LayoutAttr layoutBefore(Operation *op, LayoutAttr wanted) {
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return withoutDimensions(wanted, broadcast.getDimensions());
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose)
    return wanted;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  std::vector<unsigned> inverse(permutation.size());
  for (auto [dim, source] : llvm::enumerate(permutation))
    inverse[source] = dim;
  return LayoutAttr::get(op->getContext(),
                         transposeLayout(wanted.getLayout(), inverse));
}

namespace {
/// When a tensor is stored from the layout that it has.
struct StoreRules {
  unsigned registers = 0; ///< of a thread
  unsigned maxVectorBytes = 16;
  unsigned sectorBytes = 32;
  unsigned mostSectors = 0; ///< times the fewest; 0: never
};
} // namespace

static uint64_t registersOf(Type type) {
  return uint64_t(1) << layoutOf(type).getLayout().inputBits(registerDim);
}

/// Whether a converted tensor is but stored, it and what it is made from do not
/// fit into a thread's registers, and the threads that have it can store it,
/// too. Kernels spill there what they are about to finish with.
static bool isStoredWithout(ConvertLayoutOp op, const StoreRules &rules) {
  if (!rules.mostSectors || !op->hasOneUse() ||
      registersOf(op.getSource().getType()) + registersOf(op.getType()) <
          rules.registers)
    return false;
  auto store = dyn_cast<kernel::StoreOp>(*op->user_begin());
  if (!store || store.getValue() != op.getResult() || store.getIndex())
    return false;
  LinearLayout layout = layoutOf(op.getSource().getType()).getLayout();
  AccessPlan plan = planOf(store, layout, rules.maxVectorBytes);
  Coalescing sectors = sectorsOf(store, layout, plan, rules.sectorBytes);
  return sectors.segments <= rules.mostSectors * sectors.ideal;
}

namespace {
/// Works off the conversions of a module; moving one makes others.
class Optimizer {
public:
  Optimizer(ModuleOp module, const StoreRules &rules)
      : b(module.getContext()), rules(rules) {
    module.walk([&](ConvertLayoutOp op) { work.push_back(op); });
  }

  void run() {
    while (!work.empty()) {
      ConvertLayoutOp op = work.pop_back_val();
      hoist(op);
      b.setInsertionPoint(op);
      simplify(op);
    }
  }

private:
  void simplify(ConvertLayoutOp op);
  void moveUp(ConvertLayoutOp op, Operation *producer);
  void hoist(ConvertLayoutOp op);

  IRRewriter b;
  const StoreRules &rules;
  SmallVector<ConvertLayoutOp> work;
};
} // namespace

/// Out of loops whose turns all convert the same.
void Optimizer::hoist(ConvertLayoutOp op) {
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    if (!loop.isDefinedOutsideOfLoop(op.getSource()))
      return;
    op->moveBefore(loop);
  }
}

/// The producer, again, on converted operands.
void Optimizer::moveUp(ConvertLayoutOp op, Operation *producer) {
  LayoutAttr wanted = layoutOf(op.getType());
  LayoutAttr before = layoutBefore(producer, wanted);
  Operation *copy = b.clone(*producer);
  copy->getResult(0).setType(op.getType());
  b.setInsertionPoint(copy);
  for (OpOperand *operand : tensorOperands(copy)) {
    auto convert = ConvertLayoutOp::create(
        b, op.getLoc(), withLayout(operand->get().getType(), before),
        operand->get());
    operand->set(convert);
    work.push_back(convert);
  }
  b.replaceOp(op, copy->getResult(0));
}

void Optimizer::simplify(ConvertLayoutOp op) {
  while (auto inner = op.getSource().getDefiningOp<ConvertLayoutOp>())
    op.getSourceMutable().assign(inner.getSource());
  if (op.getSource().getType() == op.getType() || isStoredWithout(op, rules))
    return b.replaceOp(op, op.getSource());
  Operation *producer = op.getSource().getDefiningOp();
  if (!producer)
    return;
  auto type = cast<RankedTensorType>(op.getType());
  if (Value copy = rematerialise(b, producer, type))
    return b.replaceOp(op, copy);
  if (isBetterBefore(producer))
    moveUp(op, producer);
}

namespace {
struct OptimizeConversionsPass
    : public impl::SimtOptimizeConversionsPassBase<OptimizeConversionsPass> {
  using SimtOptimizeConversionsPassBase::SimtOptimizeConversionsPassBase;

  void runOnOperation() override {
    StoreRules rules{registers, maxVectorBytes, sectorBytes, mostSectors};
    Optimizer(getOperation(), rules).run();
    eraseDead();
  }

private:
  /// Users come behind what they use.
  void eraseDead() {
    getOperation().walk<WalkOrder::PostOrder, mlir::ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace

} // namespace tilewright::simt
